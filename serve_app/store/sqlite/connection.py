"""The connections of one process: two that write and one that reads, each in its own thread.

SQLite's calls block, so none is made on the event loop. WAL lets the reader continue while any process writes. Every
write is a BEGIN IMMEDIATE transaction, so writers of all processes take turns and none starts on a stale snapshot.
"""

import asyncio
import time
from pathlib import Path
from typing import TypeVar

from serve_app.store.sqlite.driver import sqlite3
from serve_app.store.sqlite.jobs import Work
from serve_app.store.sqlite.reader import Reader
from serve_app.store.sqlite.schema import migrate
from serve_app.store.sqlite.writer import Writer

T = TypeVar("T")

BUSY_SECONDS = 5.0
"""How long a call waits for another process's write before the storage counts as unreachable."""
NOTE_SECONDS = 0.5
"""The same for data that may be lost: no caller waits long for it."""

# All that the store relies on: every build of SQLite has defaults of its own.
SETTINGS = {
    "synchronous": "FULL",
    "foreign_keys": "ON",
    # What is erased is overwritten, so that the file does not contain it any more.
    "secure_delete": "ON",
    # A file from elsewhere runs no code by its schema.
    "trusted_schema": "OFF",
    "locking_mode": "NORMAL",
    # With a mapped file, a read beyond the end of a damaged one would kill the process.
    "mmap_size": 0,
    "wal_autocheckpoint": 8000,
    "cache_size": -32768,
}


class Database:
    """Runs functions on the database file at `path`, which is created and migrated to the current schema."""

    def __init__(self, path: Path, busy_seconds: float = BUSY_SECONDS) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = _connect(path, busy_seconds)
        _migrate(connection)
        self._writer = Writer(connection, "writer", busy_seconds)
        noting = _connect(path, busy_seconds)
        noting.execute("PRAGMA synchronous = NORMAL")
        self._noter = Writer(noting, "noter", min(busy_seconds, NOTE_SECONDS))
        reading = _connect(path, busy_seconds)
        reading.execute("PRAGMA query_only = ON")
        self._reader = Reader(reading)

    async def write(self, work: Work[T]) -> T:
        """Run `work` in a transaction: all of it is durable on return, none of it after an exception.

        Cancelling the caller does not undo it: once requested, the write happens.
        """
        return await self._writer.run(work)

    async def note(self, work: Work[T]) -> T:
        """The same for data that may be lost in a power failure: it does not wait for the disk."""
        return await self._noter.run(work)

    async def read(self, work: Work[T]) -> T:
        """Run `work`, which only reads; its statements may see different snapshots."""
        return await self._reader.run(work)

    async def ping(self) -> None:
        """Returns when the file answers."""
        await self.read(lambda connection: connection.execute("SELECT 1").fetchone())

    async def close(self) -> None:
        """Finish the requested calls and close."""
        for lane in (self._reader, self._noter, self._writer):
            await asyncio.to_thread(lane.close)


def _migrate(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        migrate(connection)
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _connect(path: Path, busy_seconds: float) -> sqlite3.Connection:
    # isolation_level None: transactions begin and end only explicitly, here, never implicitly in the driver.
    connection = sqlite3.connect(path, timeout=busy_seconds, isolation_level=None, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    _use_wal(connection, deadline=time.monotonic() + busy_seconds)
    for name, value in SETTINGS.items():
        connection.execute(f"PRAGMA {name} = {value}")
    return connection


def _use_wal(connection: sqlite3.Connection, deadline: float) -> None:
    """Switch to WAL. When several processes start at once, SQLite does not wait for its turn in this one call, so it is
    retried."""
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)
