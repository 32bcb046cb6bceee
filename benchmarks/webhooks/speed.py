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
    return Speed(statistics.median(speed.rate for speed in speeds), statistics.median(speed.cpu_ms for speed in speeds))
