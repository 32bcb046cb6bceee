"""Progress reports from inside a long read, for the process that waits for it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Listener = Callable[[], None]

_listener: ContextVar[Listener | None] = ContextVar("progress_listener", default=None)


def step_done() -> None:
    """Call this after each page (or other step of a few seconds)."""
    listener = _listener.get()
    if listener is not None:
        listener()


@contextmanager
def reported_to(listener: Listener) -> Iterator[None]:
    """Within this context, every `step_done` of this thread calls `listener`."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)
