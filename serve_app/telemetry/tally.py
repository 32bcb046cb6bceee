"""Where the time of a run went."""

import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from serve_app.telemetry.tracer import span


class Tally(defaultdict[str, float]):
    """Seconds by stage. `step` is the part of the run that is in progress, which is where it ends if it fails."""

    def __init__(self) -> None:
        super().__init__(float)
        self.step = "start"


_tally: ContextVar[Tally | None] = ContextVar("tally", default=None)


@contextmanager
def tallied() -> Iterator[Tally]:
    """Collects the seconds of the stages of the run in the block."""
    seconds = Tally()
    token = _tally.set(seconds)
    try:
        yield seconds
    finally:
        _tally.reset(token)


def add(stage: str, seconds: float) -> None:
    """This much of the run's time went into the stage."""
    if (tally := _tally.get()) is not None:
        tally[stage] += seconds


def begin(step: str) -> None:
    """The run goes on with this part."""
    if (tally := _tally.get()) is not None:
        tally.step = step


@contextmanager
def stage(name: str) -> Iterator[None]:
    """The block is a stage of a run: its seconds are added to the run's, and it is a span of the trace."""
    began = time.perf_counter()
    try:
        with span(name):
            yield
    finally:
        add(name, time.perf_counter() - began)
