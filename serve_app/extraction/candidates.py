"""Values that a page offers for a label, each with its place and score."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from itertools import pairwise, product
from typing import Generic, TypeVar

from serve_app.domain.labels import Label
from serve_app.extraction.dates.dates import Order, find_dates, is_month, lacks_year
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.numbers import Style, parse_number
from serve_app.extraction.tables.cells import cells_of

V = TypeVar("V", bound=Hashable)

# Words with a lower probability of a label are not part of its spans.
FLOOR = 0.08
# A candidate with a lower score is not an answer.
ANSWER = 0.12
# The next line of a sentence is at most this far below, as a multiple of the height of its letters.
_BELOW = 2.2
# Lines begin at the same edge if they differ by at most this share of the page's width.
_SAME_EDGE = 0.01


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """The words of a page (indices, in reading order) that make up a value. Places are ordered as one reads."""

    page: int
    words: tuple[int, ...]

    def is_part_of(self, whole: "Place") -> bool:
        """Whether another place has all words of this one, and more."""
        return self.page == whole.page and set(self.words) < set(whole.words)


class Places:
    """Several places, by their words."""

    def __init__(self, places: Iterable[Place]) -> None:
        self._by_word: dict[tuple[int, int], list[Place]] = defaultdict(list)
        for place in dict.fromkeys(places):
            for word in set(place.words):
                self._by_word[place.page, word].append(place)

    def have_whole_of(self, part: Place) -> bool:
        """Whether one of them has all words of a place, and more."""
        return any(map(part.is_part_of, self._by_word.get((part.page, part.words[0]), ())))


@dataclass(frozen=True, slots=True)
class Candidate(Generic[V]):
    """A value with its probability, 0 to 1: the mean probability that its words carry the requested label or, if it was
    ranked, that of the ranking; `features` are the numbers that it was ranked by."""

    value: V
    score: float
    place: Place
    features: dict[str, float] = field(default_factory=dict, compare=False, repr=False)


def spans(pages: Sequence[PageEvidence], label: Label, *, floor: float = FLOOR) -> Iterator[tuple[Place, float]]:
    """Runs of words on one line that carry the label, and their mean probability."""
    for number, page in enumerate(pages):
        for line in page.lines:
            for words in _runs(page, line, label, floor):
                yield Place(number, words), page.mean(words, label)


def _runs(page: PageEvidence, line: tuple[int, ...], label: Label, floor: float) -> Iterator[tuple[int, ...]]:
    run: list[int] = []
    for word in line:
        inside = page.probability(word, label) >= floor
        if run and (not inside or page.begins_span(word, label)):
            yield tuple(run)
            run = []
        if inside:
            run.append(word)
    if run:
        yield tuple(run)


def parse_words(page: PageEvidence, words: Sequence[int], style: Style, *, thousandths: bool = True) -> Decimal | None:
    """Several words as one number: as printed, or with the gaps closed if it was badly split ("1,706." "82")."""
    text = page.text(words)
    whole = parse_number(text, style, thousandths=thousandths)
    if whole is None and len(words) == 2 and text[text.index(" ") - 1] in ".,":
        return parse_number(text.replace(" ", ""), style, thousandths=thousandths)
    return whole


def all_dates(pages: Sequence[PageEvidence], order: Order) -> list[Candidate[date]]:
    """Every date on the pages, whatever the models say; searched for in whole lines, and without a score. Of short
    dates, those that are of other years than the long ones may begin with the year: slips of cards do."""
    found = [(number, page, *each) for number, page in enumerate(pages) for each in _dates_of_page(page, order)]
    years = {value.year for _, page, words, value in found if not _is_short(page, words)}
    turned = {
        (number, words): value
        for number in {number for number, _, _, value in found if value.year not in years}
        for words, value in _dates_of_page(pages[number], Order.YEAR_FIRST)
        if value.year in years
    }
    return [
        Candidate(value if value.year in years else turned.get((number, words), value), 0.0, Place(number, words))
        for number, _, words, value in found
    ]


def _is_short(page: PageEvidence, words: tuple[int, ...]) -> bool:
    return all(found.is_short for found in find_dates(page.text(words)))


def _dates_of_page(page: PageEvidence, order: Order) -> Iterator[tuple[tuple[int, ...], date]]:
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
    page: PageEvidence, upper: Sequence[int], lower: Sequence[int], order: Order
) -> Iterator[tuple[tuple[int, ...], date]]:
    """The dates that go on on the next line of their column: "Total due on 3" and below it "December 2025",
    "07-Apr-" and below it "2025"."""
    # Few lines have such a word, and all dates are asked for often.
    if not any(lacks_year(text) or is_month(text) for word in upper for text in [page.page.words[word].text]):
        return
    begun = [cell for cell in cells_of(page, upper) if lacks_year(page.text(cell[-3:]))]
    for cell, other in product(begun, cells_of(page, lower)):
        if _is_next_line(page, cell, other):
            dates = _dates_of_line(page, (*cell, *other), order)
            yield from (each for each in dates if cell[-1] in each[0] and not set(cell).issuperset(each[0]))


def _is_next_line(page: PageEvidence, upper: Sequence[int], lower: Sequence[int]) -> bool:
    """Whether a line goes on with a sentence of the one above: right below it, and from the same edge."""
    one, other = page.box(upper), page.box(lower)
    is_below = 0 < other.y_center - one.y_center < _BELOW * max(one.height, other.height)
    return is_below and abs(one.x0 - other.x0) < _SAME_EDGE


def _dates_of_line(page: PageEvidence, line: tuple[int, ...], order: Order) -> Iterator[tuple[tuple[int, ...], date]]:
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


def best_by_value(candidates: Iterable[Candidate[V]]) -> list[Candidate[V]]:
    """One candidate for each value, the best of its places, best first."""
    best: dict[V, Candidate[V]] = {}
    for candidate in candidates:
        if candidate.value not in best or candidate.score > best[candidate.value].score:
            best[candidate.value] = candidate
    return sorted(best.values(), key=lambda candidate: -candidate.score)
