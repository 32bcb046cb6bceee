"""What executes a network: torch here, ONNX Runtime in `models/runtime_onnx.py`."""

from typing import Protocol

import numpy as np
import numpy.typing as npt
import torch
from transformers import PreTrainedModel

Inputs = dict[str, torch.Tensor]
Outputs = dict[str, npt.NDArray[np.float32]]


class Runtime(Protocol):
    """Executes a network."""

    def run(self, inputs: Inputs) -> Outputs:
        """The network's outputs by name, for inputs by name: tensors in CPU memory."""
        ...


class TorchRuntime:
    """A transformers model on the device and in the precision it was loaded with."""

    def __init__(self, model: PreTrainedModel, outputs: tuple[str, ...] = ("logits",)) -> None:
        self._model = model.train(False)
        self._outputs = outputs

    @torch.inference_mode()
    def run(self, inputs: Inputs) -> Outputs:
        given = self._model(**{name: self._moved(tensor) for name, tensor in inputs.items()})
        return {name: getattr(given, name).float().cpu().numpy() for name in self._outputs}

    def _moved(self, tensor: torch.Tensor) -> torch.Tensor:
        dtype = self._model.dtype if tensor.is_floating_point() else tensor.dtype
        return tensor.to(self._model.device, dtype)
