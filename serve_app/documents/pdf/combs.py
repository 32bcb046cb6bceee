"""Characters in boxes of their own, as forms ask for them: one word."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from serve_app.documents.pdf.projection import Boxes
from serve_app.domain.document import Word, union
from serve_app.domain.reading_order import group_lines

# A comb has this many characters at least, and its steps differ by at most this share.
_LEAST = 4
_UNEVEN = 0.2
# A wider step is that of a table, as a multiple of the height of a character.
_WIDEST = 2.5
# The widest step between two groups of boxes, as a multiple of the one within them.
_APART = 2.3
# A box is at most this many steps wide; the shape around all of them is none.
_BOX = 1.6


def with_combs_joined(words: Sequence[Word], shapes: Boxes, width: float, height: float) -> list[Word]:
    """The words of a page of `width` by `height` points, those of combs joined. `shapes` are what is drawn on it."""
    single = [index for index, word in enumerate(words) if len(word.text) == 1 and word.text.isalnum()]
    if len(single) < _LEAST or not len(shapes):
        return list(words)
    joined: dict[int, Word] = {}
    gone: set[int] = set()
    for line in group_lines([words[index].box for index in single]):
        for run in _runs([single[at] for at in line], words, shapes, width / height):
            joined[run[0]] = Word("".join(words[at].text for at in run), union(words[at].box for at in run))
            gone.update(run[1:])
    return [joined.get(index, word) for index, word in enumerate(words) if index not in gone]


def _runs(line: Sequence[int], words: Sequence[Word], shapes: Boxes, shape: float) -> Iterator[list[int]]:
    """Runs of characters, each with the edge of a box between it and the next one."""
    run: list[int] = []
    for index in line:
        if run and not _goes_on([words[at] for at in (*run, index)], shapes, shape):
            if len(run) >= _LEAST:
                yield run
            run = []
        run.append(index)
    if len(run) >= _LEAST:
        yield run


def _goes_on(run: Sequence[Word], shapes: Boxes, shape: float) -> bool:
    """Whether the last word is the next character of a comb; `shape` is the page's width over its height. Between
    groups of boxes, as of day, month and year, is more room, and the edges of two boxes."""
    steps = [after.box.x_center - before.box.x_center for before, after in pairwise(run)]
    before, after = run[-2:]
    edges = _edges_between(before, after, steps[0], shapes)
    if not edges or steps[0] * shape > _WIDEST * after.box.height:
        return False
    is_even = abs(steps[-1] - steps[0]) <= _UNEVEN * steps[0]
    return is_even or (steps[0] < steps[-1] <= _APART * steps[0] and edges[-1] - edges[0] > _UNEVEN * steps[0])


def _edges_between(before: Word, after: Word, step: float, shapes: Boxes) -> list[float]:
    """Where boxes begin or end between two characters, from left to right."""
    middle = after.box.y_center
    is_beside = (shapes[:, 1] < middle) & (shapes[:, 3] > middle) & (shapes[:, 2] - shapes[:, 0] < _BOX * step)
    edges: NDArray[np.float64] = shapes[is_beside][:, [0, 2]]
    is_between = (edges > before.box.x_center) & (edges < after.box.x_center)
    return sorted(edges[is_between].tolist())
