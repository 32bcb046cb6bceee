"""How long the other side of a connection may take."""

from dataclasses import dataclass
from math import inf


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """A request's head must arrive within `head_seconds`, from the connection or the first byte on. A body, and an
    answer that does not fit into the buffers, may stand still for `grace_seconds` in all, and must move by
    `bytes_a_second` on average beyond that: 15 MB may take an hour. Looked at every `tick_seconds`."""

    head_seconds: float = 10.0
    grace_seconds: float = 20.0
    bytes_a_second: float = 4096.0
    tick_seconds: float = 1.0


class Pace:
    """Whether bytes move fast enough: `grace` seconds, then `rate` bytes a second on average. `now` is the time of the
    event loop."""

    def __init__(self, now: float, grace: float, rate: float = inf) -> None:
        self._began = now
        self._grace = grace
        self._rate = rate
        self._moved = 0

    def add(self, count: int) -> None:
        """Note that so many bytes have moved."""
        self._moved += count

    def rest(self, seconds: float) -> None:
        """For so long, the other side was not waited for."""
        self._began += seconds

    def is_too_slow(self, now: float) -> bool:
        return now - self._began > self._grace + self._moved / self._rate
