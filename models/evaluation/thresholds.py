"""From which probability on a value may be called `high`: thresholds with a guarantee for finite samples.

Learn then Test (Angelopoulos et al., 2021): that more than a share `risk` of the values above a threshold is wrong is a
hypothesis, which the values seen reject or do not. Thresholds are tested from one that just leaves enough values on
downwards; the last one before a test fails is taken. The order of the tests depends on the probabilities alone, never
on what is right, so each can be made at the full level (fixed-sequence testing).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from math import ceil, comb, floor

# All header fields together, and each field alone, are wrong in at most these shares of `high`, with this confidence.
RISK = 0.01
RISK_OF_FIELD = 0.02
CONFIDENCE = 0.9
# However right all of them are, nothing less likely than this is `high`.
LEAST = 0.6
# Where a field has too few values for a guarantee, so many of what is known of all fields together join them.
BORROWED = 3.0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A value that fulfils the contract's conditions for `high`: its probability, whether it is right, and how much it
    counts, 0 to 1: values of documents that are nearly the same are no independent witnesses."""

    chance: float
    is_right: bool
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Threshold:
    """A probability from which on values are `high`; `is_guaranteed`: the test says so, not only the count."""

    chance: float
    is_guaranteed: bool


@dataclass(frozen=True, slots=True)
class _Step:
    """A threshold, and by weight how many values it leaves and how many of them are wrong."""

    chance: float
    count: float
    wrong: float

    def is_safe(self, risk: float) -> bool:
        """Whether the values reject that more than a share `risk` of such values is wrong."""
        return binomial_tail(ceil(self.wrong), floor(self.count), risk) <= 1 - CONFIDENCE


def _steps(candidates: Sequence[Candidate]) -> list[_Step]:
    """Every possible threshold, the highest first."""
    steps: list[_Step] = []
    total = wrong = 0.0
    for candidate in sorted(candidates, key=lambda candidate: -candidate.chance):
        if candidate.chance < LEAST:
            break
        total, wrong = total + candidate.weight, wrong + candidate.weight * (not candidate.is_right)
        if steps and steps[-1].chance == candidate.chance:
            steps.pop()
        steps.append(_Step(candidate.chance, total, wrong))
    return steps


def guaranteed(candidates: Sequence[Candidate], risk: float) -> float | None:
    """The lowest threshold in the sequence whose values are wrong in at most a share `risk`, with `CONFIDENCE`; None
    where not even the first can be shown to be.

    The first is the highest that leaves so many values that one wrong among them still is no failure, or where there
    are fewer, that none wrong is.
    """
    steps, found = _steps(candidates), None
    needed = (next(n for n in count(1) if binomial_tail(allowed, n, risk) <= 1 - CONFIDENCE) for allowed in (1, 0))
    tested = next((enough for least in needed if (enough := [step for step in steps if step.count >= least])), [])
    for step in tested:
        if not step.is_safe(risk):
            break
        found = step.chance
    return found


def binomial_tail(wrong: int, count: int, risk: float) -> float:
    """The probability of at most so many wrong ones among `count`, where each is wrong with probability `risk`."""
    return sum(comb(count, k) * risk**k * (1 - risk) ** (count - k) for k in range(min(wrong, count) + 1))


def upper_bound(wrong: float, total: float) -> float:
    """The share of wrong ones that is not exceeded with `CONFIDENCE` (Clopper and Pearson, 1934); 1 without values."""
    low, high = 0.0, 1.0
    if floor(total) < 1:
        return 1.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (
            (low, middle) if binomial_tail(ceil(wrong), floor(total), middle) <= 1 - CONFIDENCE else (middle, high)
        )
    return high


def common_threshold(everything: Sequence[Candidate]) -> Threshold:
    """The threshold of all fields together; where nothing can be guaranteed, the one whose bound is lowest."""
    found = guaranteed(everything, RISK)
    if found is not None:
        return Threshold(found, is_guaranteed=True)
    best = min(_steps(everything), key=lambda step: upper_bound(step.wrong, step.count), default=_Step(1.0, 0, 0))
    return Threshold(best.chance, is_guaranteed=False)


def field_threshold(own: Sequence[Candidate], everything: Sequence[Candidate], common: float) -> Threshold:
    """The threshold of one field, at least the common one: guaranteed where its values can show it, else the lowest
    from which on the estimated share of wrong ones is small enough, else none at all (1).

    The estimate is the field's own share, shrunk a little towards that of all fields above the common threshold.
    """
    above = [candidate for candidate in own if candidate.chance >= common]
    found = guaranteed(above, RISK_OF_FIELD)
    if found is not None:
        return Threshold(found, is_guaranteed=True)
    last = ([step for step in _steps(everything) if step.chance >= common] or [_Step(1.0, 0.0, 0.0)])[-1]
    usual = last.wrong / max(1.0, last.count)
    good = [
        step for step in _steps(above) if (step.wrong + BORROWED * usual) / (step.count + BORROWED) <= RISK_OF_FIELD
    ]
    return Threshold(good[-1].chance if good else 1.0, is_guaranteed=False)
