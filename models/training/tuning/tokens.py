"""Token classifiers: every word gets a tag."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from transformers import AutoModelForTokenClassification

from models.fused_attention import fuse_attention
from models.network import NetworkFiles
from models.shape import most_tokens
from models.token_inputs import TokenInputs
from models.training.drawn import drawn
from models.training.examples import TrainingBatches
from models.training.tuning.files import copy_beside
from models.training.tuning.task import TOKENS_A_BATCH, Batch, Generate, start_network
from serve_app.domain.labels import TAGS

# Documents from which batches of similar length are cut.
_POOL = 16


class TokenTask:
    """Teaches a token classifier the service's own tags, whatever its classes were."""

    def __init__(self, checkpoint: NetworkFiles, inputs: TokenInputs) -> None:
        classes = {"id2label": dict(enumerate(TAGS)), "label2id": {tag: index for index, tag in enumerate(TAGS)}}
        self.network = fuse_attention(start_network(AutoModelForTokenClassification, checkpoint, **classes))
        self._checkpoint = checkpoint
        self._inputs = inputs

    def batches(self, generate: Generate, first_seed: int) -> Iterator[tuple[Batch, int]]:
        """Windows with a tag for the first token of each word."""
        return iter(
            TrainingBatches(
                drawn(generate) if self._inputs.pixels else generate,
                self._inputs,
                token_budget=TOKENS_A_BATCH,
                first_seed=first_seed,
                window_size=most_tokens(self.network.config) - 2,
                pool=_POOL,
            )
        )

    def write(self, folder: Path) -> dict[str, Any]:
        """The tokenizer, and the image processor where there is one."""
        copy_beside(self._checkpoint.folder, folder)
        return {}
