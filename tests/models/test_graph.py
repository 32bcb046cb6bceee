"""A checkpoint's ONNX graph: weights by reference, valid for one layout of them, run without torch."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from models.config import Adapter, ModelConfig, ModelError, Precision, RuntimeKind
from models.graph import GRAPH_FILE, WEIGHTS_FILE
from models.loading import EXTRACTOR, VERIFIER, WEIGHTS, load_model
from serve_app.domain.document import Document
from tests.models.adapters.pages import page_of

PAGES = Document((page_of("Total", "9.50"), page_of(*["to", "pay"] * 400, number=2)))


@pytest.fixture(params=[EXTRACTOR, VERIFIER], ids=lambda config: str(config.checkpoint))
def config(request: pytest.FixtureRequest, tmp_path: Path) -> ModelConfig:
    """A bundled model in a folder that the test may change."""
    bundled: ModelConfig = request.param
    folder = tmp_path / bundled.checkpoint
    shutil.copytree(WEIGHTS / bundled.checkpoint, folder)
    return bundled.model_copy(update={"checkpoint": str(folder)})


def test_the_bundled_models_bring_neither_torch_nor_transformers() -> None:
    code = (
        "import sys; from models.loading import EXTRACTOR, VERIFIER, load_model; load_model(EXTRACTOR);"
        " load_model(VERIFIER); print([name for name in ('torch', 'transformers') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip().splitlines()[-1] == "[]"


def test_windows_of_all_widths_read_alike_in_every_runtime(config: ModelConfig) -> None:
    exact = config.model_copy(update={"precision": Precision.FLOAT32})
    runtimes = (RuntimeKind.TORCH, RuntimeKind.ONNX, RuntimeKind.OPENVINO)
    (first, *others) = (load_model(exact.model_copy(update={"runtime": one})).read([PAGES])[0] for one in runtimes)
    for other in others:
        for ours, theirs in zip(first.pages, other.pages, strict=True):
            assert np.allclose(ours.scores, theirs.scores, atol=1e-4)


def test_what_the_processor_prefers_reads_nearly_the_same(config: ModelConfig) -> None:
    exact = load_model(config.model_copy(update={"precision": Precision.FLOAT32})).read([PAGES])[0]
    fast = load_model(config).read([PAGES])[0]
    for ours, theirs in zip(exact.pages, fast.pages, strict=True):
        assert np.allclose(ours.scores, theirs.scores, atol=0.1)


def test_new_weights_of_the_same_layout_are_read_from_their_file(config: ModelConfig) -> None:
    before = load_model(config).read([PAGES])[0].pages[0].scores
    weights = Path(config.checkpoint) / WEIGHTS_FILE
    tensors = load_file(weights)
    header = {name: (tensor.dtype, tensor.shape) for name, tensor in tensors.items()}
    last = next(name for name in header if name.startswith("classifier") and name.endswith("weight"))
    tensors[last] = -tensors[last]
    save_file(tensors, weights, metadata={"format": "pt"})
    assert not np.allclose(before, load_model(config).read([PAGES])[0].pages[0].scores, atol=1e-2)


@pytest.mark.parametrize("runtime", [RuntimeKind.ONNX, RuntimeKind.OPENVINO])
def test_a_graph_for_weights_of_another_layout_is_refused(config: ModelConfig, runtime: RuntimeKind) -> None:
    weights = Path(config.checkpoint) / WEIGHTS_FILE
    tensors = load_file(weights)
    save_file({**tensors, "another": np.zeros(3, np.float16)}, weights)
    with pytest.raises(ModelError, match=r"graph\.onnx was made for other weights"):
        load_model(config.model_copy(update={"runtime": runtime}))


def test_a_damaged_graph_is_refused_by_name(config: ModelConfig) -> None:
    (Path(config.checkpoint) / GRAPH_FILE).write_bytes(b"no graph")
    for runtime in (RuntimeKind.ONNX, RuntimeKind.OPENVINO):
        with pytest.raises(ModelError, match="cannot load the model"):
            load_model(config.model_copy(update={"runtime": runtime}))


def test_without_a_graph_torch_reads(config: ModelConfig) -> None:
    (Path(config.checkpoint) / GRAPH_FILE).unlink()
    assert load_model(config).read([PAGES])[0].pages
    with pytest.raises(ModelError, match=r"needs a checkpoint with a graph\.onnx"):
        load_model(config.model_copy(update={"runtime": RuntimeKind.OPENVINO}))


def test_an_adapter_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="layout_tokens cannot run the bert"):
        load_model(ModelConfig(adapter=Adapter.LAYOUT_TOKENS, checkpoint="verifier"))


def test_a_configuration_that_cannot_be_read_is_named(config: ModelConfig) -> None:
    path = Path(config.checkpoint) / "config.json"
    path.write_text("[]")
    with pytest.raises(ModelError, match=r"config\.json cannot be read"):
        load_model(config)
    assert json.loads(path.read_text()) == []
