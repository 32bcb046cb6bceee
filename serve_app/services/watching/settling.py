"""Finds complete files: those that have not changed for a while."""

import time
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass, field

from serve_app.services.watching.ports import FolderEntry

MAX_KNOWN = 10_000
"""Unsettled files whose last change is remembered; a later scan finds the others."""
MAX_SETTLED = 1_000
"""Settled files of one scan, likewise."""


@dataclass(frozen=True, slots=True)
class Scan:
    """Settled files that can be read now, and the number of all files."""

    settled: list[FolderEntry] = field(default_factory=list)
    count: int = 0


class Settling:
    """Compares each scan with the previous one, by the clock of this process: those of file servers differ. Memory is
    bounded, however many files there are."""

    def __init__(
        self,
        seconds: float,
        clock: Callable[[], float] = time.monotonic,
        max_known: int = MAX_KNOWN,
        max_settled: int = MAX_SETTLED,
    ) -> None:
        self._seconds = seconds
        self._clock = clock
        self._max_known = max_known
        self._max_settled = max_settled
        self._since: dict[str, tuple[str, float]] = {}

    def scan(self, entries: Iterable[FolderEntry], in_work: Container[str]) -> Scan:
        """The settled files, without those in work."""
        now, count = self._clock(), 0
        settled: list[FolderEntry] = []
        known: dict[str, tuple[str, float]] = {}
        for entry in entries:
            count += 1
            if entry.path in in_work:
                continue
            version, since = self._since.get(entry.path, ("", now))
            since = since if version == entry.version else now
            if now - since >= self._seconds and len(settled) < self._max_settled:
                settled.append(entry)
            elif len(known) < self._max_known:
                known[entry.path] = (entry.version, since)
        self._since = known
        return Scan(settled, count)
