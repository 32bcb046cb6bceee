"""Batches are as large as memory allows, and a batch that is too large fails no document."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from models.config import Adapter, ModelConfig, ModelError, RuntimeKind
from models.loading import load_model
from models.memory import HostMemory, _room_of_container
from models.network import keep_to_share
from models.runtime import Inputs, Outputs
from models.runtime_onnx import OnnxRuntime
from models.runtime_torch import GpuMemory, TorchRuntime
from models.token_budget import TokenBudget, measured_budget
from serve_app.domain.document import Document
from tests.models.adapters.pages import page_of
from tests.support.checkpoints import write_text_checkpoint
from tests.support.foreign import write_foreign

WINDOW = 512
MB = 10**6


class Device:
    """A device that holds `fixed` bytes for any batch and `each` for a window, and fails beyond `limit` windows."""

    name = "gpu:0"
    most_tokens = 16_384

    def __init__(self, room: int, each: int = 2 * MB, fixed: int = 300 * MB, limit: int = 1000) -> None:
        self._room, self._each, self._fixed, self._limit = room, each, fixed, limit
        self.computed: list[int] = []

    def room(self) -> int:
        return self._room

    def compute(self, count: int) -> None:
        if count > self._limit:
            raise MemoryError("none left")
        self.computed.append(count)

    def peak(self, work: Callable[[], object]) -> int:
        work()
        return self._fixed + self.computed[-1] * self._each


def budget(device: Device | None, configured: int | None = None) -> int:
    probe = device.compute if device else lambda _: None
    return measured_budget(configured, device, WINDOW, probe, "tiny").tokens


def test_a_batch_holds_what_the_device_has_room_for() -> None:
    # 7 of 10 MB are taken, and a window takes 2.
    assert budget(Device(10 * MB)) == 3 * WINDOW
    assert budget(Device(80_000 * MB)) == 16_384, "no more than are ever merged"
    assert budget(Device(0)) == WINDOW, "a window must do"
    assert budget(Device(80_000 * MB, limit=2)) == WINDOW, "memory ran out while it was measured"


def test_a_setting_overrides_what_is_measured() -> None:
    device = Device(10 * MB)
    assert budget(device, configured=9000) == 9000
    assert device.computed == []


def test_nothing_is_measured_where_windows_are_computed_one_by_one() -> None:
    assert budget(None) == 2_048


def test_the_log_says_what_was_measured(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", logger="serve_app")
    budget(Device(10 * MB))
    expected = "a batch of tiny holds at most 1536 tokens: 2.0 MB for each window of 512, 10.0 MB free in gpu:0"
    assert caplog.messages == [expected]


def test_a_model_that_cannot_compute_is_refused() -> None:
    def broken(_: int) -> None:
        raise IndexError("no such row")

    with pytest.raises(ModelError, match="failed its self-test: IndexError: no such row"):
        measured_budget(None, Device(10 * MB), WINDOW, broken, "tiny")


def test_when_memory_runs_out_smaller_batches_do_the_work(caplog: pytest.LogCaptureFixture) -> None:
    room, tried, done = 900, list[int](), list[range]()

    def work(batch: list[range]) -> None:
        tried.append(len(batch[0]) * len(batch))
        if tried[-1] > room:
            raise MemoryError
        done.extend(batch)

    windows = [range(size) for size in (500, 490, 480, 470, 60, 50, 40, 30)]
    tokens = TokenBudget(2_048)
    tokens.run(windows, work)
    assert sorted(map(len, done), reverse=True) == [500, 490, 480, 470, 60, 50, 40, 30]
    assert tokens.tokens == 500
    assert tried[0] == 2_000
    assert "out of memory: from now on a batch holds at most 500 tokens" in caplog.messages
    tried.clear()
    tokens.run(windows, work)
    assert max(tried) <= 500, "it does not try again what failed"


def test_a_window_that_does_not_fit_alone_is_an_error() -> None:
    def work(_: list[range]) -> None:
        raise MemoryError("none left")

    with pytest.raises(MemoryError, match="none left"):
        TokenBudget(2_048).run([range(500), range(400)], work)


@pytest.mark.parametrize("kind", ["text", "bert questions"])
@pytest.mark.parametrize("runtime", [TorchRuntime, OnnxRuntime])
def test_documents_are_read_on_a_device_that_is_nearly_full(
    kind: str, runtime: type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_text = kind == "text"
    config = ModelConfig(
        adapter=Adapter.TEXT_TOKENS if is_text else Adapter.QUESTION_ANSWERING,
        checkpoint=str(write_text_checkpoint(tmp_path) if is_text else write_foreign(kind, tmp_path)),
        runtime=RuntimeKind.TORCH if runtime is TorchRuntime else RuntimeKind.ONNX,
        token_budget=16_384,
    )
    model = load_model(config)
    pages = [page_of(*["to", "pay"] * 20, number=number) for number in (1, 2, 3, 4)]
    (expected,) = model.read([Document(tuple(pages))])
    run = runtime.run  # type: ignore[attr-defined]

    def nearly_full(self: object, inputs: Inputs) -> Outputs:
        if len(inputs["input_ids"]) > 1:
            raise MemoryError
        answer: Outputs = run(self, inputs)
        return answer

    monkeypatch.setattr(runtime, "run", nearly_full)
    (found,) = model.read([Document(tuple(pages))])
    for one, other in zip(found.pages, expected.pages, strict=True):
        assert np.allclose(one.scores, other.scores, atol=1e-4)


class Network:
    """Fails as torch does."""

    def __init__(self, error: Exception) -> None:
        self._error = error
        self.device, self.dtype = torch.device("cpu"), torch.float32

    def train(self, _: bool) -> "Network":
        return self

    def __call__(self, **_: Any) -> None:
        raise self._error


@pytest.mark.parametrize(
    "error",
    [
        torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB"),
        RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes"),
        RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling cublasCreate"),
    ],
)
def test_torch_out_of_memory_is_reported_as_such(error: Exception) -> None:
    inputs = {"input_ids": np.zeros((1, 4), np.int64)}
    with pytest.raises(MemoryError):
        TorchRuntime(Network(error)).run(inputs)  # type: ignore[arg-type]
    with pytest.raises(RuntimeError, match="sizes do not match"):
        TorchRuntime(Network(RuntimeError("sizes do not match"))).run(inputs)  # type: ignore[arg-type]


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """What torch says of a GPU of 80 bytes."""
    report = {"free": 50.0, "total": 80.0, "used": 20.0, "kept": 25.0, "share": 1.0}
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda _: (report["free"], report["total"]))
    monkeypatch.setattr(torch.cuda, "memory_allocated", lambda _: report["used"])
    monkeypatch.setattr(torch.cuda, "memory_reserved", lambda _: report["kept"])
    monkeypatch.setattr(torch.cuda, "get_per_process_memory_fraction", lambda _: report["share"])
    monkeypatch.setattr(torch.cuda, "current_device", lambda: 0)
    monkeypatch.setattr(torch.cuda, "set_per_process_memory_fraction", lambda share, _: report.update(share=share))
    return report


def test_two_models_of_one_gpu_share_its_memory(gpu: dict[str, float]) -> None:
    memory = GpuMemory(torch.device("cuda:0"))
    assert memory.room() == 55, "what is free, and what torch keeps of it unused"
    keep_to_share(torch.device("cuda"), 0.5)
    assert gpu["share"] == 0.5
    assert memory.room() == 20, "half of 80, of which 20 are used"
    keep_to_share(torch.device("cpu"), 0.2)
    assert gpu["share"] == 0.5


def test_the_peak_of_main_memory_is_measured() -> None:
    memory = HostMemory()
    little, much = memory.peak(lambda: None), memory.peak(lambda: np.ones(20 * MB, np.float64).sum())
    assert 150 * MB < much - little < 200 * MB
    assert memory.room() > 0


def test_a_container_has_what_its_limit_leaves(tmp_path: Path) -> None:
    assert _room_of_container(tmp_path) == 2**63
    for limit, room in (("max", 2**63), ("1000", 600), ("100", 0)):
        (tmp_path / "memory.max").write_text(f"{limit}\n")
        (tmp_path / "memory.current").write_text("400\n")
        assert _room_of_container(tmp_path) == room
