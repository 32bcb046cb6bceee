"""From which probability on a value may be called `high`."""

from collections.abc import Sequence
from dataclasses import dataclass

# Of the values that are `high` this share should be right: the first that leaves at least `USEFUL` of a field's values.
AIMS = (0.98, 0.97, 0.95)
USEFUL = 0.75
# A field's own few values are joined by so many of what is known of all fields together.
BORROWED = 3.0
# Where no aim can be reached, a share so little below the best is as good: the best is that of a handful of values.
NEARLY = 0.02
# However right all of them are, nothing less likely than this is `high`.
LEAST = 0.6


@dataclass(frozen=True, slots=True)
class Candidate:
    """A value that fulfils the contract's conditions for `high`: its probability, and whether it is right."""

    chance: float
    is_right: bool


def high_threshold(own: Sequence[Candidate], everything: Sequence[Candidate]) -> float:
    """The lowest probability from which on the estimated share of right values of a field reaches one of `AIMS`: the
    highest of them that leaves enough values, or that can be reached at all, or else what comes nearest. 1 without any
    values.

    The estimate shrinks the share of the field's own values towards that of the values of all fields above the same
    probability, since a field alone has too few to tell 97 % from 99 %. The threshold lies halfway to the next value
    that is left out: the least likely value that was seen is no border.
    """
    chances = sorted({candidate.chance for candidate in own if candidate.chance >= LEAST})
    if not chances:
        return 1.0
    estimates = [_estimate(own, everything, chance) for chance in chances]
    useful = [estimates[n] for n, chance in enumerate(chances) if _above(own, chance)[1] >= USEFUL * len(own)]
    reached = max(useful, default=0.0), max(estimates)
    aim = next((aim for best in reached for aim in AIMS if best >= aim), max(estimates) - NEARLY)
    lowest = next(number for number, estimate in enumerate(estimates) if estimate >= aim)
    return LEAST if lowest == 0 else (chances[lowest - 1] + chances[lowest]) / 2


def _estimate(own: Sequence[Candidate], everything: Sequence[Candidate], chance: float) -> float:
    right, count = _above(own, chance)
    all_right, all_count = _above(everything, chance)
    return (right + BORROWED * all_right / max(1, all_count)) / (count + BORROWED)


def _above(candidates: Sequence[Candidate], chance: float) -> tuple[int, int]:
    above = [candidate.is_right for candidate in candidates if candidate.chance >= chance]
    return sum(above), len(above)
