"""How the time of some work grows with its input."""

import gc
import time
from collections.abc import Callable
from contextlib import suppress
from statistics import median
from typing import TypeVar

Data = TypeVar("Data")

_PAIRS = 3
_TRIES = 4
_NEGLIGIBLE_SECONDS = 0.05
"""Work that takes less is bounded, however noisy its times are."""


def assert_linear(work: Callable[[Data], object], make: Callable[[int], Data], size: int) -> None:
    """Twice the input takes less than three times the CPU time; `make` returns an input of about the size that it is
    told. Errors of the work are fine: refusing is work, too."""
    small, large = make(size), make(2 * size)
    ratios = []
    # One pair says enough where time grows as it should; more decide where it seems not to.
    for count in (1, *[_PAIRS] * _TRIES):
        pairs = [(_cpu_seconds(work, small), _cpu_seconds(work, large)) for _ in range(count)]
        less, more = median(first for first, _ in pairs), median(second for _, second in pairs)
        if more < 3 * less or more < _NEGLIGIBLE_SECONDS:
            return
        ratios.append(f"{less:.3f} s -> {more:.3f} s")
    raise AssertionError(f"not linear: {ratios}")


def _cpu_seconds(work: Callable[[Data], object], data: Data) -> float:
    """Of all threads of the process, and of no other process; without the garbage collector, as `timeit` measures: a
    full collection looks at every object of all tests so far, and it would fall on the larger input more often."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        started = time.process_time()
        with suppress(Exception):
            work(data)
        return time.process_time() - started
    finally:
        if collecting:
            gc.enable()
