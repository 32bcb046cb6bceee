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

# Of the `high` values of all header fields together, and of each field, at most the shares that a target precision
# allows are wrong, with this confidence.
CONFIDENCE = 0.9
# A sequence of tests begins where so many values may be wrong, or fewer if there are too few values. The first sequence
# would hang on the one or two that are wrong whatever the evidence says, such as a letter misread.
STARTS = ((1, 0), (5, 3))
_LEVEL = (1 - CONFIDENCE) / len(STARTS)
# Nothing less likely than this is `high`, however many values are right.
LEAST = 0.6


@dataclass(frozen=True, slots=True)
class Candidate:
    """A value that fulfils the contract's conditions for `high`: its probability, whether it is right, and its weight,
    0 to 1: values of nearly identical documents are not independent."""

    chance: float
    is_right: bool
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Step:
    """A threshold, and the weights of the values above it and of the wrong ones among them."""

    chance: float
    count: float
    wrong: float

    def is_safe(self, risk: float) -> bool:
        """Whether the values reject the hypothesis that more than a share `risk` of such values is wrong."""
        return binomial_tail(ceil(self.wrong), floor(self.count), risk) <= _LEVEL


def steps_of(candidates: Sequence[Candidate]) -> list[Step]:
    """Every possible threshold, the highest first."""
    steps: list[Step] = []
    total = wrong = 0.0
    for candidate in sorted(candidates, key=lambda candidate: -candidate.chance):
        if candidate.chance < LEAST:
            break
        total, wrong = total + candidate.weight, wrong + candidate.weight * (not candidate.is_right)
        if steps and steps[-1].chance == candidate.chance:
            steps.pop()
        steps.append(Step(candidate.chance, total, wrong))
    return steps


def guaranteed(candidates: Sequence[Candidate], risk: float) -> float | None:
    """The lowest threshold in one of the sequences above which at most a share `risk` of the values are wrong, with
    `CONFIDENCE`; None if that cannot even be shown for their first ones."""
    steps = steps_of(candidates)
    found = [last for allowed in STARTS if (last := _last_safe(steps, allowed, risk)) is not None]
    return min(found, default=None)


def _last_safe(steps: Sequence[Step], allowed: Sequence[int], risk: float) -> float | None:
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
