"""Signs of life from inside a long read, for whoever waits for it in another process."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Listener = Callable[[], None]

_listener: ContextVar[Listener | None] = ContextVar("progress_listener", default=None)


def step_done() -> None:
    """To be called after each page (or other step of a few seconds) that a reader has finished."""
    listener = _listener.get()
    if listener is not None:
        listener()


@contextmanager
def reported_to(listener: Listener) -> Iterator[None]:
    """While it is open, every `step_done` of this thread calls `listener`."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)
