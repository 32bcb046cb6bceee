"""Visible words that stand in one place, such as a value that an editor put over another one without hiding all of it.

Nobody can know which of them is meant.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from serve_app.documents.pdf.projection import Boxes
from serve_app.domain.document import DISPUTED, Word

# How much of the narrower and of the lower word lies under the other one: the boxes of lines touch, as do leaning
# letters and letters that stand close.
_LEAST_WIDTH = 0.3
_LEAST_HEIGHT = 0.7
# Stamps and marks across a page are larger than what they stand on.
_SAME_SIZE = 1.8
# Each word is compared with so many that begin below it: those of a line, on any page that people made.
_MOST_NEIGHBOURS = 500


def with_overlaps_disputed(words: Sequence[Word]) -> list[Word]:
    """The words, whose confidence is `DISPUTED` where another one of about their size says something else in the same
    place, and one of them has digits."""
    found = list(words)
    for index in _overlapping(words):
        found[index] = replace(found[index], confidence=min(found[index].confidence, DISPUTED))
    return found


def _overlapping(words: Sequence[Word]) -> set[int]:
    boxes = np.array([(word.box.x0, word.box.y0, word.box.x1, word.box.y1) for word in words]).reshape(-1, 4)
    has_digits = [any(map(str.isdecimal, word.text)) for word in words]
    order = np.argsort(boxes[:, 1], kind="stable")
    found: set[int] = set()
    for step in range(1, min(len(words), _MOST_NEIGHBOURS)):
        above, below = order[:-step], order[step:]
        # In this order, words of all later steps begin even lower.
        if not (boxes[below, 1] < boxes[above, 3]).any():
            break
        in_one_place = np.flatnonzero(_are_in_one_place(boxes[above], boxes[below])).tolist()
        for one, other in ((int(above[at]), int(below[at])) for at in in_one_place):
            if words[one].text != words[other].text and (has_digits[one] or has_digits[other]):
                found |= {one, other}
    return found


def _are_in_one_place(boxes: Boxes, others: Boxes) -> NDArray[np.bool_]:
    size, other_size = boxes[:, 2:] - boxes[:, :2], others[:, 2:] - others[:, :2]
    least = np.minimum(size, other_size)
    shared = np.minimum(boxes[:, 2:], others[:, 2:]) - np.maximum(boxes[:, :2], others[:, :2])
    is_over = (shared > least * (_LEAST_WIDTH, _LEAST_HEIGHT)).all(axis=1) & (least > 0).all(axis=1)
    has_one_size = np.maximum(size, other_size)[:, 1] < _SAME_SIZE * least[:, 1]
    in_one_place: NDArray[np.bool_] = is_over & has_one_size
    return in_one_place
