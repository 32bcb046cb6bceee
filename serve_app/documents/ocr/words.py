"""Group the characters of a line into words with boxes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import cast

import cv2
import numpy as np
import numpy.typing as npt

from serve_app.documents.images.picture import Picture, in_grey
from serve_app.documents.ocr.detection import Quad
from serve_app.documents.ocr.engine import SeenWord
from serve_app.documents.ocr.recognition import Letter

_WIDE_STEP = 1.7
_WIDE_BLANK = 0.45
"""Networks drop spaces. Two characters belong to different words if they are this many times the usual step apart and
the white between them is this share of the text's height: in monospaced print, neither alone is enough."""
_WIDER_BLANK = 0.27
"""Before a capital it is enough if the white is wider than usual in the line by this share of the text's height: of
61,000 places between letters, that parted 11 of 13 words whose space was lost and none that are one, but for "II"."""
_RULE = 0.75
"""A row of pixels with at least this share of ink is a rule."""
_LEAST_INK = 0.01
"""A row with less than this share of ink is blank."""
_AROUND = 0.08
"""Share of the ink's height that a font leaves free above and below it."""


@dataclass(frozen=True)
class _Line:
    """A line cut from its page: where it is, and which of its columns and rows have ink."""

    quad: Quad
    columns: npt.NDArray[np.bool_]
    rows: npt.NDArray[np.bool_]

    @property
    def width(self) -> int:
        return len(self.columns)

    def box(self, left: float, right: float) -> tuple[float, float, float, float]:
        """The part from `left` to `right` (fractions of the width), as high as the line's ink, on the page."""
        top, bottom = _ink_range(self.rows)
        margin = _AROUND * (bottom - top)
        points = [self._point(x, y) for x in (left, right) for y in (top - margin, bottom + margin)]
        (x0, y0), (x1, y1) = np.min(points, axis=0), np.max(points, axis=0)
        return float(x0), float(y0), float(x1), float(y1)

    def white(self, before: Letter, after: Letter) -> float:
        """The widest white between two characters, as a share of the height of the line's ink."""
        between = self.columns[int(before.position * self.width) : int(after.position * self.width)]
        ends = np.flatnonzero(np.concatenate(([True], between, [True])))
        top, bottom = _ink_range(self.rows)
        return float((np.diff(ends).max() - 1) / ((bottom - top) * len(self.rows)))

    def usual_white(self, letters: Sequence[Letter]) -> float:
        """The white between most neighbours that no space separates."""
        pairs = [pair for pair in pairwise(letters) if " " not in pair[0].text + pair[1].text]
        return float(np.median([self.white(*pair) for pair in pairs])) if pairs else 0.0

    def _point(self, x: float, y: float) -> npt.NDArray[np.float32]:
        top_left, top_right, bottom_right, bottom_left = self.quad
        above = top_left + (top_right - top_left) * np.float32(x)
        below = bottom_left + (bottom_right - bottom_left) * np.float32(x)
        return cast(npt.NDArray[np.float32], above + (below - above) * np.float32(y))


def boxes_on_page(
    quad: Quad, picture: Picture, edges: Sequence[tuple[float, float]]
) -> list[tuple[float, float, float, float]]:
    """The edges, in pixels of the page, of parts of a line that was cut from it at `quad`, each from its left to its
    right edge (fractions of the width), and as high as the line's ink."""
    line = _line(quad, picture)
    return [line.box(left, right) for left, right in edges]


def words_of_line(quad: Quad, picture: Picture, letters: Sequence[Letter]) -> list[SeenWord]:
    """The words of a line that was cut from its page at `quad`."""
    # The network reads some lines as nothing but spaces.
    if not any(letter.text.strip() for letter in letters):
        return []
    line = _line(quad, picture)
    step = _step(letters)
    parts = list(_parts(line, letters, step))
    between = [(before[-1].position + after[0].position) / 2 for before, after in pairwise(parts)]
    places = zip(parts, pairwise([0.0, *between, 1.0]), strict=True)
    return [
        _word(line, part, max(start, part[0].position - step), min(end, part[-1].position + step))
        for part, (start, end) in places
    ]


def _line(quad: Quad, picture: Picture) -> _Line:
    ink = _ink(picture)
    return _Line(quad, np.any(ink, axis=0), np.mean(ink, axis=1) > _LEAST_INK)


def rarer(grey: Picture) -> npt.NDArray[np.bool_]:
    """The print on a grey picture of a line: the rarer of dark and light."""
    _, dark = cv2.threshold(grey, 0, 1, cv2.THRESH_BINARY_INV + cv2.THRESH_OTSU)
    return cast(npt.NDArray[np.bool_], (dark > 0) != (dark.mean() > 0.5))


def _ink(picture: Picture) -> npt.NDArray[np.bool_]:
    """The print, without rules above and below it."""
    ink = rarer(in_grey(picture))
    ink[ink.mean(axis=1) > _RULE] = False
    return ink


def _ink_range(marks: npt.NDArray[np.bool_]) -> tuple[float, float]:
    """Start and end of the ink, as fractions."""
    places = np.flatnonzero(marks)
    return (float(places[0] / len(marks)), float((places[-1] + 1) / len(marks))) if len(places) else (0.0, 1.0)


def _parts(line: _Line, letters: Sequence[Letter], step: float) -> Iterator[list[Letter]]:
    """Split the characters into words."""
    part: list[Letter] = []
    for letter in letters:
        is_space = not letter.text.strip()
        if part and (is_space or _are_apart(line, letters, part[-1], letter, step)):
            yield part
            part = []
        if not is_space:
            part.append(letter)
    if part:
        yield part


def _step(letters: Sequence[Letter]) -> float:
    """The usual distance between neighbours, as a fraction of the line's width."""
    pairs = [(before, after) for before, after in pairwise(letters) if " " not in before.text + after.text]
    return float(np.median([after.position - before.position for before, after in pairs])) if pairs else 1.0


def _are_apart(line: _Line, letters: Sequence[Letter], before: Letter, after: Letter, step: float) -> bool:
    is_far = after.position - before.position >= _WIDE_STEP * step
    is_capital = after.text.isupper() and before.text.isalpha() and {before.text, after.text} != {"I"}
    if not is_far and not is_capital:
        return False
    white = line.white(before, after)
    if is_far and white > _WIDE_BLANK:
        return True
    return is_capital and white > _WIDER_BLANK and white > _WIDER_BLANK + line.usual_white(letters)


def _word(line: _Line, letters: Sequence[Letter], start: float, end: float) -> SeenWord:
    """The word whose ink lies between `start` and `end`, in fractions of the width."""
    first, last = int(start * line.width), max(int(end * line.width), int(start * line.width) + 1)
    left, right = _ink_range(line.columns[first:last])
    share = (last - first) / line.width
    box = line.box(first / line.width + left * share, first / line.width + right * share)
    return SeenWord("".join(letter.text for letter in letters), *box, _confidence(letters))


def _confidence(letters: Sequence[Letter]) -> float:
    """The confidence of the least certain character, squared: on degraded print, that measured how often words are
    right."""
    return min(letter.confidence for letter in letters) ** 2
