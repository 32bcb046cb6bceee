"""The connections of one process: two that write and two that read, each in its own thread.

SQLite's calls block, so none is made on the event loop. WAL lets readers continue while any process writes. Every write
is a BEGIN IMMEDIATE transaction, so writers of all processes take turns and none starts on a stale snapshot.
"""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TypeVar

from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.engine.errors import answer_for
from serve_app.store.sqlite.engine.file import DatabaseFile, make_private_file
from serve_app.store.sqlite.engine.jobs import Work
from serve_app.store.sqlite.engine.log import WriteAheadLog
from serve_app.store.sqlite.engine.opening import connect, migrated
from serve_app.store.sqlite.engine.reader import Reader
from serve_app.store.sqlite.engine.writer import Writer
from serve_app.system.thread_pools import DATABASE

T = TypeVar("T")

BUSY_SECONDS = 5.0
"""How long a call waits for others before the storage counts as unreachable."""
NOTE_SECONDS = 0.5
"""The same for data that may be lost: no caller waits long for it."""
READ_SECONDS = 2.0
"""How long a read may take."""
# Small, so that a quick lookup hardly ever waits for a slow one that came after it.
_LOOKUPS_TOGETHER = 8


class Database:
    """Runs functions on the database file at `path`, which is created and migrated to the current schema."""

    def __init__(self, path: Path, busy_seconds: float = BUSY_SECONDS, read_seconds: float = READ_SECONDS) -> None:
        make_private_file(path)
        again = partial(connect, path, busy_seconds)
        writing, noting, reading, searching = migrated(again()), again(), again(), again()
        noting.execute("PRAGMA synchronous = NORMAL")
        self._file = file = DatabaseFile(path)
        # A checkpoint waits for two reads in a row at most, and writes, which are more patient, for the checkpoint.
        logs = [WriteAheadLog(each, again, file, 0.8 * busy_seconds) for each in (writing, noting)]
        self._writer = Writer(writing, logs[0], file, "writer", busy_seconds)
        self._noter = Writer(noting, logs[1], file, "noter", min(busy_seconds, NOTE_SECONDS))
        self._reader = Reader(reading, file, "reader", _LOOKUPS_TOGETHER, busy_seconds, read_seconds)
        self._searcher = Reader(searching, file, "searcher", 1, busy_seconds, read_seconds)

    async def write(self, work: Work[T]) -> T:
        """Run `work` in a transaction: all of it is durable on return, none of it after an exception.

        Cancelling the caller does not undo it: once requested, the write happens.
        """
        return await self._writer.run(work)

    async def note(self, work: Work[T]) -> T:
        """The same for data that may be lost in a power failure: it does not wait for the disk."""
        return await self._noter.run(work)

    async def read(self, work: Work[T]) -> T:
        """Run `work`, which only reads, and finds what it wants by an index; its statements may see different
        snapshots."""
        return await self._reader.run(work)

    async def rows(self, statement: str, values: Mapping[str, object], *, is_search: bool) -> list[sqlite3.Row]:
        """All rows of a statement that only reads; for a search, see `search`."""
        run = self.search if is_search else self.read
        return await run(lambda connection: connection.execute(statement, values).fetchall())

    async def search(self, work: Work[T]) -> T:
        """Run `work`, which only reads, and may have to look through many rows: it waits for other searches, and
        lookups do not wait for it. Raises QueryTimeout if it takes too long."""
        return await self._searcher.run(work)

    async def ping(self) -> None:
        """Returns when the file answers: the one at the path is the one that was opened, and can be read."""
        await self.read(lambda connection: connection.execute("SELECT 1 FROM accounts LIMIT 1").fetchone())
        try:
            await DATABASE.run(self._file.read_page)
        except Exception as error:
            raise answer_for(error) from error

    async def close(self) -> None:
        """Finish the requested calls and close."""
        for worker in (self._searcher, self._reader, self._noter, self._writer):
            await DATABASE.run(worker.close)
