"""What the network that finds lines sees of a picture: strips across it, as few as its print needs.

An engine prepares itself for each size of picture, which takes a third as long as looking at it, and a sheet is empty
for half of its length. So strips are equally long, and rows without print are in none.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
import numpy.typing as npt

from serve_app.documents.images.picture import Picture, in_grey

_LENGTH = 320
"""Pixels: a longer strip needs more memory, of shorter ones more is seen twice."""
_MARGIN = 32
"""Pixels beside what is looked for, about three lines: the network reads worse at the edge of what it sees."""
_FAINT = 16
"""Levels of grey between neighbours: less is the grain of paper."""
_FEWEST = 3
"""Pixels of print in a row. Fewer are specks."""
_SEAM = 2 / 3
"""A strip ends after at least so much of it."""


@dataclass(frozen=True, slots=True)
class Strip:
    """Pixels along a picture: from `start` to before `stop` is seen, from `first` to before `last` is looked for."""

    start: int
    stop: int
    first: int
    last: int


def strips(picture: Picture, axis: int) -> Iterator[Strip]:
    """The strips that show all print of a picture; `axis` is that along which they follow each other. All but the
    last end where there is least print, at best between two lines."""
    edges = _edges(picture, axis)
    length, first = len(edges), 0
    while len(rows := np.flatnonzero(edges[first:] >= _FEWEST)):
        start, end = max(first + int(rows[0]) - _MARGIN, 0), min(first + int(rows[-1]) + 1 + _MARGIN, length)
        size = min(_LENGTH, length)
        start = min(start, length - size)
        stop = start + size
        last = length if stop >= end else _seam(edges, start + int(size * _SEAM), stop - _MARGIN)
        yield Strip(start, stop, max(first, start), min(last, stop))
        first = last


def _edges(picture: Picture, axis: int) -> npt.NDArray[np.int64]:
    """How many pixels of each row, or column, differ from their neighbours, as those of print do."""
    steps = cv2.morphologyEx(in_grey(picture), cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    return cast(npt.NDArray[np.int64], np.count_nonzero(steps > _FAINT, axis=1 - axis))


def _seam(edges: npt.NDArray[np.int64], start: int, stop: int) -> int:
    """The last row with the least print."""
    return stop - 1 - int(np.argmin(edges[start:stop][::-1]))
