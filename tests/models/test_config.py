"""Model configurations, and the messages about missing models."""

from pathlib import Path
from typing import Any

import huggingface_hub
import pytest
import torch
from httpx import Request, Response
from huggingface_hub.errors import LocalEntryNotFoundError, RepositoryNotFoundError
from pydantic import ValidationError

from models.loading import Adapter, ModelConfig, ModelError, Precision, RuntimeKind, load_model
from models.network import dtype_of
from tests.support.checkpoints import write_layout_checkpoint, write_text_checkpoint


def config(**values: object) -> ModelConfig:
    return ModelConfig.model_validate({"adapter": "text_tokens", "checkpoint": "verifier", **values})


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"chekpoint": "x"}, "chekpoint"),
        ({"adapter": "donut"}, "image_to_sequence"),
        ({"label_map": {"sum": "SUM"}}, "unknown labels: SUM; the service's labels are SELLER"),
        ({"device": "gpu"}, "device"),
        ({"token_budget": 1}, "token_budget"),
        ({"questions": {"TOTAL": "?"}}, "questions are for the adapter question_answering"),
        ({"task_prompt": "<s>"}, "task_prompt is for the adapter image_to_sequence"),
        ({"adapter": "question_answering", "label_map": {}}, "takes questions, not a label_map"),
        ({"adapter": "question_answering", "questions": {"SUM": "?"}}, "SELLER"),
    ],
)
def test_what_makes_no_sense_is_named(values: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        config(**values)


def test_a_folder_is_named_by_its_checkpoint_or_by_the_configuration(tmp_path: Path) -> None:
    folder = str(write_text_checkpoint(tmp_path / "mine"))
    assert load_model(config(checkpoint=folder)).revision == "mine"
    assert load_model(config(checkpoint=folder, revision="second try")).revision == "second try"
    assert load_model(config()).revision.startswith("verifier-")
    assert load_model(config(runtime="torch")).revision.startswith("verifier-")


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[tuple[str, str | None]]:
    """A hub with one repository, and what was asked of it."""
    asked: list[tuple[str, str | None]] = []
    snapshot = write_text_checkpoint(tmp_path / ("0123456789ab" + "c" * 28))

    def fetch(repository: str, *, revision: str | None, allow_patterns: list[str]) -> str:
        asked.append((repository, revision))
        assert not any("bin" in pattern or "py" in pattern for pattern in allow_patterns), "weights as data only"
        if repository == "acme/gone":
            answer: Any = Response(404, request=Request("GET", "http://hub"))
            raise RepositoryNotFoundError("404 Client Error", response=answer)
        if repository == "acme/offline":
            raise LocalEntryNotFoundError("outgoing traffic has been disabled")
        return str(snapshot)

    monkeypatch.setattr(huggingface_hub, "snapshot_download", fetch)
    return asked


def test_a_repository_of_the_hub_is_fetched_at_its_revision(hub: list[tuple[str, str | None]]) -> None:
    model = load_model(config(checkpoint="acme/invoices", revision="v2"))
    assert hub == [("acme/invoices", "v2")]
    assert model.revision == "acme/invoices@0123456789ab"


@pytest.mark.parametrize("repository", ["acme/gone", "acme/offline"])
@pytest.mark.usefixtures("hub")
def test_a_repository_that_cannot_be_had_is_named(repository: str) -> None:
    with pytest.raises(
        ModelError,
        match=rf"{repository} is not a local model folder, and it could not be downloaded .* at revision main",
    ):
        load_model(config(checkpoint=repository))


def test_a_folder_of_no_known_kind_is_named(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "abacus"}')
    with pytest.raises(ModelError, match="of an unsupported kind"):
        load_model(config(checkpoint=str(tmp_path)))


def test_damaged_weights_are_named(tmp_path: Path) -> None:
    folder = write_text_checkpoint(tmp_path)
    (folder / "model.safetensors").write_bytes(b"nothing")
    with pytest.raises(ModelError, match="cannot be loaded"):
        load_model(config(checkpoint=str(folder)))


def test_numbers_have_half_precision_on_a_gpu_alone_unless_configured_otherwise() -> None:
    gpu, cpu = torch.device("cuda"), torch.device("cpu")
    assert [dtype_of(Precision.AUTO, device) for device in (gpu, cpu)] == [torch.float16, torch.float32]
    assert dtype_of(Precision.BFLOAT16, gpu) == torch.bfloat16


def test_a_gpu_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    with pytest.raises(ModelError, match="no usable GPU"):
        load_model(config(device="cuda"))


@pytest.mark.parametrize("adapter", [Adapter.LAYOUT_TOKENS, Adapter.TEXT_TOKENS])
def test_half_precision_is_no_obstacle(adapter: Adapter, tmp_path: Path) -> None:
    write = write_layout_checkpoint if adapter is Adapter.LAYOUT_TOKENS else write_text_checkpoint
    values = {"adapter": adapter, "checkpoint": str(write(tmp_path)), "precision": "bfloat16"}
    assert load_model(config(**values)).read([]) == []
    with pytest.raises(ModelError, match="runtime onnx is only for float32 models on a CPU"):
        load_model(config(**values, runtime=RuntimeKind.ONNX))
