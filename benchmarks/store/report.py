"""Figures in Markdown."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Result:
    """What is printed of a measurement, and whether all that it promises was so."""

    lines: list[str]
    is_kept: bool


@dataclass(frozen=True, slots=True)
class Times:
    """Of one kind of call, in milliseconds."""

    count: int
    median: float
    p99: float


def times_of(seconds: Sequence[float]) -> Times:
    """Of at least one call."""
    ordered = sorted(seconds)
    slow = ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)]
    return Times(len(ordered), statistics.median(ordered) * 1000, slow * 1000)


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    """A table."""
    return [_row(head), _row(["---"] * len(head)), *map(_row, rows), ""]


def _row(cells: Sequence[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"
