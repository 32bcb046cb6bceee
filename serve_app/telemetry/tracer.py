"""Says what happened within what, across processes. The port of traces: it does nothing until `install` is called.

The place in a trace is text, as in the header `traceparent` (https://www.w3.org/TR/trace-context/), so that it can lie
in a row of the store and travel with any call.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from typing import Protocol

Attribute = str | int | float | bool

_TRACEPARENT = re.compile(r"00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}")


class OpenSpan(Protocol):
    """A part of a trace that has begun."""

    @property
    def traceparent(self) -> str:
        """The place of whatever happens within it."""
        ...

    def end(self, error: BaseException | None = None, at: datetime | None = None) -> None:
        """It ended now, or `at` this time; `error` ended it."""
        ...


class Tracer(Protocol):
    """Sends spans to where people look at them."""

    def begin(
        self, name: str, parent: str | None, attributes: dict[str, Attribute], at: datetime | None = None
    ) -> OpenSpan:
        """A span within `parent`, or the first of a new trace, that begins now, or began `at` this time."""
        ...


_installed: Tracer | None = None
_place: ContextVar[str | None] = ContextVar("traceparent", default=None)


def install(tracer: Tracer | None) -> None:
    """Send the spans of this process to `tracer`; None: nowhere."""
    global _installed
    _installed = tracer


def is_installed() -> bool:
    """Whether this process sends its spans anywhere."""
    return _installed is not None


def traceparent() -> str | None:
    """The place in the trace now; None if nothing is traced."""
    return _place.get()


def trace_id() -> str | None:
    """The trace that this is part of."""
    place = _place.get()
    return None if place is None else place.split("-")[1]


def valid(place: str | None) -> str | None:
    """A place that a stranger names; None if it is none."""
    return place if place is not None and _TRACEPARENT.fullmatch(place) else None


@contextmanager
def continued(place: str | None) -> Iterator[None]:
    """What happens in the block is part of the trace at this place; None, or if nothing is traced here: of none."""
    token = _place.set(place if _installed is not None else None)
    try:
        yield
    finally:
        _place.reset(token)


@contextmanager
def span(name: str, **attributes: Attribute) -> Iterator[None]:
    """The block is a part of the trace, under this name."""
    if _installed is None:
        yield
        return
    opened = _installed.begin(name, _place.get(), attributes)
    token = _place.set(opened.traceparent)
    error: BaseException | None = None
    try:
        yield
    except BaseException as raised:
        error = raised
        raise
    finally:
        _place.reset(token)
        opened.end(error)


def note(name: str, began: datetime, ended: datetime, **attributes: Attribute) -> None:
    """Something that is over was part of the trace."""
    if _installed is not None:
        _installed.begin(name, _place.get(), attributes, began).end(at=ended)
