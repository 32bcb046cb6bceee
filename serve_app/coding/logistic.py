"""A small model of the codes of one dimension: a logistic regression (ADR 0194).

A context is something that lines have in common: the vendor, a word, the vendor and a word, and so on. Each pair of a
context and a code that were decided together has a weight. The weights of a line's contexts add up to the evidence for
each code. Each decision moves them by AdaGrad (Duchi, Hazan and Singer, 2011): a pair moves less and less, and a habit
that changes moves it again.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import exp, sqrt

from serve_app.coding.features import Features

Context = tuple[str, ...]

MOST_RECENT = 10
_RATE = 0.5
"""How far the first decision moves a weight."""
_NAMES = 2.0
"""How many decisions the names of codes are worth, together."""
_UNKNOWN = 0.9
"""Of the score, if such a line of the vendor was never booked on the code: a conclusion from other lines is less
certain than its probability."""


@dataclass(slots=True)
class Weight:
    """The evidence that a context is for a code, and the sum of the squared moves."""

    value: float = 0.0
    squares: float = 1e-6

    def move(self, gradient: float) -> None:
        """A step against the gradient of the loss."""
        self.squares += gradient * gradient
        self.value -= _RATE * gradient / sqrt(self.squares)


@dataclass(slots=True)
class Decisions:
    """What was decided in one context: the weight of each code, and the latest codes, the newest last."""

    weights: dict[str, Weight] = field(default_factory=dict)
    recent: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Support:
    """On how many of the latest decisions in the most specific context that is known the code was the same."""

    kind: str
    same: int
    of: int


@dataclass(frozen=True, slots=True)
class Prediction:
    """The most probable code; empty: none. `chance` is its probability, `score` the same with the doubt about lines
    that were never decided. `support` None: nothing like it was decided."""

    code: str
    chance: float
    score: float
    support: Support | None


class CodeModel:
    """The model of one dimension."""

    def __init__(self) -> None:
        self._contexts: dict[Context, Decisions] = {}
        self._total = 0

    def learn(self, line: Features, code: str) -> None:
        """Learn from another decision."""
        self._total += 1
        for context in _contexts(line):
            known = self._contexts.setdefault(context, Decisions())
            known.weights.setdefault(code, Weight())
            known.recent = [*known.recent[1 - MOST_RECENT :], code]
        self.repeat(line, code)

    def repeat(self, line: Features, code: str) -> None:
        """Move the weights by a decision that was learned before."""
        known = [self._contexts[context] for context in _contexts(line)]
        chances = _chances(known)
        for each in known:
            for other, weight in each.weights.items():
                weight.move(chances[other] - (other == code))

    def codes_of_vendor(self, line: Features) -> list[str]:
        """What was decided on lines of the vendor."""
        known = self._contexts.get(("vendor", line.vendor))
        return [] if known is None else list(known.weights)

    def predict(self, line: Features, prior: Mapping[str, float]) -> Prediction:
        """The most probable of the codes in `prior`, which has the weight of each before anything was decided."""
        evidence = _chances([known for each in _contexts(line) if (known := self._contexts.get(each)) is not None])
        share = _NAMES / (self._total + _NAMES)
        scale = sum(prior.values())
        chances = {
            code: (1 - share) * evidence.get(code, 0.0) + share * weight / scale for code, weight in prior.items()
        }
        code = max(chances, key=lambda each: chances[each])
        support = self._support(line, code)
        is_known = support is not None and support.kind.startswith("text" if line.text else "vendor")
        chance = chances[code]
        return Prediction(code, chance, chance if is_known else chance * _UNKNOWN, support)

    def _support(self, line: Features, code: str) -> Support | None:
        for context in reversed(_contexts(line)[1:]):
            known = self._contexts.get(context)
            if known is not None and code in known.recent:
                return Support(context[0], known.recent.count(code), len(known.recent))
        return None


def _chances(known: Iterable[Decisions]) -> dict[str, float]:
    """How probable each code is by the weights of these contexts."""
    evidence: dict[str, float] = {}
    for each in known:
        for code, weight in each.weights.items():
            evidence[code] = evidence.get(code, 0.0) + weight.value
    most = max(evidence.values(), default=0.0)
    powers = {code: exp(value - most) for code, value in evidence.items()}
    scale = sum(powers.values())
    return {code: power / scale for code, power in powers.items()}


def _contexts(line: Features) -> list[Context]:
    """From general to specific. The first one is that of all lines."""
    vendor, entity, text = line.vendor, line.entity, line.text
    found: list[Context] = [("all",), *(("word", word) for word in line.words)]
    if entity:
        found.append(("entity", entity))
    if vendor:
        found += [("vendor", vendor), *(("vendor word", vendor, word) for word in line.words)]
        found += [("vendor entity", vendor, entity)] if entity else []
        found += [("text", vendor, text)] if text else []
        found += [("text entity", vendor, entity, text)] if text and entity else []
    return found
