"""torch: any network, on any device."""

from collections.abc import Callable
from typing import Any

import numpy.typing as npt
import torch
from transformers import PreTrainedModel

from models.memory import HostMemory, Memory
from models.runtime import Inputs, Outputs, is_out_of_memory

GPU_TOKENS = 16_384
"""As many as the calls that are merged for a model have together (`actors.model_actor`)."""


class TorchRuntime:
    """A transformers model on the device and in the precision it was loaded with."""

    def __init__(self, model: PreTrainedModel, outputs: tuple[str, ...] = ("logits",)) -> None:
        self._model = model.train(False)
        self._outputs = outputs
        self.memory: Memory = GpuMemory(model.device) if model.device.type == "cuda" else HostMemory()

    def run(self, inputs: Inputs) -> Outputs:
        try:
            return self._run(inputs)
        except RuntimeError as error:
            if not is_out_of_memory(error):
                raise
            reason = str(error)
        # Not in the handler: until it ends, the error keeps all that was computed so far.
        torch.cuda.empty_cache()
        raise MemoryError(reason)

    @torch.inference_mode()
    def _run(self, inputs: Inputs) -> Outputs:
        given = self._model(**{name: self._moved(values) for name, values in inputs.items()})
        return {name: getattr(given, name).float().cpu().numpy() for name in self._outputs}

    def _moved(self, values: npt.NDArray[Any]) -> torch.Tensor:
        tensor = torch.from_numpy(values)
        dtype = self._model.dtype if tensor.is_floating_point() else tensor.dtype
        return tensor.to(self._model.device, dtype)


class GpuMemory:
    """The memory of a GPU, or this process's share of it (`models.network.keep_to_share`)."""

    most_tokens = GPU_TOKENS

    def __init__(self, device: torch.device) -> None:
        self._device = device

    @property
    def name(self) -> str:
        return str(self._device)

    def room(self) -> int:
        free, total = torch.cuda.mem_get_info(self._device)
        used, kept = torch.cuda.memory_allocated(self._device), torch.cuda.memory_reserved(self._device)
        share = torch.cuda.get_per_process_memory_fraction(self._device)
        # What torch keeps and does not use is free for it, too.
        return max(0, int(min(share * total, free + kept)) - used)

    def peak(self, work: Callable[[], object]) -> int:
        torch.cuda.reset_peak_memory_stats(self._device)
        work()
        return int(torch.cuda.max_memory_allocated(self._device))
