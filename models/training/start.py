"""What training starts from: layers and words of a base (`models.training.bases`), or an already trained model."""

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from transformers import (
    AutoModelForTokenClassification,
    BertConfig,
    BertForTokenClassification,
    LayoutLMv3Config,
    LayoutLMv3ForTokenClassification,
    PreTrainedModel,
)

from models.pretrained import load_weights
from models.training.bases import TOKENIZER_FILES, Base, minilm
from serve_app.domain.labels import TAGS

POSITIONS = 514
_LABELS: dict[str, Any] = {
    "num_labels": len(TAGS),
    "id2label": dict(enumerate(TAGS)),
    "label2id": {t: i for i, t in enumerate(TAGS)},
}


@dataclass(frozen=True, slots=True)
class Body:
    """The size of a network: `layers` are those of the `base` that it consists of, in order; `width` numbers stand for
    a token; `positions` is how many tokens it can tell apart. A body that is not `pretrained`, or of another width
    than the base, keeps only the base's words, projected on their principal components where it is narrower."""

    base: Base = minilm
    layers: tuple[int, ...] = (0, 1, 2, 3, 4, 5)
    width: int = 384
    positions: int = POSITIONS
    pretrained: bool = True


_HEAD_WIDTH = 32
_WORDS = "embeddings.word_embeddings.weight"
_POSITIONS = "embeddings.position_embeddings.weight"


def layout_model(folder: Path, body: Body) -> PreTrainedModel:
    """LayoutLMv3's architecture without pixels (Huang et al., 2022) on a body."""
    base = body.base.weights(folder)
    shape: dict[str, Any] = {
        "coordinate_size": body.width // 6,
        "shape_size": body.width // 6,
        "visual_embed": False,
        "max_2d_position_embeddings": 1024,
    }
    config = LayoutLMv3Config(**_settings(body, len(base[_WORDS])), **shape, **_LABELS, bos_token_id=2, eos_token_id=3)
    model = LayoutLMv3ForTokenClassification(config)
    _load_base(model, base, body, prefix="layoutlmv3.", first_position=1)
    return model


def text_model(folder: Path, body: Body) -> PreTrainedModel:
    """BERT (Devlin et al., 2018) on a body."""
    base = body.base.weights(folder)
    model = BertForTokenClassification(BertConfig(**_settings(body, len(base[_WORDS])), **_LABELS))
    _load_base(model, base, body, prefix="bert.", first_position=0)
    return model


def start_from(checkpoint: Path, folder: Path) -> PreTrainedModel:
    """A model of this project to continue from, in full precision; its tokenizer is copied to `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in TOKENIZER_FILES:
        shutil.copy(checkpoint / name, folder / name)
    model: PreTrainedModel = load_weights(AutoModelForTokenClassification, checkpoint, dtype=torch.float32)
    return model


def _settings(body: Body, words: int) -> dict[str, Any]:
    return {
        "vocab_size": words,
        "hidden_size": body.width,
        "num_hidden_layers": len(body.layers),
        "num_attention_heads": body.width // _HEAD_WIDTH,
        "intermediate_size": 4 * body.width,
        "max_position_embeddings": body.positions,
        "layer_norm_eps": 1e-12,
        "pad_token_id": 0,
        # Every document is new, so there is no overfitting for dropout to prevent.
        "hidden_dropout_prob": 0.0,
        "attention_probs_dropout_prob": 0.0,
    }


def _load_base(
    model: PreTrainedModel, base: dict[str, torch.Tensor], body: Body, *, prefix: str, first_position: int
) -> None:
    state = model.state_dict()
    state[prefix + _WORDS].copy_(_narrowed(base[_WORDS], body.width))
    if not body.pretrained or body.width != base[_POSITIONS].shape[1]:
        return
    for name, tensor in _layers_of(base, body.layers).items():
        target = state.get(prefix + name)
        if target is not None and target.shape == tensor.shape:
            target.copy_(tensor)
    positions = base[_POSITIONS]
    count = min(len(positions), body.positions - first_position)
    state[prefix + _POSITIONS][first_position : first_position + count].copy_(positions[:count])


def _layers_of(base: dict[str, torch.Tensor], layers: tuple[int, ...]) -> dict[str, torch.Tensor]:
    """The base without its words and the layers left out; those kept are numbered anew."""
    kept = {name: tensor for name, tensor in base.items() if ".layer." not in name and "word_embeddings" not in name}
    for number, layer in enumerate(layers):
        start = f"encoder.layer.{layer}."
        for name, tensor in base.items():
            if name.startswith(start):
                kept[f"encoder.layer.{number}.{name.removeprefix(start)}"] = tensor
    return kept


def _narrowed(words: torch.Tensor, width: int) -> torch.Tensor:
    """The first `width` principal components of the words' vectors, of shape (words, width)."""
    if width == words.shape[1]:
        return words
    _, _, components = torch.linalg.svd(words - words.mean(dim=0), full_matrices=False)
    narrowed: torch.Tensor = words @ components[:width].T
    return narrowed
