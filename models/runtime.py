"""What executes a network: torch, ONNX Runtime or OpenVINO, each in a file of its own."""

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Inputs = dict[str, npt.NDArray[Any]]
Outputs = dict[str, npt.NDArray[np.float32]]


class Runtime(Protocol):
    """Executes a network."""

    def run(self, inputs: Inputs) -> Outputs:
        """The network's outputs by name, for inputs by name: integers of 64 bits, or float32."""
        ...
