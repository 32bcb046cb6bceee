"""An exported checkpoint answers as the network does in torch, and is served like any other."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from models.config import Adapter, ModelConfig, ModelError, Precision, RuntimeKind
from models.evaluation.graphs.command import Options, export, export_checkpoint
from models.footprint import loaded
from models.graph import GRAPH_FILE
from models.loading import load_model
from models.runtime import Inputs, Outputs
from models.runtime_torch import TorchRuntime
from models.trial_pages import full_page, page_of
from serve_app.domain.document import Document
from tests.support.foreign import KINDS, LABEL_MAP, write_foreign
from tests.support.forks import forking_context

PAGES = Document((page_of(["Total", "9.50"]), page_of(["to", "pay"] * 40)))


def config_of(kind: str, folder: Path) -> ModelConfig:
    checkpoint = str(write_foreign(kind, folder))
    exact = {"precision": Precision.FLOAT32, "device": "cpu"}
    return ModelConfig(adapter=KINDS[kind].adapter, checkpoint=checkpoint, label_map=LABEL_MAP, **exact)


def exported(config: ModelConfig, out: Path, runtime: RuntimeKind = RuntimeKind.AUTO) -> ModelConfig:
    return config.model_copy(update={"checkpoint": str(out), "runtime": runtime})


class TestExport:
    @pytest.mark.parametrize("kind", ["layoutlm", "bros", "lilt", "layoutlmv3", "bert", "roberta", "distilbert"])
    def test_both_runtimes_answer_as_torch_does(self, kind: str, tmp_path: Path) -> None:
        config, out = config_of(kind, tmp_path / "in"), tmp_path / "out"
        found = export_checkpoint(config, out, [])
        assert [each.runtime for each in found] == ["torch", "onnx", "openvino"]
        assert all(each.difference < 1e-4 and each.same == 1 for each in found)
        assert not list(out.glob("*.safetensors"))
        document = Document((full_page(),)) if load_model(exported(config, out)).needs_pictures else PAGES
        expected = load_model(config).read([document])[0]
        for runtime in (RuntimeKind.AUTO, RuntimeKind.ONNX, RuntimeKind.OPENVINO):
            read = load_model(exported(config, out, runtime)).read([document])[0]
            for ours, theirs in zip(expected.pages, read.pages, strict=True):
                assert np.allclose(ours.scores, theirs.scores, atol=1e-4)

    def test_int8_is_calibrated_with_pages(self, tmp_path: Path) -> None:
        config, out = config_of("bert", tmp_path / "in"), tmp_path / "out"
        plain = export_checkpoint(config, tmp_path / "plain", [])
        documents = [PAGES, Document((page_of(["invoice", "no", "17-4"] * 9),))]
        found = export_checkpoint(config, out, documents)
        assert found[1].difference > plain[1].difference, "rounded"
        assert found[1].difference < 0.05
        assert b"QuantizeLinear" in (out / GRAPH_FILE).read_bytes()

    def test_one_that_answers_otherwise_leaves_nothing_behind(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        config = config_of("bert", tmp_path / "in")

        class Reversed(TorchRuntime):
            def run(self, inputs: Inputs) -> Outputs:
                return {name: -values for name, values in super().run(inputs).items()}

        monkeypatch.setattr("models.evaluation.graphs.command.TorchRuntime", Reversed)
        (tmp_path / "model.yaml").write_text(
            f"adapter: text_tokens\ncheckpoint: {config.checkpoint}\nlabel_map: {LABEL_MAP}\n".replace("None", "null")
        )
        with pytest.raises(ModelError, match=r"the outputs in onnx differ by 0\.\d+ from those in torch"):
            export(Options(str(tmp_path / "model.yaml"), "verifier", tmp_path / "out"))
        assert not (tmp_path / "out").exists()

    def test_what_is_no_token_classifier_is_refused(self, tmp_path: Path) -> None:
        write_foreign("bert questions", tmp_path / "in")
        (tmp_path / "model.yaml").write_text(f"adapter: question_answering\ncheckpoint: {tmp_path / 'in'}\n")
        with pytest.raises(ModelError, match="only token classifiers can be exported"):
            export(Options(str(tmp_path / "model.yaml"), "verifier", tmp_path / "out"))

    def test_an_existing_folder_is_left_alone(self, tmp_path: Path) -> None:
        config = config_of("bert", tmp_path / "in")
        (tmp_path / "model.yaml").write_text(
            f"adapter: text_tokens\ncheckpoint: {config.checkpoint}\nlabel_map: {LABEL_MAP}\n".replace("None", "null")
        )
        with pytest.raises(ModelError, match="already exists"):
            export(Options(str(tmp_path / "model.yaml"), "verifier", tmp_path / "in"))
        assert (tmp_path / "in" / "config.json").is_file()


class TestServing:
    def test_the_registry_takes_an_exported_checkpoint(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("models.footprint.get_context", forking_context)
        config, out = config_of("bert", tmp_path / "in"), tmp_path / "out"
        export_checkpoint(config, out, [])
        assert loaded(exported(config, out)).refused is None

    @pytest.mark.parametrize("change", [{"runtime": RuntimeKind.TORCH}, {"precision": Precision.FLOAT16}])
    def test_what_a_graph_cannot_do_is_refused_with_what_it_can(self, change: dict[str, str], tmp_path: Path) -> None:
        config, out = config_of("bert", tmp_path / "in"), tmp_path / "out"
        export_checkpoint(config, out, [])
        with pytest.raises(ModelError, match="was exported: it runs on a CPU"):
            load_model(exported(config, out).model_copy(update=change))

    def test_a_graph_from_elsewhere_is_refused(self, tmp_path: Path) -> None:
        config, out = config_of("bert", tmp_path / "in"), tmp_path / "out"
        export_checkpoint(config, tmp_path / "one", [])
        shutil.copytree(tmp_path / "in", out, ignore=lambda *_: ["model.safetensors"])
        graph = (tmp_path / "one" / GRAPH_FILE).read_bytes()
        (out / GRAPH_FILE).write_bytes(graph.replace(b"weights_layout", b"weights_LAYOUT"))
        with pytest.raises(ModelError, match="no graph of `invoices models export`"):
            load_model(exported(config, out))

    def test_another_adapter_is_refused(self, tmp_path: Path) -> None:
        config, out = config_of("bert", tmp_path / "in"), tmp_path / "out"
        export_checkpoint(config, out, [])
        with pytest.raises(ModelError, match="layout_tokens is for"):
            load_model(exported(config, out).model_copy(update={"adapter": Adapter.LAYOUT_TOKENS}))
