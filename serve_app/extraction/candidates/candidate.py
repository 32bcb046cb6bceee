"""A value that may be a field's, with its place, its score and what it is scored by."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Generic, TypeVar

from serve_app.domain.labels import Label
from serve_app.extraction.dates.dates import Order, find_dates
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.facts.dates import dates_of_page

V = TypeVar("V", bound=Hashable)

# Words with a lower probability of a label are not part of its spans.
FLOOR = 0.08
# A candidate with a lower score is not an answer.
ANSWER = 0.12
# Nor is one that is not likelier than none, for a field that many documents lack.
LIKELY = 0.5
# Names of parties stand in columns, side by side.
_NAMES = (Label.SELLER, Label.BUYER)


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
    """A value with its probability, 0 to 1: the mean probability that its words carry the requested label or, once it
    was ranked, its share in the ranking; `features` are the numbers that it was ranked by."""

    value: V
    score: float
    place: Place
    features: dict[str, float] = field(default_factory=dict, compare=False, repr=False)


def spans(pages: Sequence[PageEvidence], label: Label, *, floor: float = FLOOR) -> Iterator[tuple[Place, float]]:
    """Runs of words on one line that carry the label, and their mean probability."""
    for number, page in enumerate(pages):
        for line in page.lines:
            for words in label_runs(page, line, label, floor):
                yield Place(number, words), page.mean(words, label)


def label_runs(page: PageEvidence, line: tuple[int, ...], label: Label, floor: float) -> Iterator[tuple[int, ...]]:
    """Runs of words of a line that carry the label with at least this probability, each of one value."""
    run: list[int] = []
    is_name = label in _NAMES
    for word in line:
        inside = page.probability(word, label) >= floor
        if run and (not inside or page.begins_span(word, label) or (is_name and page.facts.begins_column(word))):
            yield tuple(run)
            run = []
        if inside:
            run.append(word)
    if run:
        yield tuple(run)


def all_dates(pages: Sequence[PageEvidence], order: Order) -> list[Candidate[date]]:
    """Every date on the pages, whatever the models say; searched for in whole lines, and without a score. Of short
    dates, those that are of other years than the long ones may begin with the year: slips of cards do."""
    found = [(number, page, *each) for number, page in enumerate(pages) for each in dates_of_page(page.facts, order)]
    years = {value.year for _, page, words, value in found if not _is_short(page, words)}
    turned = {
        (number, words): value
        for number in {number for number, _, _, value in found if value.year not in years}
        for words, value in dates_of_page(pages[number].facts, Order.YEAR_FIRST)
        if value.year in years
    }
    return [
        Candidate(value if value.year in years else turned.get((number, words), value), 0.0, Place(number, words))
        for number, _, words, value in found
    ]


def _is_short(page: PageEvidence, words: tuple[int, ...]) -> bool:
    return all(found.is_short for found in find_dates(page.text(words)))


def best_by_value(candidates: Iterable[Candidate[V]]) -> list[Candidate[V]]:
    """One candidate for each value, the best of its places, best first."""
    best: dict[V, Candidate[V]] = {}
    for candidate in candidates:
        if candidate.value not in best or candidate.score > best[candidate.value].score:
            best[candidate.value] = candidate
    return sorted(best.values(), key=lambda candidate: -candidate.score)
