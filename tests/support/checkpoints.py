"""Tiny models with random weights: as quick to make as to load, for tests that need some model but no good one."""

from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, normalizers
from tokenizers.models import WordPiece
from transformers import (
    BertConfig,
    BertForTokenClassification,
    LayoutLMv3Config,
    LayoutLMv3ForTokenClassification,
    PreTrainedModel,
)

from models.encoding import COLUMN_GAP, NEW_LINE
from serve_app.domain.labels import TAGS

_CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789.,-/:%$"
_TOKENS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", NEW_LINE, COLUMN_GAP]


def write_layout_checkpoint(folder: Path, seed: int = 0) -> Path:
    """A checkpoint for the adapter `layout_tokens`."""
    torch.manual_seed(seed)
    config = LayoutLMv3Config(
        **_shape(), visual_embed=False, coordinate_size=4, shape_size=4, bos_token_id=2, eos_token_id=3
    )
    return _write(LayoutLMv3ForTokenClassification(config), folder)


def write_text_checkpoint(folder: Path, seed: int = 0) -> Path:
    """A checkpoint for the adapter `text_tokens`."""
    torch.manual_seed(seed)
    return _write(BertForTokenClassification(BertConfig(**_shape())), folder)


def _shape() -> dict[str, Any]:
    return {
        "vocab_size": len(_vocabulary()),
        "hidden_size": 24,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "intermediate_size": 32,
        "max_position_embeddings": 514,
        "pad_token_id": 0,
        "num_labels": len(TAGS),
        "id2label": dict(enumerate(TAGS)),
        "label2id": {tag: index for index, tag in enumerate(TAGS)},
    }


def _vocabulary() -> dict[str, int]:
    tokens = [*_TOKENS, *_CHARACTERS, *(f"##{character}" for character in _CHARACTERS)]
    return {token: index for index, token in enumerate(tokens)}


def _write(model: PreTrainedModel, folder: Path) -> Path:
    model.save_pretrained(folder)
    tokenizer = Tokenizer(WordPiece(_vocabulary(), unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder
