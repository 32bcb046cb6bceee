"""The connections of one process: two that write and one that reads, each in its own thread.

SQLite's calls block, so none is made on the event loop. WAL lets the reader go on while any process writes; every
write is a BEGIN IMMEDIATE transaction, so writers of all processes take turns and none starts on a stale snapshot.
"""

import asyncio
import logging
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

from serve_app.domain import errors
from serve_app.store.sqlite.schema import migrate

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]

BUSY_SECONDS = 5.0
"""How long a call waits for another process's write before the storage counts as out of reach."""

log = logging.getLogger(__name__)


class Database:
    """Runs functions on the database file at `path`, which is created and brought to the present schema."""

    def __init__(self, path: Path, busy_seconds: float = BUSY_SECONDS) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._writer = _Lane(path, "writer", busy_seconds)
        with _transaction(self._writer.connection):
            migrate(self._writer.connection)
        self._noter = _Lane(path, "noter", busy_seconds)
        self._noter.connection.execute("PRAGMA synchronous = NORMAL")
        self._reader = _Lane(path, "reader", busy_seconds)

    async def write(self, work: Work[T]) -> T:
        """Run `work` in a transaction: all of it is durable on return, none of it after an exception.

        A cancelled caller does not undo it: once asked for, the write happens.
        """

        return await self._writer.run(partial(_in_transaction, work))

    async def note(self, work: Work[T]) -> T:
        """The same for what may be forgotten when the machine loses power: it does not wait for the disk."""
        return await self._noter.run(partial(_in_transaction, work))

    async def read(self, work: Work[T]) -> T:
        """Run `work`, which only reads; several statements may see different moments."""
        return await self._reader.run(work)

    async def ping(self) -> None:
        """Returns when the file answers."""
        await self.read(lambda connection: connection.execute("SELECT 1").fetchone())

    async def close(self) -> None:
        """Finish what was asked for and close."""
        for lane in (self._reader, self._noter, self._writer):
            await asyncio.to_thread(lane.close)


class _Lane:
    """A connection and the one thread that uses it."""

    def __init__(self, path: Path, name: str, busy_seconds: float) -> None:
        self.connection = _connect(path, busy_seconds)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=f"sqlite-{name}")

    async def run(self, work: Work[T]) -> T:
        call = asyncio.get_running_loop().run_in_executor(self._thread, self._guarded, work)
        return await asyncio.shield(call)

    def _guarded(self, work: Work[T]) -> T:
        try:
            return work(self.connection)
        except sqlite3.OperationalError as error:
            # Locked for too long, disk full, input/output error: the storage's trouble, not the caller's.
            log.error("database out of reach: %s", error)
            raise errors.service_unavailable() from error

    def close(self) -> None:
        self._thread.shutdown(wait=True)
        self.connection.close()


def _in_transaction(work: Work[T], connection: sqlite3.Connection) -> T:
    with _transaction(connection):
        return work(connection)


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Commits on leaving, rolls back after an exception."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # A full disk may have ended the transaction already; the first error is the one to tell.
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def _connect(path: Path, busy_seconds: float) -> sqlite3.Connection:
    # isolation_level None: transactions are begun and ended here, never behind our back.
    connection = sqlite3.connect(path, timeout=busy_seconds, isolation_level=None, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    _use_wal(connection, deadline=time.monotonic() + busy_seconds)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def _use_wal(connection: sqlite3.Connection, deadline: float) -> None:
    """Switch to WAL; SQLite does not wait for its turn in this one call when processes start at once."""
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)
