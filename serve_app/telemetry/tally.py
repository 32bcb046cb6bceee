"""Where the time of a run went."""

import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from serve_app.telemetry.tracer import span

_tally: ContextVar[defaultdict[str, float] | None] = ContextVar("tally", default=None)


@contextmanager
def tallied() -> Iterator[dict[str, float]]:
    """Collects the seconds of the stages of the run in the block."""
    seconds: defaultdict[str, float] = defaultdict(float)
    token = _tally.set(seconds)
    try:
        yield seconds
    finally:
        _tally.reset(token)


def add(stage: str, seconds: float) -> None:
    """This much of the run's time went into the stage."""
    if (tally := _tally.get()) is not None:
        tally[stage] += seconds


@contextmanager
def stage(name: str) -> Iterator[None]:
    """The block is a stage of a run: its seconds are added to the run's, and it is a span of the trace."""
    began = time.perf_counter()
    try:
        with span(name):
            yield
    finally:
        add(name, time.perf_counter() - began)
