"""The thresholds from which on the fields are `high`: of all together, and of each one."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor

from serve_app.domain.guarantee import CONFIDENCE, Candidate, Step, binomial_tail, guaranteed, steps_of
from serve_app.domain.target_precision import TargetPrecision

# If a field has too few values for a guarantee, this many of all fields together are added.
BORROWED = 3.0


@dataclass(frozen=True, slots=True)
class Threshold:
    """A probability from which on values are `high`; `is_guaranteed`: by the test, not only by the observed share."""

    chance: float
    is_guaranteed: bool


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
    best = min(steps_of(everything), key=lambda step: upper_bound(step.wrong, step.count), default=Step(1.0, 0, 0))
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
    last = ([step for step in steps_of(everything) if step.chance >= common] or [Step(1.0, 0.0, 0.0)])[-1]
    usual = last.wrong / max(1.0, last.count)
    allowed = target.allowed_wrong_of_field
    good = [step for step in steps_of(above) if (step.wrong + BORROWED * usual) / (step.count + BORROWED) <= allowed]
    return Threshold(good[-1].chance if good else 1.0, is_guaranteed=False)
