"""The dates of a page, whatever the models say."""

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import pairwise, product

from serve_app.extraction.dates.dates import Order, find_dates, is_month, lacks_year
from serve_app.extraction.facts.page import SAME_EDGE, PageFacts, Words

# The next line of a sentence is at most this far below, as a multiple of the height of its letters.
_BELOW = 2.2


def dates_of_page(page: PageFacts, order: Order) -> list[tuple[Words, date]]:
    """The words of each date of a page with its value, if the numbers of a date have this order."""
    return page.once(_all_dates, order)


def _all_dates(page: PageFacts, order: Order) -> list[tuple[Words, date]]:
    return list(_find_dates(page, order))


def _find_dates(page: PageFacts, order: Order) -> Iterator[tuple[Words, date]]:
    """The dates of each line, and those that go on on the next line: "by 6th" and below it "August 2025"."""
    for line in page.lines:
        yield from _dates_of_line(page, line, order)
    for upper, lower in pairwise(page.lines):
        first, words = set(upper), (*upper, *lower)
        if _is_next_line(page, upper, lower):
            dates = _dates_of_line(page, words, order)
            yield from (each for each in dates if first.intersection(each[0]) and not first.issuperset(each[0]))
        else:
            yield from _dates_of_cells(page, upper, lower, order)
    # Between them there may be a line of another column.
    for upper, _, lower in zip(page.lines, page.lines[1:], page.lines[2:], strict=False):
        yield from _dates_of_cells(page, upper, lower, order)


def _dates_of_cells(
    page: PageFacts, upper: Sequence[int], lower: Sequence[int], order: Order
) -> Iterator[tuple[Words, date]]:
    """The dates that go on on the next line of their column: "Total due on 3" and below it "December 2025",
    "07-Apr-" and below it "2025"."""
    # Few lines have such a word.
    if not any(lacks_year(text) or is_month(text) for word in upper for text in [page.page.words[word].text]):
        return
    begun = [cell for cell in page.cells_of(upper) if lacks_year(page.text(cell[-3:]))]
    for cell, other in product(begun, page.cells_of(lower)):
        if _is_next_line(page, cell, other):
            dates = _dates_of_line(page, (*cell, *other), order)
            yield from (each for each in dates if cell[-1] in each[0] and not set(cell).issuperset(each[0]))


def _is_next_line(page: PageFacts, upper: Sequence[int], lower: Sequence[int]) -> bool:
    """Whether a line goes on with a sentence of the one above: right below it, and from the same edge."""
    one, other = page.box(upper), page.box(lower)
    return other.is_right_below(one, _BELOW) and abs(one.x0 - other.x0) < SAME_EDGE


def _dates_of_line(page: PageFacts, line: Words, order: Order) -> Iterator[tuple[Words, date]]:
    starts, position = [], 0
    for word in line:
        starts.append(position)
        position += len(page.page.words[word].text) + 1
    for printed in find_dates(page.text(line)):
        value = printed.value(order)
        words = tuple(
            word
            for word, start in zip(line, starts, strict=True)
            if start < printed.end and printed.start < start + len(page.page.words[word].text)
        )
        if value is not None and words:
            yield words, value
