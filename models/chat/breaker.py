"""Stops asking a server that does not answer (circuit breaker: Nygard, Release It!, 2007)."""

import threading
import time
from collections.abc import Callable

FAILURES = 3
FIRST_PAUSE_S = 15.0
LONGEST_PAUSE_S = 240.0


class Breaker:
    """After `FAILURES` failures in a row nobody asks for a pause, then one caller tries. Each further failure doubles
    the pause; a success ends it. Safe for threads."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._failures = 0
        self._closed_until = 0.0

    def may_ask(self) -> bool:
        """Whether the caller may ask now; who may must tell how it went."""
        with self._lock:
            if self._failures < FAILURES:
                return True
            if self._now() < self._closed_until:
                return False
            # This caller tries; the others wait for the outcome.
            self._closed_until = self._now() + self._pause()
            return True

    def succeeded(self) -> None:
        """An answer came, right or wrong."""
        with self._lock:
            self._failures = 0

    def failed(self) -> None:
        """No answer came."""
        with self._lock:
            self._failures += 1
            self._closed_until = self._now() + self._pause()

    def _pause(self) -> float:
        return float(min(FIRST_PAUSE_S * 2 ** max(0, self._failures - FAILURES), LONGEST_PAUSE_S))
