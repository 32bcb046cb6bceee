"""torch: any network, on any device."""

from typing import Any

import numpy.typing as npt
import torch
from transformers import PreTrainedModel

from models.runtime import Inputs, Outputs


class TorchRuntime:
    """A transformers model on the device and in the precision it was loaded with."""

    def __init__(self, model: PreTrainedModel, outputs: tuple[str, ...] = ("logits",)) -> None:
        self._model = model.train(False)
        self._outputs = outputs

    @torch.inference_mode()
    def run(self, inputs: Inputs) -> Outputs:
        given = self._model(**{name: self._moved(values) for name, values in inputs.items()})
        return {name: getattr(given, name).float().cpu().numpy() for name in self._outputs}

    def _moved(self, values: npt.NDArray[Any]) -> torch.Tensor:
        tensor = torch.from_numpy(values)
        dtype = self._model.dtype if tensor.is_floating_point() else tensor.dtype
        return tensor.to(self._model.device, dtype)
