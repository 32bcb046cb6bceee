"""Join the characters of a text layer into words."""

import unicodedata
from dataclasses import dataclass
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from serve_app.documents.pdf.characters import HYPHENS, Characters
from serve_app.documents.pdf.glyphs import in_raised_form, raised_digits, without_leaders
from serve_app.documents.pdf.projection import Boxes
from serve_app.documents.pdf.right_to_left import in_reading_order, join_pieces

# A gap wider than this share of the character height ends a word even if the file has no space.
WORD_GAP = 0.35
# Letters whose gaps are at least this share of their height are set apart on purpose ("C O L U M N"), and a gap of up
# to so many times that one is none between words, though PDFium takes it for a space.
_SET_APART = 0.08
_EVEN = 1.35
# Kerning makes the space between "A" and "A" so narrow that PDFium drops it. What is left is a gap of this share of the
# height between letters, whose neighbours touch: their gaps are smaller than the other share.
_LOST_SPACE = 0.1
_TOUCHING = 0.03
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
    page = np.array([width, height])
    characters = without_leaders(characters)
    starts = _starts(characters, page)
    _join_set_apart(characters, starts, page)
    _split_at_lost_spaces(characters, starts, page)
    join_pieces(characters.codes, characters.boxes * [*page, *page], characters.separates, starts)
    inside = ~characters.separates
    boxes, codes = characters.boxes[inside], characters.codes[inside]
    raised = raised_digits(codes, boxes * [*page, *page], characters.baselines[inside] * height)
    starts[np.flatnonzero(inside)[raised]] = False
    codes = in_raised_form(codes, raised)
    first = np.flatnonzero(starts[inside])
    if not len(first):
        return RawWords([], np.empty((0, 4)), first, np.empty(0))
    codes = in_reading_order(codes, boxes, first)
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


def _join_set_apart(characters: Characters, starts: NDArray[np.bool_], page: NDArray[np.float64]) -> None:
    """Take back where words start within one whose letters are set apart: a gap like the one beside it, inside a
    word. Where a word was joined, its gap tells about the next one."""
    inside = np.flatnonzero(~characters.separates)
    boxes = characters.boxes[inside]
    low, high = boxes[:, :2] * page, boxes[:, 2:] * page
    size = (high - low)[:, 1]
    gap = (low[1:, 0] - high[:-1, 0]) / size[1:]
    is_alike = (np.abs(low[1:, 1] - low[:-1, 1]) < 0.1 * size[1:]) & (np.abs(size[1:] - size[:-1]) < 0.1 * size[1:])
    is_wide = is_alike & (gap > _SET_APART) & (gap < WORD_GAP)
    if not is_wide.any():
        return
    while True:
        inner = np.where(is_wide & ~starts[inside][1:], gap, 0.0)
        near = np.maximum(np.concatenate([[0.0], inner[:-1]]), np.concatenate([inner[1:], [0.0]]))
        joined = is_wide & starts[inside][1:] & (gap < _EVEN * near)
        if not joined.any():
            return
        starts[inside[1:][joined]] = False


def _split_at_lost_spaces(characters: Characters, starts: NDArray[np.bool_], page: NDArray[np.float64]) -> None:
    """Start a word behind the one gap among letters that otherwise touch. Digits are left alone: a narrow gap between
    them groups thousands."""
    inside = np.flatnonzero(~characters.separates)
    boxes, codes = characters.boxes[inside] * [*page, *page], characters.codes[inside]
    height = boxes[:, 3] - boxes[:, 1]
    gap = np.where(starts[inside], np.inf, np.concatenate([[np.inf], (boxes[1:, 0] - boxes[:-1, 2]) / height[1:]]))
    for at in np.flatnonzero((gap > _LOST_SPACE) & (gap < WORD_GAP)).tolist():
        # Up to two gaps of the word on either side.
        beside = [
            *takewhile(np.isfinite, gap[at - 1 : max(at - 3, 0) : -1]),
            *takewhile(np.isfinite, gap[at + 1 : at + 3]),
        ]
        is_level = abs(boxes[at, 1] - boxes[at - 1, 1]) < _TOUCHING * height[at]
        if is_level and len(beside) > 1 and np.abs(beside).max() < _TOUCHING and _are_letters(codes[at - 1 : at + 1]):
            starts[inside[at]] = True


def _are_letters(codes: NDArray[np.uint32]) -> bool:
    return "".join(map(chr, codes.tolist())).isalpha()
