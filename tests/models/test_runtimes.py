"""Both runtimes give the same answers, whatever the kind of model."""

from pathlib import Path

import numpy as np
import pytest

from models.config import Adapter, ModelConfig, ModelError, RuntimeKind
from models.loading import load_model
from models.runtime import Inputs, Outputs
from models.runtime_onnx import OnnxRuntime
from models.runtime_torch import TorchRuntime
from serve_app.domain.document import Document
from tests.models.adapters.pages import document_of, page_of
from tests.support.checkpoints import write_layout_checkpoint
from tests.support.foreign import KINDS, LABEL_MAP, write_donut, write_foreign

KINDS_IN_ONNX = [
    *("layoutlm", "bros", "lilt", "layoutlmv3"),
    *("bert", "roberta", "distilbert"),
    *("bert questions", "layoutlm questions"),
]


@pytest.mark.parametrize("kind", KINDS_IN_ONNX)
def test_onnx_reads_as_torch_does(kind: str, tmp_path: Path) -> None:
    adapter = KINDS[kind].adapter
    labels = None if adapter is Adapter.QUESTION_ANSWERING else LABEL_MAP
    config = ModelConfig(adapter=adapter, checkpoint=str(write_foreign(kind, tmp_path)), label_map=labels)
    document = Document((page_of("Total", "9.50"), page_of(*["to", "pay"] * 40, number=2)))
    one, other = (
        load_model(config.model_copy(update={"runtime": runtime})).read([document])[0]
        for runtime in (RuntimeKind.TORCH, RuntimeKind.ONNX)
    )
    for ours, theirs in zip(one.pages, other.pages, strict=True):
        assert np.allclose(ours.scores, theirs.scores, atol=1e-4)


def test_a_model_that_answers_otherwise_in_onnx_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = OnnxRuntime.run

    def wrong(self: OnnxRuntime, inputs: Inputs) -> Outputs:
        return {name: given[..., ::-1].copy() for name, given in run(self, inputs).items()}

    monkeypatch.setattr(OnnxRuntime, "run", wrong)
    config = ModelConfig(adapter=Adapter.LAYOUT_TOKENS, checkpoint=str(write_layout_checkpoint(tmp_path)))
    with pytest.raises(ModelError, match=r"outputs in ONNX Runtime differ by 0\.\d+ from those in torch"):
        load_model(config.model_copy(update={"runtime": RuntimeKind.ONNX}))
    assert load_model(config).read([document_of("Total")])[0].pages, "left to itself, the service takes torch"


def test_where_onnx_is_missing_torch_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "onnx", None)
    config = ModelConfig(adapter=Adapter.LAYOUT_TOKENS, checkpoint=str(write_layout_checkpoint(tmp_path)))
    with pytest.raises(ModelError, match="cannot be run by ONNX Runtime: Module onnx is not installed"):
        load_model(config.model_copy(update={"runtime": RuntimeKind.ONNX}))
    assert isinstance(getattr(load_model(config), "_runtime", None), TorchRuntime)


def test_what_generates_runs_in_torch_only(tmp_path: Path) -> None:
    config = ModelConfig(
        adapter=Adapter.IMAGE_TO_SEQUENCE,
        checkpoint=str(write_donut(tmp_path)),
        label_map={"store": "SELLER"},
        runtime=RuntimeKind.ONNX,
    )
    with pytest.raises(ModelError, match="runs in torch only"):
        load_model(config)
