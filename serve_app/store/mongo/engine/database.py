"""The connection of one process, and the path that every operation takes."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from datetime import datetime
from typing import Any, TypeVar

import pymongo
from pymongo.read_concern import ReadConcern

from serve_app.domain.clock import Clock
from serve_app.domain.errors import Unavailable
from serve_app.store.mongo.engine.errors import outage_log, translate_errors
from serve_app.store.mongo.engine.index_building import IndexBuilding, Upgrade
from serve_app.store.mongo.engine.indexes import INDEXES, Index
from serve_app.store.mongo.engine.server_clock import ServerClock
from serve_app.store.mongo.engine.types import Collections

T = TypeVar("T")
Work = Callable[[Collections], Awaitable[T]]


class Database:
    """Runs functions on the database `name`. Connects on the first call, which also creates the indexes and then, in
    the background, brings documents of earlier versions up to date with `upgrade`; `first` comes before the indexes.

    What is read from `confirmed` is what `read_confirmed` sees. `call_seconds` is how long a call may take, with
    everything that it waits for: a server, a connection, the answers, the majority.
    """

    def __init__(
        self,
        client: Any,
        name: str,
        clock: Clock | None = None,
        indexes: Sequence[Index] = INDEXES,
        upgrade: Upgrade | None = None,
        call_seconds: float = 5.0,
        first: Upgrade | None = None,
    ) -> None:
        self._client = client
        self._call_seconds = call_seconds
        self._collections: Collections = client.get_database(name)
        # A standalone server treats everything as confirmed.
        self.confirmed: Collections = client.get_database(name, read_concern=ReadConcern("majority"))
        self._clock = clock
        self._server_clock = ServerClock(self._collections)
        self._indexes = IndexBuilding(self._collections, indexes, upgrade, first)
        self._outage_log = outage_log()
        self._writing: set[asyncio.Task[Any]] = set()

    async def write(self, work: Work[T]) -> T:
        """Run `work`, within the time of a call; each of its steps is durable once it is done.

        Cancelling the caller does not stop it: once requested, all its steps are taken.
        """
        return await self._finish(self._run(work, self._collections, self._call_seconds, is_change=True))

    async def write_at_length(self, work: Work[T]) -> T:
        """The same for work with an unknown number of steps: each has the driver's own limits, the whole has none."""
        return await self._finish(self._run(work, self._collections, None, is_change=True))

    async def read(self, work: Work[T]) -> T:
        """Run `work`, which only reads, within the time of a call."""
        return await self._run(work, self._collections, self._call_seconds)

    async def read_confirmed(self, work: Work[T]) -> T:
        """Run `work`, which only reads: it sees only what a majority of the members has, so no failover rolls it back.
        It may be a moment out of date: do not use it for a read that decides a write."""
        return await self._run(work, self.confirmed, self._call_seconds)

    async def read_at_length(self, work: Work[T]) -> T:
        """The same as `read` without a limit for the whole."""
        return await self._run(work, self._collections, None)

    async def now(self) -> datetime:
        """The time that leases are measured by: the server's. To be called within a read or write."""
        return await self._server_clock.now() if self._clock is None else self._clock()

    async def ping(self) -> None:
        """Returns when the server answers."""
        await self.read(lambda collections: collections.command("ping"))

    async def close(self) -> None:
        """Finish the requested writes and close."""
        await asyncio.gather(*self._writing, return_exceptions=True)
        await self._indexes.close()
        self._client.close()

    async def _finish(self, work: Coroutine[Any, Any, T]) -> T:
        task = asyncio.create_task(work)
        self._writing.add(task)
        task.add_done_callback(self._ended)
        return await asyncio.shield(task)

    async def _run(
        self, work: Work[T], collections: Collections, seconds: float | None, *, is_change: bool = False
    ) -> T:
        try:
            with translate_errors(self._outage_log):
                await self._indexes.have_unique()
            # One deadline for all steps, whatever each of them waits for.
            with translate_errors(self._outage_log, is_change=is_change), pymongo.timeout(seconds):
                return await work(collections)
        except Unavailable:
            self._server_clock.forget()
            raise

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._writing.discard(task)
        if not task.cancelled():
            # Retrieved, so that asyncio does not complain if the caller is gone.
            task.exception()
