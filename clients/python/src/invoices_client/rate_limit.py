"""The rate limit of a key, as the headers of its responses report it."""

import threading
import time
from collections.abc import Callable, Mapping
from email.utils import parsedate_to_datetime


class RateLimit:
    """How many calls are left in this window. It may be asked from several threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._limit = 0
        self._remaining = 0
        self._ends: float | None = None

    def reserve(self) -> float:
        """Take one call of the window: 0. Or, if none is left, the seconds until the next window."""
        with self._lock:
            now = self._clock()
            if self._ends is None:
                return 0.0
            if now >= self._ends:
                # Until a response says more; another program with this key may use it, too.
                self._ends, self._remaining = None, self._limit
                return 0.0
            if self._remaining > 0:
                self._remaining -= 1
                return 0.0
            return self._ends - now

    def note(self, headers: Mapping[str, str]) -> None:
        """Read the headers of a response."""
        try:
            limit, remaining, reset = (int(headers[f"X-RateLimit-{name}"]) for name in ("Limit", "Remaining", "Reset"))
        except (KeyError, ValueError):
            return
        with self._lock:
            now = self._clock()
            ends = now + max(reset - _server_time(headers), 0.0)
            # Responses overtake each other: within a window, the lowest number is the newest.
            is_same = self._ends is not None and abs(ends - self._ends) < 1.5
            self._remaining = min(remaining, self._remaining) if is_same else remaining
            self._limit, self._ends = limit, self._ends if is_same else ends


def _server_time(headers: Mapping[str, str]) -> float:
    """Now by the clock that `X-RateLimit-Reset` is read from."""
    try:
        return parsedate_to_datetime(headers["Date"]).timestamp()
    except (KeyError, ValueError):
        return time.time()
