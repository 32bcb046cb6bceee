"""What the size, baseline and repetition of the glyphs of a text layer say: raised digits, and dot leaders."""

import re
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from serve_app.documents.pdf.characters import Characters
from serve_app.documents.pdf.projection import Boxes
from serve_app.domain.raised import RAISED_DIGITS

# The lower edge of a raised digit is above that of what it follows by at least this share of its height: of a smaller
# one, and of one of any size.
_SMALLER = 0.86
_HIGHER_IF_SMALLER = 0.15
_HIGHER = 0.3
# Its upper edge is at most this share of that height below the other's, and its lower edge at least so far below it.
_LOWER_TOP = 0.25
_OVERLAP = 0.2
# Its baseline is above the other's by at least this share of that height.
_ABOVE = 0.05
# It touches what it follows: the gap between them is at most this share of the other's height.
_TOUCHES = 0.3
# Dots that lead from a caption to its amount are white space. The last one may be the point of ".40".
_LEADER = re.compile(
    r"(?:\.\s*){4,}(?=\.\d\d(?![\d.,]))|(?:\.\s*){4,}(?!\d\d(?![\d.,]))|…{2,}|_{4,}(?=[^\s_])|(?<=[^\s_])_{4,}"
)
_ZERO = ord("0")


def without_leaders(characters: Characters) -> Characters:
    """The characters, of which those of leaders separate words."""
    text = characters.codes.astype("<u4").tobytes().decode("utf-32-le", "replace")
    leaders = [found.span() for found in _LEADER.finditer(text)]
    if not leaders:
        return characters
    separates = characters.separates.copy()
    for start, end in leaders:
        separates[start:end] = True
    return replace(characters, separates=separates)


def raised_digits(codes: NDArray[np.uint32], boxes: Boxes, baselines: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which characters are digits that are set smaller and higher than what they touch: footnote marks, or cents.

    `boxes` and `baselines` are in points. All of a raised run is compared with the character before it. Boxes are as
    high as their fonts, so that digits of another font may seem raised on the same baseline.
    """
    raised = np.zeros(len(codes), bool)
    heights = boxes[:, 3] - boxes[:, 1]
    rises = boxes[:-1, 3] - boxes[1:, 3] >= _HIGHER_IF_SMALLER * heights[:-1]
    for start in (np.flatnonzero(rises) + 1).tolist():
        for at in range(start, len(codes)):
            is_above = baselines[start - 1] - baselines[at] >= _ABOVE * heights[start - 1]
            if not is_above or not _is_raised(boxes[start - 1], boxes[at]) or not _touches(boxes, start, at):
                break
            raised[at] = True
    return raised & (codes >= _ZERO) & (codes <= _ZERO + 9)


def in_raised_form(codes: NDArray[np.uint32], raised: NDArray[np.bool_]) -> NDArray[np.uint32]:
    """The characters, with raised digits as Unicode superscripts."""
    if not raised.any():
        return codes
    forms = np.array([ord(form) for form in RAISED_DIGITS], np.uint32)
    changed = codes.copy()
    changed[raised] = forms[codes[raised] - _ZERO]
    return changed


def _is_raised(base: NDArray[np.float64], digit: NDArray[np.float64]) -> bool:
    height = base[3] - base[1]
    size = (digit[3] - digit[1]) / max(height, 1e-6)
    least = _HIGHER_IF_SMALLER if size <= _SMALLER else _HIGHER
    is_beside = digit[1] - base[1] <= _LOWER_TOP * height and digit[3] - base[1] >= _OVERLAP * height
    return bool(size <= 1.05 and base[3] - digit[3] >= least * height and is_beside)


def _touches(boxes: Boxes, start: int, at: int) -> bool:
    gap = boxes[at, 0] - boxes[at - 1, 2]
    height = boxes[start - 1, 3] - boxes[start - 1, 1]
    return bool(-height < gap <= _TOUCHES * height)
