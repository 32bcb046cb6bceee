"""Write a checkpoint whose graph contains its weights, in float32 or in int8."""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import onnx
from onnx import helper
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from transformers import AutoModelForTokenClassification, PreTrainedModel

from models.adapters.exported import exported_classifier, inputs_of
from models.adapters.layout_tokens import INPUTS
from models.config import Adapter, ModelConfig, ModelError
from models.fused_attention import fuse_attention
from models.graph import GRAPH_FILE, INSIDE, LAYOUT_KEY
from models.network import NetworkFiles, load_network
from models.onnx_export import traced
from models.registry.content import FILES
from models.runtime import PIXELS, Inputs, Outputs, Runtime
from models.runtime_torch import TorchRuntime
from models.token_model import TokenModel
from serve_app.domain.document import Document

_OUTPUT = "logits"
# Calibration keeps the ranges of all activations of so many windows in memory.
_MOST_WINDOWS = 64
_OTHER_FILES = [pattern for pattern in FILES if pattern not in ("*.safetensors", GRAPH_FILE)]


def network_of(checkpoint: NetworkFiles, config: ModelConfig) -> PreTrainedModel:
    """The network in float32 on the CPU."""
    network = fuse_attention(load_network(AutoModelForTokenClassification, checkpoint, config))
    network.train(False)
    return network


def write_checkpoint(
    checkpoint: NetworkFiles, config: ModelConfig, network: PreTrainedModel, out: Path, pages: Sequence[Document]
) -> None:
    """Write the graph and the files beside it; in int8 if there are pages to calibrate it with. Raises ModelError."""
    out.mkdir(parents=True, exist_ok=True)
    for pattern in _OTHER_FILES:
        for path in checkpoint.folder.glob(pattern):
            if not path.name.endswith(".index.json"):
                shutil.copyfile(path, out / path.name)
    with TemporaryDirectory(dir=out) as folder:
        plain = Path(folder) / "float32.onnx"
        plain.write_bytes(_graph(checkpoint, config, network))
        if pages:
            _quantise(plain, out / GRAPH_FILE, _windows(checkpoint, config, network, pages))
        else:
            plain.replace(out / GRAPH_FILE)
    _mark(out / GRAPH_FILE)


def _graph(checkpoint: NetworkFiles, config: ModelConfig, network: PreTrainedModel) -> bytes:
    try:
        return traced(network, _names(checkpoint, config), [_OUTPUT])
    except Exception as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise ModelError(f"the model in {checkpoint.folder} cannot be exported: {reason}") from error


def _names(checkpoint: NetworkFiles, config: ModelConfig) -> tuple[str, ...]:
    names = INPUTS if config.adapter is Adapter.LAYOUT_TOKENS else INPUTS[:2]
    return (*names, PIXELS) if inputs_of(checkpoint, config).pixels else names


def _mark(graph: Path) -> None:
    """Say that the graph contains its weights."""
    model = onnx.load(graph)
    helper.set_model_props(model, {LAYOUT_KEY: INSIDE})
    graph.write_bytes(model.SerializeToString())


def _quantise(plain: Path, graph: Path, windows: Sequence[Inputs]) -> None:
    """Weights and activations of matrix products become 8 bits; the windows show the ranges of activations."""
    quantize_static(
        plain,
        graph,
        _Windows(windows),
        quant_format=QuantFormat.QDQ,
        op_types_to_quantize=["MatMul", "Gemm"],
        per_channel=True,
        weight_type=QuantType.QInt8,
        activation_type=QuantType.QUInt8,
        extra_options={"MatMulConstBOnly": True},
    )


class _Windows(CalibrationDataReader):  # type: ignore[misc]
    def __init__(self, windows: Sequence[Inputs]) -> None:
        self._left: Iterator[Inputs] = iter(windows)

    def get_next(self) -> Inputs | None:
        return next(self._left, None)


class _Recorder:
    """Runs a network, and keeps what it was given."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime, self.memory = runtime, runtime.memory
        self.given: list[Inputs] = []

    def run(self, inputs: Inputs) -> Outputs:
        count = len(inputs["attention_mask"])
        self.given += [{name: values[row : row + 1] for name, values in inputs.items()} for row in range(count)]
        return self._runtime.run(inputs)


def _windows(
    checkpoint: NetworkFiles, config: ModelConfig, network: PreTrainedModel, pages: Sequence[Document]
) -> list[Inputs]:
    recorder = _Recorder(TorchRuntime(network, (_OUTPUT,)))
    model: TokenModel = exported_classifier(checkpoint, config, recorder)
    # Loading may have tried how large a batch can be.
    recorder.given.clear()
    for document in pages:
        if len(recorder.given) < _MOST_WINDOWS:
            model.read([document])
    return recorder.given[:_MOST_WINDOWS]
