"""Writes notes in batches, beside the work that they are about."""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from serve_app.services.tasks.background import Background
from serve_app.telemetry.logs import RepeatedLog

T = TypeVar("T")

MOST_WAITING = 2_000
"""What does not fit is dropped, so that neither memory nor the work itself depends on how fast the store is."""
_BATCH = 200
_SECONDS = 1.0

log = logging.getLogger(__name__)


class Batches(Generic[T]):
    """Collects items for a second, then writes them with `write`, which may be lost: what cannot be written is dropped
    and counted."""

    def __init__(
        self,
        write: Callable[[list[T]], Awaitable[None]],
        name: str,
        *,
        most: int = MOST_WAITING,
        seconds: float = _SECONDS,
    ) -> None:
        self.dropped = 0
        """How many items were never written."""
        self._write = write
        self._name = name
        self._most = most
        self._seconds = seconds
        self._waiting: deque[T] = deque()
        self._background = Background()
        self._writing: asyncio.Task[None] | None = None
        self._log = RepeatedLog(log)

    def add(self, item: T) -> None:
        """Returns at once. Call it on an event loop."""
        if len(self._waiting) >= self._most:
            self._drop(1, "the store is slow")
            return
        self._waiting.append(item)
        if self._writing is None or self._writing.done():
            self._writing = self._background.start(self._write_later())

    async def flush(self) -> None:
        """Write what waits now."""
        while self._waiting:
            await self._write_some()

    async def _write_later(self) -> None:
        while self._waiting:
            await asyncio.sleep(self._seconds)
            await self.flush()

    async def _write_some(self) -> None:
        some = [self._waiting.popleft() for _ in range(min(_BATCH, len(self._waiting)))]
        try:
            await self._write(some)
        except Exception as error:
            self._drop(len(some), repr(error))

    def _drop(self, number: int, reason: str) -> None:
        self.dropped += number
        self._log.error("%s not written, %d so far: %s", self._name, self.dropped, reason)
