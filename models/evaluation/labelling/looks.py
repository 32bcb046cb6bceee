"""What a document looks like, as a vector: documents of one layout or issuer point in the same direction.

No model is asked, so that documents resemble each other also where the models do not know them.
"""

from collections.abc import Iterable, Iterator
from zlib import crc32

import numpy as np
import numpy.typing as npt

from serve_app.domain.document import Document, Page, Word

Floats = npt.NDArray[np.float32]

_COLUMNS, _ROWS = 6, 8
_GRAMS, _WORDS = 256, 512
"""Numbers for the letters of the issuer and for words; several share one."""
_TOP = 0.25
"""The part of the first page that names its issuer."""


def looks_of(document: Document) -> Floats:
    """A vector of length 1, all zeros without words: where the words of the first page are, which words these are, and
    the letters at its top. No number is negative, so that likenesses are between 0 and 1."""
    words = [word for page in document.pages[:1] for word in page.words]
    top = (word.text for word in words if word.box.y_center < _TOP)
    parts = (
        _places(document.pages[:1]),
        _counts(_grams(top), _GRAMS),
        _counts(filter(None, (_letters(word.text) for word in words)), _WORDS),
    )
    return _unit(np.concatenate([_unit(np.sqrt(part)) for part in parts]))


def _places(pages: Iterable[Page]) -> Floats:
    """How many words are in each cell of a grid."""
    grid = np.zeros((_ROWS, _COLUMNS), np.float32)
    for page in pages:
        for word in page.words:
            grid[_cell_of(word)] += 1
    return grid.ravel()


def _cell_of(word: Word) -> tuple[int, int]:
    return _cell(word.box.y_center, _ROWS), _cell(word.box.x_center, _COLUMNS)


def _cell(place: float, count: int) -> int:
    return min(max(int(place * count), 0), count - 1)


def _counts(texts: Iterable[str], size: int) -> Floats:
    found = np.zeros(size, np.float32)
    for text in texts:
        found[crc32(text.encode()) % size] += 1
    return found


def _grams(texts: Iterable[str]) -> Iterator[str]:
    """Sets of three letters, which survive misread ones."""
    for text in texts:
        letters = _letters(text)
        yield from (letters[start : start + 3] for start in range(len(letters) - 2))


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, text.casefold()))


def _unit(vector: Floats) -> Floats:
    length = float(np.linalg.norm(vector))
    return vector / np.float32(length) if length else vector
