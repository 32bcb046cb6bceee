"""What executes a network: torch, ONNX Runtime or OpenVINO, each in a file of its own."""

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from models.memory import Memory

PIXELS = "pixel_values"
"""The input that has no tokens: the picture of the page."""
Inputs = dict[str, npt.NDArray[Any]]
Outputs = dict[str, npt.NDArray[np.float32]]


class Runtime(Protocol):
    """Executes a network."""

    @property
    def memory(self) -> Memory | None:
        """Where a batch is held while it is computed; None if a window is computed at a time, whatever the batch."""
        ...

    def run(self, inputs: Inputs) -> Outputs:
        """The network's outputs by name, for inputs by name: integers of 64 bits, or float32. Raises MemoryError if
        memory does not suffice for a batch of this size."""
        ...


# What the libraries say; none has an error of its own for it on every device.
_OUT_OF_MEMORY = ("out of memory", "t allocate memory", "failed to allocate memory", "bad_alloc", "bad allocation")
_OF_CUDA = ("cublas_status_alloc_failed", "cudnn_status_alloc_failed")


def is_out_of_memory(error: Exception) -> bool:
    """Whether a library failed because it got no memory."""
    text = str(error).lower()
    return any(words in text for words in (*_OUT_OF_MEMORY, *_OF_CUDA))
