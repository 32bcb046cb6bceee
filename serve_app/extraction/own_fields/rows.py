"""The rows of the lines on their pages, and which of their words are values that the service has read."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import takewhile
from typing import NamedTuple

from serve_app.domain.evidence import UNITS
from serve_app.domain.invoice import Citation, LineItem
from serve_app.extraction.notation.numbers import parse_number
from serve_app.extraction.own_fields.page_lines import Line, PageLines, Pages, Word

_NUMBERS = ("quantity", "unit_price", "tax_rate", "total")
_LAST = frozenset({"tax_rate", "total"})
"""Of equal numbers in a row, these are the right ones."""


class Row(NamedTuple):
    """A line item as it is printed: the numbers of the lines of its page, and the first word of each value that was
    read. `table` is the number of the line with which the first row of the page begins."""

    page: PageLines
    lines: range
    cells: Mapping[str, Word]
    table: int

    def words(self) -> Iterator[tuple[int, int, Word]]:
        """Each word, with the number of its line and its place in it."""
        for number in self.lines:
            for place, word in enumerate(self.page.lines[number]):
                yield number, place, word

    def is_known(self, word: Word) -> bool:
        """Whether a value that was read begins with it."""
        return word in self.cells.values()


def rows_of(pages: Pages, items: Sequence[LineItem], places: Sequence[Citation | None]) -> list[Row | None]:
    """The rows of these line items, which are printed there; None where that is not known."""
    spans = [_span(pages, place) for place in places]
    tables: dict[int, int] = {}
    for span in filter(None, spans):
        tables[span.page] = min(span.first, tables.get(span.page, span.first))
    return [
        None if span is None else _row(pages, item, span, _next(spans, number), tables[span.page])
        for number, (item, span) in enumerate(zip(items, spans, strict=True))
    ]


class _Span(NamedTuple):
    page: int
    first: int
    last: int


def _span(pages: Pages, place: Citation | None) -> _Span | None:
    """From which line of its page to which a row is cited."""
    page = None if place is None else pages.by_number.get(place.page)
    if place is None or page is None:
        return None
    lines = [number for number, line in enumerate(page.lines) if any(_is_inside(page, word, place) for word in line)]
    return _Span(place.page, lines[0], lines[-1]) if lines else None


def _is_inside(page: PageLines, word: Word, place: Citation) -> bool:
    left, top, right, bottom = page.page.boxes[4 * word.number : 4 * word.number + 4]
    x0, y0, x1, y1 = (corner * UNITS for corner in place.box)
    return x0 <= (left + right) / 2 <= x1 and y0 <= (top + bottom) / 2 <= y1


def _next(spans: Sequence[_Span | None], number: int) -> _Span | None:
    span = spans[number]
    after = (each for each in spans[number + 1 :] if each is not None)
    found = next(after, None)
    return found if span and found and found.page == span.page and found.first > span.last else None


def _row(pages: Pages, item: LineItem, span: _Span, following: _Span | None, table: int) -> Row:
    page = pages.by_number[span.page]
    end = following.first if following else span.last + 1
    lines = range(span.first, end)
    words = [word for number in lines for word in page.lines[number]]
    return Row(page, lines, _cells(pages, item, words), table)


def _cells(pages: Pages, item: LineItem, words: Line) -> dict[str, Word]:
    found: dict[str, Word] = {}
    if (start := _description(item, words)) is not None:
        found["description"] = start
    for name in _NUMBERS:
        value = getattr(item, name)
        order = reversed(words) if name in _LAST else words
        word = next((each for each in order if each not in found.values() and _is_number(pages, each, value)), None)
        if word is not None:
            found[name] = word
    return found


def _description(item: LineItem, words: Line) -> Word | None:
    """The word with which the most of the description begins: a code beside it may be its first word, too."""
    wanted = (item.description or "").split()
    starts = [at for at, word in enumerate(words) if wanted and word.text == wanted[0]]
    return words[max(starts, key=lambda at: _same(words[at:], wanted))] if starts else None


def _same(words: Line, wanted: Sequence[str]) -> int:
    """With how many of the wanted words these begin."""
    pairs = zip((word.text for word in words), wanted, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _is_number(pages: Pages, word: Word, value: Decimal | None) -> bool:
    return value is not None and parse_number(word.text.rstrip("%"), pages.style) == value
