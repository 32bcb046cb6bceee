"""Outcomes of attempts, on their way to the store."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from serve_app.services.delivery.attempt import Outcome


class Outcomes:
    """Records outcomes with `write` while other attempts go on: those that end during one write go into the next."""

    def __init__(self, write: Callable[[Sequence[Outcome]], Awaitable[None]], most: int) -> None:
        self._write = write
        self._most = most
        self._unwritten: list[Outcome] = []
        self._writing: asyncio.Task[None] | None = None
        self._has_room = asyncio.Event()
        self._batch = asyncio.Event()
        self._error: Exception | None = None

    async def add(self, outcome: Outcome) -> None:
        """Returns at once, unless `most` outcomes are unwritten. Raises the error of a failed write; this outcome is
        still written if possible."""
        self._unwritten.append(outcome)
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write_all())
        if len(self._unwritten) >= self._most:
            self._has_room.clear()
            await self._has_room.wait()
        self._check()

    async def recorded(self, outcome: Outcome) -> None:
        """Returns when this outcome is written. Raises the error of a failed write."""
        while self._error is None and any(each is outcome for each in self._unwritten):
            await self._batch.wait()
        self._check()

    async def written(self) -> None:
        """Returns when all outcomes are written. Raises the error of a failed write."""
        if self._writing is not None:
            await self._writing
        self._check()

    async def _write_all(self) -> None:
        try:
            while some := tuple(self._unwritten):
                await self._write(some)
                del self._unwritten[: len(some)]
                self._has_room.set()
                self._end_batch()
        except Exception as error:
            # Raised by `add` and `written`.
            self._error = error
        finally:
            self._has_room.set()
            self._end_batch()

    def _end_batch(self) -> None:
        ended, self._batch = self._batch, asyncio.Event()
        ended.set()

    def _check(self) -> None:
        if self._error is not None:
            raise self._error
