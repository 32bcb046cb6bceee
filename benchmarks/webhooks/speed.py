"""How fast something sends."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Speed:
    """Deliveries a second, and milliseconds of a core that the sender used for each."""

    rate: float
    cpu_ms: float


def median_of(speeds: Sequence[Speed]) -> Speed:
    """The median of each figure."""
    return Speed(statistics.median(one.rate for one in speeds), statistics.median(one.cpu_ms for one in speeds))
