"""ONNX Runtime: a network exported from torch when it is loaded (a second or two), executed on the CPU."""

import io
import warnings
from collections.abc import Sequence
from contextlib import contextmanager, redirect_stdout
from typing import Any

import numpy as np
import onnxruntime
import torch
from transformers import PreTrainedModel

from models.config import ModelError
from models.runtime import Inputs, Outputs, TorchRuntime

_OPSET = 17
# How far class probabilities may differ from torch's.
TOLERANCE = 1e-3
# Shape of the traced example, and of the one on which both runtimes are compared.
_TRACED, _COMPARED = (2, 24), (3, 41)


class OnnxRuntime:
    """Executes an exported network."""

    def __init__(self, graph: bytes) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = torch.get_num_threads()
        options.inter_op_num_threads = 1
        # Idle threads sleep: other processes of the service need the cores.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
        self._outputs = [output.name for output in self._session.get_outputs()]

    def run(self, inputs: Inputs) -> Outputs:
        given = self._session.run(self._outputs, {name: tensor.numpy() for name, tensor in inputs.items()})
        return dict(zip(self._outputs, given, strict=True))


def export_to_onnx(model: PreTrainedModel, inputs: Sequence[str], outputs: Sequence[str]) -> OnnxRuntime:
    """The float32 CPU network in ONNX Runtime; raise ModelError if it cannot be exported or its outputs differ."""
    graph = io.BytesIO()
    example = _example(model, inputs, _TRACED)
    axes = {name: {0: "batch", 1: "tokens"} for name in (*inputs, *outputs)}
    try:
        with _quiet():
            torch.onnx.export(
                _Positional(model, inputs, outputs),
                tuple(example.values()),
                graph,  # type: ignore[arg-type]
                input_names=list(inputs),
                output_names=list(outputs),
                dynamic_axes=axes,
                opset_version=_OPSET,
                # The newer exporter takes half a minute or more.
                dynamo=False,
            )
        runtime = OnnxRuntime(graph.getvalue())
        difference = _difference(runtime, TorchRuntime(model, tuple(outputs)), _example(model, inputs, _COMPARED))
    except Exception as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise ModelError(f"the model cannot be run by ONNX Runtime: {reason}") from error
    if not difference <= TOLERANCE:
        raise ModelError(f"the model's outputs in ONNX Runtime differ by {difference:.4f} from those in torch")
    return runtime


class _Positional(torch.nn.Module):
    """The network with positional inputs, as tracing needs them."""

    def __init__(self, model: PreTrainedModel, inputs: Sequence[str], outputs: Sequence[str]) -> None:
        super().__init__()
        self._model: Any = model
        self._inputs, self._given = tuple(inputs), tuple(outputs)

    def forward(self, *tensors: torch.Tensor) -> tuple[torch.Tensor, ...]:
        given = self._model(**dict(zip(self._inputs, tensors, strict=True)))
        return tuple(getattr(given, name) for name in self._given)


def _example(model: PreTrainedModel, inputs: Sequence[str], shape: tuple[int, int]) -> Inputs:
    """Tokens in a grid of positions; the last row is half padding."""
    count, tokens = shape
    ids = torch.arange(count * tokens).reshape(shape) % (model.config.vocab_size - 8) + 5
    mask = torch.ones(shape, dtype=torch.long)
    mask[-1, tokens // 2 :] = 0
    left, upper = torch.arange(tokens) % 8 * 120, torch.arange(tokens) // 8 * 20
    boxes = torch.stack([left, upper, left + 100, upper + 15], dim=-1).expand(count, tokens, 4).contiguous()
    if model.config.model_type == "bros":
        boxes = boxes / 1000
    every = {"input_ids": ids, "attention_mask": mask, "bbox": boxes, "token_type_ids": torch.zeros_like(ids)}
    return {name: every[name] for name in inputs}


def _difference(one: OnnxRuntime, other: TorchRuntime, inputs: Inputs) -> float:
    """The largest difference between two runtimes' probabilities, ignoring padding."""
    seen = inputs["attention_mask"].bool().numpy()
    ours, theirs = one.run(inputs), other.run(inputs)
    pairs = [(_probabilities(ours[name])[seen], _probabilities(theirs[name])[seen]) for name in ours]
    return max(float(np.abs(a - b).max()) for a, b in pairs)


def _probabilities(logits: Any) -> Any:
    return torch.softmax(torch.from_numpy(logits), dim=-1).numpy()


@contextmanager
def _quiet() -> Any:
    """Silence the exporter, which prints and warns about every shape that it traces."""
    with warnings.catch_warnings(), redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        yield
