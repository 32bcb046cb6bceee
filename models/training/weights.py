"""The weights of a model in training: half precision for computing, full precision for updates and averaging.

Full-precision masters of half-precision weights: Micikevicius et al., "Mixed Precision Training", 2018. The moving
average reads better than the weights of any one step, and makes a run worth exporting whenever it stops: Izmailov et
al., "Averaging Weights Leads to Wider Optima and Better Generalization", 2018.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from transformers import PreTrainedModel

# The weight of the old average at each step; young averages follow faster (`_keep`).
KEEP = 0.9995


class TrainedWeights:
    """The trainable weights of `model`, which computes in `dtype` from now on."""

    def __init__(self, model: PreTrainedModel, dtype: torch.dtype) -> None:
        self.model = model
        self.updates = 0
        trained = {name: each for name, each in model.named_parameters() if each.requires_grad}
        self.masters = {
            name: torch.nn.Parameter(parameter.detach().float().clone()) for name, parameter in trained.items()
        }
        self.average = {name: master.detach().clone() for name, master in self.masters.items()}
        _cast(model, dtype)
        self._live: list[torch.Tensor] = [parameter for name, parameter in model.named_parameters() if name in trained]

    def take_gradients(self) -> None:
        """Copy the gradients of the last backward pass to the master weights, for the optimiser."""
        for master, live in zip(self.masters.values(), self._live, strict=True):
            master.grad = None if live.grad is None else live.grad.float()
            live.grad = None

    def publish(self) -> None:
        """Copy the updated master weights to the model, and update the average."""
        self.updates += 1
        masters = [master.detach() for master in self.masters.values()]
        torch._foreach_lerp_(list(self.average.values()), masters, 1 - self._keep())
        self._load(masters)

    @contextmanager
    def averaged(self) -> Iterator[PreTrainedModel]:
        """The model with the averaged weights, in full precision."""
        dtype = self.model.dtype
        _cast(self.model, torch.float32)
        self._load(list(self.average.values()))
        try:
            yield self.model
        finally:
            _cast(self.model, dtype)
            self._load([master.detach() for master in self.masters.values()])

    def state(self) -> dict[str, Any]:
        """What `restore` takes."""
        masters = {name: master.detach() for name, master in self.masters.items()}
        return {"masters": masters, "average": self.average, "updates": self.updates}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a `state`; KeyError if it is of another architecture."""
        for name, master in self.masters.items():
            master.data.copy_(state["masters"][name])
            self.average[name].copy_(state["average"][name])
        self.updates = state["updates"]
        self._load([master.detach() for master in self.masters.values()])

    def _keep(self) -> float:
        return min(KEEP, (1 + self.updates) / (10 + self.updates))

    @torch.no_grad()
    def _load(self, values: list[torch.Tensor]) -> None:
        torch._foreach_copy_(self._live, values)


def _cast(model: PreTrainedModel, dtype: torch.dtype) -> None:
    torch.nn.Module.to(model, dtype=dtype)
