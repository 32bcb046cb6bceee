"""Whether probabilities mean what they say."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
BINS = 10
_Z95 = 1.959964


@dataclass(frozen=True, slots=True)
class Bin:
    """Values of similar probability: how many, their mean probability, and how many of them are right."""

    count: int
    chance: float
    right: int

    @property
    def share(self) -> float:
        return self.right / self.count


def bins(chances: Sequence[float], right: Sequence[bool], count: int = BINS) -> list[Bin]:
    """Bins of equally many values, the least likely first: bins of equal width would leave some nearly empty."""
    order = np.argsort(np.asarray(chances, dtype=np.float64), kind="stable")
    parts = [part for part in np.array_split(order, min(count, max(1, len(order)))) if len(part)]
    return [
        Bin(len(part), float(np.mean([chances[i] for i in part])), sum(bool(right[i]) for i in part)) for part in parts
    ]


def expected_error(chances: Sequence[float], right: Sequence[bool]) -> float:
    """The expected calibration error (Naeini et al., 2015): how far, on average, a bin's probability is from its share
    of right values. 0 without values."""
    total = len(chances)
    return sum(bin.count * abs(bin.chance - bin.share) for bin in bins(chances, right)) / total if total else 0.0


def brier(chances: Sequence[float], right: Sequence[bool]) -> float:
    """The mean squared error of the probabilities (Brier, 1950). 0 without values."""
    return float(np.mean([(c - bool(r)) ** 2 for c, r in zip(chances, right, strict=True)])) if chances else 0.0


def wilson(right: int, count: int) -> tuple[float, float]:
    """The 95 % confidence interval of a share (Wilson, 1927); 0 to 1 if nothing was counted."""
    if count == 0:
        return 0.0, 1.0
    share, square = right / count, _Z95**2
    middle = (share + square / (2 * count)) / (1 + square / count)
    spread = _Z95 / (1 + square / count) * math.sqrt(share * (1 - share) / count + square / (4 * count**2))
    return max(0.0, middle - spread), min(1.0, middle + spread)


def risk_coverage(chances: Sequence[float], right: Sequence[bool]) -> tuple[Floats, Floats]:
    """For every number of values taken, the likeliest first: their share of all, and the share of wrong ones among
    them (El-Yaniv and Wiener, 2010)."""
    order = np.argsort(-np.asarray(chances, dtype=np.float64), kind="stable")
    wrong = np.cumsum([not right[i] for i in order])
    taken = np.arange(1, len(order) + 1)
    return taken / max(1, len(order)), wrong / taken
