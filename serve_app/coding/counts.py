"""A small model of the codes of one dimension, made of counts (ADR 0169).

A context is something that lines have in common: the vendor, a word, the vendor and a word, and so on. The decisions of
each are counted. A prediction goes from the general contexts to the specific ones: each pulls the distribution towards
its own counts, the more the more it has seen.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from serve_app.coding.features import Features

Context = tuple[str, ...]

MOST_RECENT = 10
_WEIGHT = 0.5
"""How many decisions of a context what is known in general is worth."""
_GENERAL_WEIGHT = 2.0
_SURPRISE = 0.3
"""What is left of a context's counts when it is contradicted: habits change, and the new ones count more."""


@dataclass(slots=True)
class Counts:
    """The decisions in one context. `recent` are the latest, the newest last."""

    by_code: dict[str, float] = field(default_factory=dict)
    total: float = 0.0
    recent: list[str] = field(default_factory=list)

    def learn(self, code: str) -> None:
        """Count another decision."""
        if self.by_code and self.by_code.get(code, 0.0) < max(self.by_code.values()):
            self.by_code = {each: count * _SURPRISE for each, count in self.by_code.items()}
            self.total *= _SURPRISE
        self.by_code[code] = self.by_code.get(code, 0.0) + 1.0
        self.total += 1.0
        self.recent = [*self.recent[1 - MOST_RECENT :], code]


@dataclass(frozen=True, slots=True)
class Support:
    """On how many of the latest decisions in the most specific context that is known the code was the same."""

    kind: str
    same: int
    of: int


@dataclass(frozen=True, slots=True)
class Prediction:
    """The most probable code; empty: none. `support` None: nothing like it was decided."""

    code: str
    score: float
    support: Support | None


class CodeCounts:
    """The model of one dimension."""

    def __init__(self) -> None:
        self._contexts: dict[Context, Counts] = {}

    def learn(self, line: Features, code: str) -> None:
        """Count a decision about a line."""
        for context in (("all",), *_words(line), *_chain(line), *_words_of_vendor(line)):
            if context not in self._contexts:
                self._contexts[context] = Counts()
            self._contexts[context].learn(code)

    def codes_of_vendor(self, line: Features) -> list[str]:
        """What was decided on lines of the vendor."""
        counts = self._contexts.get(("vendor", line.vendor))
        return [] if counts is None else list(counts.by_code)

    def predict(self, line: Features, prior: Mapping[str, float]) -> Prediction:
        """The most probable of the codes in `prior`, which has the weight of each before anything was decided."""
        scale = sum(prior.values())
        chances = {code: weight / scale for code, weight in prior.items()}
        chances = _pulled(chances, self._contexts.get(("all",)), _GENERAL_WEIGHT)
        chances = self._by_words(chances, _words(line))
        for context in _chain(line):
            chances = _pulled(chances, self._contexts.get(context), _WEIGHT)
            if context[0] == "vendor":
                chances = self._by_words(chances, _words_of_vendor(line))
        code = max(chances, key=lambda each: chances[each])
        return Prediction(code, chances[code], self._support(line, code))

    def _by_words(self, chances: dict[str, float], contexts: Iterable[Context]) -> dict[str, float]:
        """By how much each word makes a code more probable, as if words were independent; tempered, as they are not."""
        known = [counts for context in contexts if (counts := self._contexts.get(context)) is not None]
        if not known:
            return chances
        power = len(known) ** -0.5
        found = dict(chances)
        for counts in known:
            for code, chance in chances.items():
                if chance > 0:
                    ratio = (counts.by_code.get(code, 0.0) / chance + _WEIGHT) / (counts.total + _WEIGHT)
                    found[code] *= ratio**power
        scale = sum(found.values())
        return {code: chance / scale for code, chance in found.items()}

    def _support(self, line: Features, code: str) -> Support | None:
        for context in reversed([*_words(line), *_chain(line)]):
            counts = self._contexts.get(context)
            if counts is not None and code in counts.recent:
                return Support(context[0], counts.recent.count(code), len(counts.recent))
        return None


def _pulled(chances: dict[str, float], counts: Counts | None, weight: float) -> dict[str, float]:
    """Towards the counts of a context; codes that are no longer in the chart do not count."""
    if counts is None:
        return chances
    total = sum(count for code, count in counts.by_code.items() if code in chances)
    return {
        code: (counts.by_code.get(code, 0.0) + weight * chance) / (total + weight) for code, chance in chances.items()
    }


def _words(line: Features) -> list[Context]:
    return [("word", word) for word in line.words]


def _words_of_vendor(line: Features) -> list[Context]:
    return [("vendor word", line.vendor, word) for word in line.words] if line.vendor else []


def _chain(line: Features) -> Iterator[Context]:
    """From general to specific."""
    if line.entity:
        yield "entity", line.entity
    if not line.vendor:
        return
    yield "vendor", line.vendor
    if line.entity:
        yield "vendor entity", line.vendor, line.entity
    if line.text:
        yield "text", line.vendor, line.text
        if line.entity:
            yield "text entity", line.vendor, line.entity, line.text
