"""Words in scripts that are written from right to left: files have their letters in either order, or in pieces."""

import numpy as np
from numpy.typing import NDArray

from serve_app.documents.pdf.projection import Boxes

# Hebrew, Arabic and their neighbours, and the forms of their letters.
_BLOCKS = ((0x0590, 0x08FF), (0xFB1D, 0xFDFF), (0xFE70, 0xFEFE))
_DIGITS = (*range(0x0660, 0x066A), *range(0x06F0, 0x06FA))
_OTHERS = np.array([*(code for code in range(_BLOCKS[0][0]) if chr(code).isalnum()), *_DIGITS], np.uint32)
# Letters that no space parts are at most so many heights apart in the file's order.
_REACH = 6.0
_GAP = 0.2
# Parts of a ligature's box meet exactly.
_SAME = 1e-5


def right_to_left(codes: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Which characters are letters of such a script."""
    found = np.zeros(len(codes), bool)
    for first, last in _BLOCKS:
        found |= (codes >= first) & (codes <= last)
    return found


def join_pieces(
    codes: NDArray[np.uint32], boxes: Boxes, separates: NDArray[np.bool_], starts: NDArray[np.bool_]
) -> None:
    """Take back where words start at a letter whose word the file has in pieces: no space separates it from another one
    on its line, or only one that PDFium put in, without width, where there is no gap. `boxes` are in points."""
    inside = np.flatnonzero(~separates)
    letters, here = right_to_left(codes[inside]), boxes[inside]
    middle, height = (here[:, 1] + here[:, 3]) / 2, here[:, 3] - here[:, 1]
    least = np.minimum(height[1:], height[:-1])
    apart = np.maximum(here[1:, 0] - here[:-1, 2], here[:-1, 0] - here[1:, 2])
    is_wide = separates & (boxes[:, 2] - boxes[:, 0] > _SAME)
    has_space = np.diff(np.cumsum(is_wide)[inside]) > 0
    reach = np.where(np.diff(inside) > 1, _GAP, _REACH) * least
    is_level = np.abs(middle[1:] - middle[:-1]) < least
    joined = letters[1:] & letters[:-1] & is_level & ~has_space & (apart < reach)
    starts[inside[1:][joined]] = False


def in_reading_order(codes: NDArray[np.uint32], boxes: Boxes, first: NDArray[np.intp]) -> NDArray[np.uint32]:
    """The characters of words, each beginning at one of `first`: the letters of such a script from right to left,
    wherever the file has them. Words with digits or letters of other scripts stay as they are."""
    letters = right_to_left(codes)
    if not letters.any():
        return codes
    ordered = codes.copy()
    others = np.isin(codes, _OTHERS)
    for start, end in zip(first.tolist(), [*first[1:].tolist(), len(codes)], strict=True):
        if letters[start:end].any() and not others[start:end].any():
            ordered[start:end] = codes[start:end][_from_right_to_left(boxes[start:end])]
    return ordered


def _from_right_to_left(boxes: Boxes) -> NDArray[np.intp]:
    """The order of characters by their right edges; the letters of a ligature, whose box they share, keep theirs."""
    width = boxes[:, 2] - boxes[:, 0]
    touches = np.abs(boxes[1:, 0] - boxes[:-1, 2]) < _SAME
    is_alike = (np.abs(boxes[1:, [1, 3]] - boxes[:-1, [1, 3]]) < _SAME).all(axis=1)
    is_part = touches & is_alike & (np.abs(width[1:] - width[:-1]) < _SAME)
    ligature = np.concatenate([[0], np.cumsum(~is_part)])
    edge = np.zeros(ligature[-1] + 1)
    np.maximum.at(edge, ligature, boxes[:, 2])
    return np.argsort(-edge[ligature], kind="stable")
