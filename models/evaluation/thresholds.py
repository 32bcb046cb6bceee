"""The probability from which on a value may be called `high`: thresholds with a guarantee for finite samples.

Learn then Test (Angelopoulos et al., 2021): the hypothesis is that more than a share `risk` of the values above a
threshold are wrong, and the observed values reject it or not. Thresholds are tested downwards, from the first that
leaves enough values; the last one before a test fails is chosen. The order of the tests depends only on the
probabilities, never on which values are right, so each test can use the full level (fixed-sequence testing). There are
two such sequences, which share the level: one begins early, the other where a few wrong values do not end it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from math import ceil, comb, floor

from serve_app.domain.target_precision import TargetPrecision

# Of the `high` values of all header fields together, and of each field, at most the shares that a target precision
# allows are wrong, with this confidence.
CONFIDENCE = 0.9
# A sequence of tests begins where so many values may be wrong, or fewer if there are too few values. The first sequence
# would hang on the one or two that are wrong whatever the evidence says, such as a letter misread.
STARTS = ((1, 0), (5, 3))
_LEVEL = (1 - CONFIDENCE) / len(STARTS)
# Nothing less likely than this is `high`, however many values are right.
LEAST = 0.6
# If a field has too few values for a guarantee, this many of all fields together are added.
BORROWED = 3.0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A value that fulfils the contract's conditions for `high`: its probability, whether it is right, and its weight,
    0 to 1: values of nearly identical documents are not independent."""

    chance: float
    is_right: bool
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Threshold:
    """A probability from which on values are `high`; `is_guaranteed`: by the test, not only by the observed share."""

    chance: float
    is_guaranteed: bool


@dataclass(frozen=True, slots=True)
class _Step:
    """A threshold, and the weights of the values above it and of the wrong ones among them."""

    chance: float
    count: float
    wrong: float

    def is_safe(self, risk: float) -> bool:
        """Whether the values reject the hypothesis that more than a share `risk` of such values is wrong."""
        return binomial_tail(ceil(self.wrong), floor(self.count), risk) <= _LEVEL


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
    """The lowest threshold in one of the sequences above which at most a share `risk` of the values are wrong, with
    `CONFIDENCE`; None if that cannot even be shown for their first ones."""
    steps = _steps(candidates)
    found = [last for allowed in STARTS if (last := _last_safe(steps, allowed, risk)) is not None]
    return min(found, default=None)


def _last_safe(steps: Sequence[_Step], allowed: Sequence[int], risk: float) -> float | None:
    """The last threshold before a test fails, from the highest on that leaves enough values for one of the numbers of
    wrong ones to be `allowed`."""
    found = None
    needed = (next(n for n in count(1) if binomial_tail(wrong, n, risk) <= _LEVEL) for wrong in allowed)
    tested = next((enough for least in needed if (enough := [step for step in steps if step.count >= least])), [])
    for step in tested:
        if not step.is_safe(risk):
            break
        found = step.chance
    return found


def binomial_tail(wrong: int, count: int, risk: float) -> float:
    """The probability of at most this many wrong ones among `count`, if each is wrong with probability `risk`."""
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


def common_threshold(everything: Sequence[Candidate], target: TargetPrecision = TargetPrecision.STANDARD) -> Threshold:
    """The threshold of all fields together; if nothing can be guaranteed, the one with the lowest bound."""
    found = guaranteed(everything, target.allowed_wrong)
    if found is not None:
        return Threshold(found, is_guaranteed=True)
    best = min(_steps(everything), key=lambda step: upper_bound(step.wrong, step.count), default=_Step(1.0, 0, 0))
    return Threshold(best.chance, is_guaranteed=False)


def field_threshold(
    own: Sequence[Candidate],
    everything: Sequence[Candidate],
    common: float,
    target: TargetPrecision = TargetPrecision.STANDARD,
) -> Threshold:
    """The threshold of one field, at least the common one: guaranteed if its values are enough, else the lowest above
    which the estimated share of wrong ones is small enough, else none (1).

    The estimate is the field's own share, shrunk a little towards that of all fields above the common threshold.
    """
    above = [candidate for candidate in own if candidate.chance >= common]
    found = guaranteed(above, target.allowed_wrong_of_field)
    if found is not None:
        return Threshold(found, is_guaranteed=True)
    last = ([step for step in _steps(everything) if step.chance >= common] or [_Step(1.0, 0.0, 0.0)])[-1]
    usual = last.wrong / max(1.0, last.count)
    allowed = target.allowed_wrong_of_field
    good = [step for step in _steps(above) if (step.wrong + BORROWED * usual) / (step.count + BORROWED) <= allowed]
    return Threshold(good[-1].chance if good else 1.0, is_guaranteed=False)
