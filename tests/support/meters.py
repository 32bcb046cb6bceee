"""Stand-ins for what metrics and traces are sent to."""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from uuid import uuid4

from serve_app.telemetry import meter, tracer
from serve_app.telemetry.series import Series
from serve_app.telemetry.tracer import Attribute

Key = tuple[str, ...]


class FakeMeter:
    """Keeps numbers by the name of the series and the values of its labels."""

    def __init__(self) -> None:
        self.counts: defaultdict[Key, float] = defaultdict(float)
        self.values: dict[Key, float] = {}
        self.seen: defaultdict[Key, list[float]] = defaultdict(list)

    def count(self, series: Series, amount: float, labels: dict[str, str]) -> None:
        self.counts[_key(series, labels)] += amount

    def set(self, series: Series, value: float, labels: dict[str, str]) -> None:
        self.values[_key(series, labels)] = value

    def observe(self, series: Series, value: float, labels: dict[str, str]) -> None:
        self.seen[_key(series, labels)].append(value)


def _key(series: Series, labels: dict[str, str]) -> Key:
    assert set(labels) == set(series.labels)
    return (series.name, *(str(labels[name]) for name in series.labels))


@contextmanager
def installed_meter() -> Iterator[FakeMeter]:
    """What is recorded in the block."""
    fake = FakeMeter()
    meter.install(fake)
    try:
        yield fake
    finally:
        meter.install(None)


CALLER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
"""Where a caller is in a trace of its own."""


@dataclass
class FakeSpan:
    """`parent` is where it happened, `traceparent` where things in it happen."""

    name: str
    parent: str | None
    traceparent: str
    error: BaseException | None = None
    has_ended: bool = False

    def end(self, error: BaseException | None = None, at: datetime | None = None) -> None:
        self.error, self.has_ended = error, True


class FakeTracer:
    """Keeps spans."""

    def __init__(self) -> None:
        self.spans: list[FakeSpan] = []

    def begin(
        self, name: str, parent: str | None, attributes: dict[str, Attribute], at: datetime | None = None
    ) -> FakeSpan:
        trace = uuid4().hex if parent is None else parent.split("-")[1]
        self.spans.append(FakeSpan(name, parent, f"00-{trace}-{uuid4().hex[:16]}-01"))
        return self.spans[-1]

    def named(self, name: str) -> FakeSpan:
        (found,) = (span for span in self.spans if span.name == name)
        return found


@contextmanager
def installed_tracer() -> Iterator[FakeTracer]:
    """What is traced in the block."""
    fake = FakeTracer()
    tracer.install(fake)
    try:
        yield fake
    finally:
        tracer.install(None)
