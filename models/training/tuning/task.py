"""What fine-tuning has to know of a kind of model."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import torch
from transformers import PreTrainedModel

from models.network import NetworkFiles
from models.pretrained import load_weights
from models.training.labelled import Labelled

Batch = dict[str, torch.Tensor]
# The labelled document of a seed, always the same one.
Generate = Callable[[int], Labelled]
TOKENS_A_BATCH = 2048


class TuningTask(Protocol):
    """What a network learns from labelled documents, shown to it as its adapter shows documents in use."""

    @property
    def network(self) -> PreTrainedModel: ...

    def batches(self, generate: Generate, first_seed: int) -> Iterator[tuple[Batch, int]]:
        """Endless batches, each with the number of documents that it stands for: what the network's forward takes to
        compute its loss."""
        ...

    def write(self, folder: Path) -> dict[str, Any]:
        """Put into `folder` what the network needs besides its weights; return what its `user_config` needs besides
        adapter and checkpoint."""
        ...


def start_network(loader: Any, checkpoint: NetworkFiles, **changes: Any) -> PreTrainedModel:
    """The checkpoint's network to go on with, in full precision, loaded with an auto class of transformers; what
    does not fit `changes` of its configuration, such as the number of classes, starts anew. Raise ModelError if files
    are damaged."""
    network: PreTrainedModel = load_weights(
        loader, checkpoint.folder, dtype=torch.float32, ignore_mismatched_sizes=True, **changes
    )
    return network
