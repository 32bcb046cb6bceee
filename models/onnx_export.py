"""Exports a torch network as an ONNX graph (a second or two)."""

import io
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from transformers import PreTrainedModel

from models.config import ModelError
from models.runtime import PIXELS, Inputs
from models.runtime_onnx import OnnxRuntime
from models.runtime_torch import TorchRuntime

_OPSET = 17
# How far class probabilities may differ from torch's.
TOLERANCE = 1e-3
# Shape of the traced example, and of the one on which both runtimes are compared.
_TRACED, _COMPARED = (2, 24), (3, 41)


def export_to_onnx(model: PreTrainedModel, inputs: Sequence[str], outputs: Sequence[str]) -> OnnxRuntime:
    """The float32 CPU network in ONNX Runtime; raise ModelError if it cannot be exported or its outputs differ."""
    try:
        runtime = OnnxRuntime(traced(model, inputs, outputs))
        difference = _difference(runtime, TorchRuntime(model, tuple(outputs)), _example(model, inputs, _COMPARED))
    except Exception as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise ModelError(f"the model cannot be run by ONNX Runtime: {reason}") from error
    if not difference <= TOLERANCE:
        raise ModelError(f"the model's outputs in ONNX Runtime differ by {difference:.4f} from those in torch")
    return runtime


def traced(model: PreTrainedModel, inputs: Sequence[str], outputs: Sequence[str], *, is_folded: bool = True) -> bytes:
    """The graph of a network for any number of windows and tokens. Weights keep their names, shapes and values unless
    the graph `is_folded`."""
    graph = io.BytesIO()
    axes = {name: {0: "batch"} | ({} if name == PIXELS else {1: "tokens"}) for name in (*inputs, *outputs)}
    with _quiet():
        torch.onnx.export(
            _Positional(model, inputs, outputs),
            tuple(torch.from_numpy(values) for values in _example(model, inputs, _TRACED).values()),
            graph,  # type: ignore[arg-type]
            input_names=list(inputs),
            output_names=list(outputs),
            dynamic_axes=axes,
            opset_version=_OPSET,
            do_constant_folding=is_folded,
            # The newer exporter takes half a minute or more.
            dynamo=False,
        )
    return graph.getvalue()


WRAPPED = "model."
"""What stands before the names of a traced network's weights."""


class _Positional(torch.nn.Module):
    """The network with positional inputs, as tracing needs them."""

    def __init__(self, model: PreTrainedModel, inputs: Sequence[str], outputs: Sequence[str]) -> None:
        super().__init__()
        self.model: Any = model
        self._inputs, self._given = tuple(inputs), tuple(outputs)

    def forward(self, *tensors: torch.Tensor) -> tuple[torch.Tensor, ...]:
        given = self.model(**dict(zip(self._inputs, tensors, strict=True)))
        return tuple(getattr(given, name) for name in self._given)


def _example(model: PreTrainedModel, inputs: Sequence[str], shape: tuple[int, int]) -> Inputs:
    """Tokens in a grid of positions; the last row is half padding."""
    count, tokens = shape
    ids = np.arange(count * tokens).reshape(shape) % (model.config.vocab_size - 8) + 5
    mask = np.ones(shape, np.int64)
    mask[-1, tokens // 2 :] = 0
    left, upper = np.arange(tokens) % 8 * 120, np.arange(tokens) // 8 * 20
    boxes = np.broadcast_to(np.stack([left, upper, left + 100, upper + 15], axis=-1), (count, tokens, 4)).copy()
    every: Inputs = {"input_ids": ids, "attention_mask": mask, "bbox": boxes, "token_type_ids": np.zeros_like(ids)}
    if PIXELS in inputs:
        side = model.config.input_size
        every[PIXELS] = np.zeros((count, model.config.num_channels, side, side), np.float32)
    if model.config.model_type == "bros":
        every["bbox"] = (boxes / 1000).astype(np.float32)
    return {name: every[name] for name in inputs}


def _difference(one: OnnxRuntime, other: TorchRuntime, inputs: Inputs) -> float:
    """The largest difference between two runtimes' probabilities, ignoring padding."""
    seen = inputs["attention_mask"].astype(bool)
    ours, theirs = one.run(inputs), other.run(inputs)
    pairs = [(_probabilities(ours[name])[seen], _probabilities(theirs[name])[seen]) for name in ours]
    return max(float(np.abs(a - b).max()) for a, b in pairs)


def _probabilities(logits: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    probabilities: npt.NDArray[np.float32] = torch.softmax(torch.from_numpy(logits), dim=-1).numpy()
    return probabilities


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence the exporter, which prints and warns about every shape that it traces."""
    with warnings.catch_warnings(), redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        yield
