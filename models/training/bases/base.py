"""What a training needs of a network of other people, and the tokenizer's files."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

import torch

from models.encoding import COLUMN_GAP, NEW_LINE

TOKENIZER_FILES = ("tokenizer.json", "tokenizer_config.json")
# What `WordPieces` and masked words need, and the marks of layout, which no base has.
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", NEW_LINE, COLUMN_GAP)
# Standard deviation of the random vectors of tokens that a base does not know, as BERT begins with.
UNKNOWN_SPREAD = 0.02


class Base(Protocol):
    """A network with BERT's architecture that was trained on other texts."""

    def write_tokenizer(self, folder: Path, words: Iterable[str]) -> None:
        """Write its tokenizer's files to `folder`, the vocabulary cut to what `words` need most."""
        ...

    def weights(self, folder: Path) -> dict[str, torch.Tensor]:
        """Its weights by BERT's names, with a vector for each token of the tokenizer in `folder`, a random one if the
        base does not know it. ModuleNotFoundError if the base is missing."""
        ...


def write_settings(folder: Path) -> None:
    """Write what transformers needs to know of a tokenizer beside its `tokenizer.json`."""
    special = {"unk_token": "[UNK]", "pad_token": "[PAD]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    settings = {"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": 512, **special}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings, indent=1))
