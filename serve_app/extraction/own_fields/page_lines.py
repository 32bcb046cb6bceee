"""The words of pages in lines, with what is set apart from what."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from serve_app.domain.evidence import Evidence, PageWords, fractions
from serve_app.domain.folding import folded
from serve_app.domain.invoice import Citation
from serve_app.extraction.dates.dates import Order, possible_orders
from serve_app.extraction.notation.numbers import Style, decimal_style

_GAP = 2.2
"""Words that are further apart than so many letters belong to different columns."""
_SPACE = 1.1
"""Words of one heading are at most so many letters apart: columns of short headings stand close together."""


class Word(NamedTuple):
    """A word of a page, its letters in the form in which captions are compared, and its box in `evidence.UNITS`."""

    text: str
    letters: str
    x0: int
    y0: int
    x1: int
    y1: int
    number: int

    @property
    def middle(self) -> int:
        return (self.y0 + self.y1) // 2

    @property
    def has_digit(self) -> bool:
        return any(map(str.isdigit, self.text))

    @property
    def ends_caption(self) -> bool:
        return self.text.endswith((":", "："))


Line = Sequence[Word]


class Start(NamedTuple):
    """Where a value may begin: a page, the number of the line on it, and of the word in the line."""

    page: int
    line: int
    word: int


class PageLines:
    """The lines of one page."""

    def __init__(self, page: PageWords) -> None:
        self.page = page
        self.lines = list(_lines_of(page))

    def segment(self, line: int, word: int) -> Line:
        """The words from this one on that are not set apart from each other."""
        words = self.lines[line]
        end = word + 1
        while end < len(words) and not is_gap(words[end - 1], words[end]):
            end += 1
        return words[word:end]

    def starts(self) -> Iterator[tuple[int, int]]:
        """Every word: the number of its line, and its place in it."""
        return ((number, word) for number, line in enumerate(self.lines) for word in range(len(line)))

    def citation(self, words: Line) -> Citation:
        """Where these neighbouring words are printed."""
        boxes = [self.page.boxes[4 * word.number : 4 * word.number + 4] for word in words]
        x0, y0, x1, y1 = (of(corner) for of, corner in zip((min, min, max, max), zip(*boxes, strict=True), strict=True))
        return Citation(
            page=self.page.page, box=fractions((x0, y0, x1, y1)), text=" ".join(word.text for word in words)
        )


class Pages:
    """The pages of an invoice, and how numbers and days are written on them."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        self.by_number = {page.page: PageLines(page) for page in evidence.pages}

    @cached_property
    def style(self) -> Style:
        """Of numbers."""
        return decimal_style(word for page in self._evidence.pages for word in page.words)

    @cached_property
    def orders(self) -> tuple[Order, ...]:
        """Those in which day and month may stand."""
        lines = (" ".join(word.text for word in line) for page in self.by_number.values() for line in page.lines)
        return possible_orders(lines, month_first_hint=False)


def letters_of(text: str) -> str:
    """Only its letters, without case and accents."""
    return "".join(filter(str.isalpha, folded(text)))


def is_gap(one: Word, other: Word) -> bool:
    """Whether two neighbours of a line are set apart."""
    return _letters_between(one, other) > _GAP


def is_space(one: Word, other: Word) -> bool:
    """Whether two neighbours of a line may be words of one heading."""
    return _letters_between(one, other) <= _SPACE


def _letters_between(one: Word, other: Word) -> float:
    letter = (one.x1 - one.x0 + other.x1 - other.x0) / max(len(one.text) + len(other.text), 1)
    return (other.x0 - one.x1) / max(letter, 1)


def _lines_of(page: PageWords) -> Iterator[list[Word]]:
    """A line begins left of where the one before ended, or below it."""
    line: list[Word] = []
    for word in _words_of(page):
        if line and (word.x0 < line[-1].x0 or _is_below(line[-1], word)):
            yield line
            line = []
        line.append(word)
    if line:
        yield line


def _is_below(one: Word, other: Word) -> bool:
    smaller = min(one.y1 - one.y0, other.y1 - other.y0)
    return abs(other.middle - one.middle) > smaller


def _words_of(page: PageWords) -> Iterator[Word]:
    # On a turned page, lines are straight in these boxes alone.
    flat = iter(page.upright or page.boxes)
    boxes = zip(flat, flat, flat, flat, strict=True)
    for index, (text, (x0, y0, x1, y1)) in enumerate(zip(page.words, boxes, strict=True)):
        yield Word(text, letters_of(text), x0, y0, x1, y1, index)
