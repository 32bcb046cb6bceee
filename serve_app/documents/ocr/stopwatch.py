"""How much of the time of a read is OCR's, for whoever asked for the read."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(slots=True)
class Stopwatch:
    """The seconds so far."""

    seconds: float = 0.0


_stopwatch: ContextVar[Stopwatch | None] = ContextVar("ocr_stopwatch", default=None)


@contextmanager
def timed_ocr() -> Iterator[Stopwatch]:
    """Within this context, the OCR of this thread runs this stopwatch."""
    stopwatch = Stopwatch()
    token = _stopwatch.set(stopwatch)
    try:
        yield stopwatch
    finally:
        _stopwatch.reset(token)


@contextmanager
def running() -> Iterator[None]:
    """For OCR itself: the time of the block counts."""
    began = time.perf_counter()
    try:
        yield
    finally:
        if (stopwatch := _stopwatch.get()) is not None:
            stopwatch.seconds += time.perf_counter() - began
