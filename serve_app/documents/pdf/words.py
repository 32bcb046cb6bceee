"""Join the characters of a text layer into words."""

import unicodedata
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from serve_app.documents.pdf.characters import HYPHENS, Characters
from serve_app.documents.pdf.projection import Boxes

# A gap wider than this share of the character height ends a word even if the file has no space.
WORD_GAP = 0.35
_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_REPLACED = str.maketrans({**dict.fromkeys(HYPHENS, "-"), **_LIGATURES})


@dataclass(frozen=True, slots=True)
class RawWords:
    """Words in the file's order. `first` is PDFium's index of each word's first character; `size` is that character's
    longer side in points, about the font size, whichever way the word runs."""

    texts: list[str]
    boxes: Boxes
    first: NDArray[np.intp]
    size: NDArray[np.float64]


def join_words(characters: Characters, width: float, height: float) -> RawWords:
    """The words of a page of `width` by `height` points."""
    starts = _starts(characters, np.array([width, height]))
    inside = ~characters.separates
    boxes, codes = characters.boxes[inside], characters.codes[inside]
    first = np.flatnonzero(starts[inside])
    if not len(first):
        return RawWords([], np.empty((0, 4)), first, np.empty(0))
    text = codes.astype("<u4").tobytes().decode("utf-32-le", "replace")
    ends = [*first[1:].tolist(), len(text)]
    texts = [_clean(text[start:end]) for start, end in zip(first.tolist(), ends, strict=True)]
    corners = np.minimum.reduceat(boxes[:, :2], first), np.maximum.reduceat(boxes[:, 2:], first)
    sizes = (boxes[first, 2:] - boxes[first, :2]) * (width, height)
    return RawWords(texts, np.hstack(corners).clip(0, 1), characters.index[inside][first], sizes.max(axis=1))


def _clean(text: str) -> str:
    if text.isascii() and "\x02" not in text:
        return text
    return unicodedata.normalize("NFC", text.translate(_REPLACED))


def _starts(characters: Characters, page: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which characters begin a word; one may run across the page, or up or down it."""
    starts = ~characters.separates
    low, high = characters.boxes[:, :2] * page, characters.boxes[:, 2:] * page
    center, size = (low + high) / 2, high - low
    aside = np.abs(center[1:] - center[:-1])
    least = np.minimum(size[1:], size[:-1])
    gap = low[1:] - high[:-1]
    gap[:, 1] = np.maximum(gap[:, 1], low[:-1, 1] - high[1:, 1])
    # Across: offset in y, gap in x, relative to the height; up or down: the other way round.
    follows = (
        (aside[:, ::-1] < 0.5 * least[:, ::-1]) & (gap > -1.5 * least[:, ::-1]) & (gap < WORD_GAP * least[:, ::-1])
    )
    starts[1:] &= characters.separates[:-1] | ~follows.any(axis=1)
    return starts
