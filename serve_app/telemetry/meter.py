"""Notes numbers. The port of metrics: it does nothing until `install` is called."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from serve_app.telemetry.series import Series


class Meter(Protocol):
    """Keeps numbers until they are asked for. Labels are those of the series, each with a value."""

    def count(self, series: Series, amount: float, labels: dict[str, str]) -> None:
        """Add to a counter."""
        ...

    def set(self, series: Series, value: float, labels: dict[str, str]) -> None:
        """Set a gauge."""
        ...

    def observe(self, series: Series, value: float, labels: dict[str, str]) -> None:
        """Add to a histogram."""
        ...


_installed: Meter | None = None


def install(meter: Meter | None) -> None:
    """Send what this process notes to `meter`; None: nowhere."""
    global _installed
    _installed = meter


def is_installed() -> bool:
    """Whether this process sends its numbers anywhere."""
    return _installed is not None


def count(series: Series, amount: float = 1.0, **labels: str) -> None:
    """Add to a counter."""
    if _installed is not None:
        _installed.count(series, amount, labels)


def set_to(series: Series, value: float, **labels: str) -> None:
    """Set a gauge."""
    if _installed is not None:
        _installed.set(series, value, labels)


def observe(series: Series, value: float, **labels: str) -> None:
    """Add to a histogram."""
    if _installed is not None:
        _installed.observe(series, value, labels)


@contextmanager
def timed(series: Series, **labels: str) -> Iterator[None]:
    """Add the seconds that the block takes to a histogram, also if it raises."""
    began = time.perf_counter()
    try:
        yield
    finally:
        observe(series, time.perf_counter() - began, **labels)
