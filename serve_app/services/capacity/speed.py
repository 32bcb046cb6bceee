"""How much work gets done in a second."""

_HALF_LIFE = 30.0
_KNOWN_AFTER = 5.0


class Speed:
    """Measured only while something waits: at other times, it would be the demand. Times are in seconds, of one
    monotonic clock. What is older than half a minute counts for half."""

    def __init__(self) -> None:
        self._work = 0.0
        self._seconds = 0.0
        self._fresh = 0.0
        self._since: float | None = None
        self._is_waiting = False

    def ended(self, work: float, now: float) -> None:
        """A document that was so many seconds of work has ended."""
        if not self._is_waiting:
            return
        if self._since is None:
            # What it began with may have been claimed long before: the measurement begins at an end.
            self._since = now
            return
        self._fresh += work

    def look(self, *, is_waiting: bool, now: float) -> None:
        """Called every few seconds with whether something waits."""
        if is_waiting and self._since is not None:
            elapsed = now - self._since
            kept = 0.5 ** (elapsed / _HALF_LIFE)
            self._work = self._work * kept + self._fresh
            self._seconds = self._seconds * kept + elapsed
            self._since = now
        elif not is_waiting:
            self._since = None
        self._fresh = 0.0
        self._is_waiting = is_waiting

    @property
    def value(self) -> float | None:
        """Seconds of work done in a second; None if it is not known, or nothing gets done."""
        return self._work / self._seconds if self._seconds >= _KNOWN_AFTER and self._work else None
