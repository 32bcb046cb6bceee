"""Find where a page prints what a model states."""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass

from rapidfuzz.fuzz import ratio

from serve_app.domain.document import Page
from serve_app.domain.labels import Label
from serve_app.domain.reading import StatedValue
from serve_app.extraction.notation.plain import plain
from serve_app.extraction.stated.keys import Notation, keys_of

# Below this similarity (0 to 1, by edits without gaps), a run of words is no place of a text.
LEAST_SIMILARITY = 0.8
# Names with and without their legal form are at least so similar.
_LEAST_OF_NAMES = 0.4
# Labels of texts, which may have any number of words; numbers, dates and identifiers have at most so many.
_TEXTS = frozenset({Label.SELLER, Label.BUYER, Label.LINE_DESCRIPTION})
_MOST_WORDS = 5
# A reader may split words differently from the model: so many more or fewer.
_MORE_WORDS = 2

Run = tuple[int, int]
"""The first word, and how many."""


@dataclass(frozen=True, slots=True)
class Found:
    """Words of the page, in reading order. `is_printed`: they print the value; otherwise they print a similar one."""

    words: tuple[int, ...]
    is_printed: bool


class Locator:
    """Finds values among the words of one page, each word once.

    Similarity only finds the place of a value that the page prints otherwise, such as one that OCR misread. Models
    write in reading order: of equally good places, the first after the previous match is taken.
    """

    def __init__(self, page: Page) -> None:
        self._texts = [word.text for word in page.words]
        self._folded = [text.casefold() for text in self._texts]
        self._plain = [_letters(text) for text in self._texts]
        self._notation = Notation.of(self._texts)
        self._indexes: dict[Label, Mapping[Hashable, list[Run]]] = {}
        self._used = [False] * len(self._texts)
        self._position = 0

    def find(self, label: Label, text: str) -> Found | None:
        """The unused words that print the value; else those most similar to it, if any are similar enough."""
        printed = self._printed_text(label, text) if label in _TEXTS else self._printed_value(label, text)
        target = "".join(text.casefold().split())
        ranked = [(ratio(target, self._joined(run)), run[0] >= self._position, -run[1], -run[0]) for run in printed]
        if ranked:
            *_, size, first = max(ranked)
            return self._take((-first, -size))
        similar = max(self._similar(target, len(text.split())), default=None)
        return Found(_words((-similar[2], -similar[3])), is_printed=False) if similar else None

    def stated(self, label: Label, text: str, probability: float) -> StatedValue:
        """A value that a model states, at its place on the page."""
        found = self.find(label, text)
        if found is None:
            return StatedValue(label, text, probability)
        return StatedValue(label, text, probability, found.words, found.is_printed)

    def _printed_value(self, label: Label, text: str) -> Iterator[Run]:
        """The unused runs that print a number, a date or an identifier."""
        if label not in self._indexes:
            self._indexes[label] = self._index(label)
        target = {_verbatim(text), *keys_of(label, text, self._notation)}
        for run in {run for key in target for run in self._indexes[label].get(key, ())}:
            if self._is_free(run):
                yield run

    def _index(self, label: Label) -> Mapping[Hashable, list[Run]]:
        """All short runs of the page by the values that they print."""
        runs: defaultdict[Hashable, list[Run]] = defaultdict(list)
        for run in self._runs(1, _MOST_WORDS):
            words = self._texts[run[0] : run[0] + run[1]]
            texts = (" ".join(words), "".join(words))
            for key in {_verbatim(texts[1])}.union(*(keys_of(label, text, self._notation) for text in texts)):
                runs[key].append(run)
        return runs

    def _printed_text(self, label: Label, text: str) -> Iterator[Run]:
        """The unused runs that print a name or a description."""
        target, letters = keys_of(label, text, self._notation), "".join(map(_letters, text.split()))
        for run in self._runs_like(text):
            first, size = run
            if not ratio(letters, "".join(self._plain[first : first + size]), score_cutoff=100 * _LEAST_OF_NAMES):
                continue
            printed = " ".join(self._texts[first : first + size])
            is_verbatim = _verbatim(printed) == _verbatim(text)
            if self._is_free(run) and (is_verbatim or not target.isdisjoint(keys_of(label, printed, self._notation))):
                yield run

    def _similar(self, target: str, count: int) -> Iterator[tuple[float, bool, int, int]]:
        """Similarity, whether it is after the previous match, and the negated run, of all unused runs that are similar
        to a text of `count` words."""
        for run in self._runs(max(1, count - _MORE_WORDS), count + _MORE_WORDS):
            alike = ratio(target, self._joined(run), score_cutoff=100 * LEAST_SIMILARITY)
            if alike and self._is_free(run):
                yield round(alike / 100, 6), run[0] >= self._position, -run[0], -run[1]

    def _runs_like(self, text: str) -> Iterator[Run]:
        count = len(text.split())
        return self._runs(max(1, count - _MORE_WORDS), count + _MORE_WORDS)

    def _runs(self, least: int, most: int) -> Iterator[Run]:
        for size in range(least, most + 1):
            for first in range(len(self._texts) - size + 1):
                yield first, size

    def _joined(self, run: Run) -> str:
        return "".join(self._folded[run[0] : run[0] + run[1]])

    def _is_free(self, run: Run) -> bool:
        return not any(self._used[run[0] : run[0] + run[1]])

    def _take(self, run: Run) -> Found:
        words = _words(run)
        for word in words:
            self._used[word] = True
        self._position = words[-1] + 1
        return Found(words, is_printed=True)


def _words(run: Run) -> tuple[int, ...]:
    return tuple(range(run[0], run[0] + run[1]))


def _verbatim(text: str) -> str:
    return "".join(text.casefold().split())


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, plain(text)))
