"""Where a value is printed, in terms that hold for the vendor's next invoice, too."""

import re
from collections.abc import Sequence

from serve_app.domain.evidence import UNITS, Evidence, PageWords
from serve_app.domain.memory import ValuePosition

Corners = tuple[int, int, int, int]

# Captions are this near, in units of the page.
_BEFORE = 3500
_ABOVE = 600
_WORDS = 3
_NOT_LETTERS = re.compile(r"[\W\d_]+")
# Values of forms stay about where they are; sums move down with the lines above.
_NEAR_X, _NEAR_Y = 600, 250


class PagePositions:
    """The words of an invoice's pages, and where they are."""

    def __init__(self, evidence: Evidence) -> None:
        self._words = {page.page: _words_of(page) for page in evidence.pages}
        self._seen: dict[tuple[int, Corners], ValuePosition] = {}
        self._last = max(self._words, default=1)

    def at(self, number: int, box: Sequence[int]) -> ValuePosition | None:
        """What is seen at a box of a page; None if the page is not known."""
        if number not in self._words:
            return None
        x0, y0, x1, y1 = box
        place = number, (x0, y0, x1, y1)
        if place not in self._seen:
            words = self._words[number]
            self._seen[place] = ValuePosition(
                before=_before(words, x0, y0, y1),
                above=_above(words, x0, y0, x1),
                page=number - 1,
                from_last=self._last - number,
                x=(x0 + x1) // 2,
                y=(y0 + y1) // 2,
            )
        return self._seen[place]


def _words_of(page: PageWords) -> list[tuple[Corners, str]]:
    flat = iter(page.boxes)
    return list(zip(zip(flat, flat, flat, flat, strict=True), page.words, strict=True))


def _before(words: Sequence[tuple[Corners, str]], x0: int, y0: int, y1: int) -> str:
    middle = (y0 + y1) // 2
    found = [
        (box[0], word)
        for box, word in words
        if box[1] < middle < box[3] and box[2] <= x0 + 20 and x0 - box[2] < _BEFORE
    ]
    return _caption([word for _, word in sorted(found)[-_WORDS:]])


def _above(words: Sequence[tuple[Corners, str]], x0: int, y0: int, x1: int) -> str:
    found = [
        (box[3], box[0], word)
        for box, word in words
        if box[3] <= y0 + 20 and y0 - box[3] < _ABOVE and box[0] < x1 and box[2] > x0
    ]
    if not found:
        return ""
    lowest = max(found)[0]
    line = sorted((x, word) for bottom, x, word in found if lowest - bottom < 60)
    return _caption([word for _, word in line[:_WORDS]])


def _caption(words: Sequence[str]) -> str:
    return " ".join(filter(None, (_NOT_LETTERS.sub("", word).casefold() for word in words)))


def same_caption(one: ValuePosition, other: ValuePosition) -> bool:
    """Whether the words before them are the same, or those above."""
    return bool(one.before and one.before == other.before) or bool(
        not one.before and not other.before and one.above and one.above == other.above
    )


def same_place(one: ValuePosition, other: ValuePosition) -> bool:
    """Whether they are about at the same place of the first, or the last, page."""
    is_near = abs(one.x - other.x) < _NEAR_X and abs(one.y - other.y) < _NEAR_Y
    return is_near and (one.page == other.page or one.from_last == other.from_last)


def alike(one: ValuePosition, other: ValuePosition) -> bool:
    """Whether two values stand for the same thing: after the same caption or, without any, at the same place."""
    if one.before or other.before or one.above or other.above:
        return same_caption(one, other)
    return same_place(one, other)


def corners(box: Sequence[float]) -> Corners:
    """The box of a citation in units of the page."""
    x0, y0, x1, y1 = (round(corner * UNITS) for corner in box)
    return x0, y0, x1, y1


def shape_of(value: str) -> str:
    """`INV-0042` is `AAA-9999`."""
    return re.sub(r"[^\W\d_]", "A", re.sub(r"\d", "9", value))
