"""The write-ahead log: it can restart only at a moment when nobody reads from it, and grows until then.

With overlapping reads, such a moment never comes by itself, and SQLite's own wait for it fails if new readers keep
replacing the ones that it waits for. So the log is first written into the file while the file's lock keeps writers
away: later readers then need only the file. A checkpoint waits for the earlier ones.
"""

import logging
import time
from collections.abc import Callable
from contextlib import closing, suppress

from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.engine.file import DatabaseFile
from serve_app.store.sqlite.engine.lock import begin

log = logging.getLogger(__name__)

KEPT_BYTES = 32 * 2**20
"""The size that the log shrinks back to after it has grown under load."""
RESTART_BYTES = 64 * 2**20
"""The size at which a checkpoint waits for readers."""
# A failed checkpoint may have stopped all writers for nothing: the next one waits until the log has grown this much.
_STEP_BYTES = 32 * 2**20
_PAUSE_SECONDS = 0.002
# Whoever notices late that the file was replaced may find the log of the new one.
_PROMPT_SECONDS = 5.0


class WriteAheadLog:
    """The log of the database that `connection` writes; `connect` opens another connection to it. A checkpoint that
    restarts the log waits up to `timeout_seconds`."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        connect: Callable[[], sqlite3.Connection],
        file: DatabaseFile,
        timeout_seconds: float,
    ) -> None:
        self._connection = connection
        self._connect = connect
        self._file = file
        self._timeout_seconds = timeout_seconds
        self._bytes_before: int | None = None
        self._is_left = False
        connection.execute(f"PRAGMA journal_size_limit = {KEPT_BYTES}")

    def begin(self) -> None:
        """Call this in a write transaction, before anything is written."""
        self._bytes_before = self._file.log_bytes()

    def keep_short(self) -> None:
        """Let the log restart if the transaction that `begin` was called in made it too long. Raises
        sqlite3.Error."""
        self._is_left = False
        before, self._bytes_before = self._bytes_before, None
        if before is None:
            return
        size = self._file.log_bytes()
        # Of all processes, only the one that crossed the step.
        is_due = size >= RESTART_BYTES and size // _STEP_BYTES > before // _STEP_BYTES
        if is_due and not self._restart():
            log.warning("the write-ahead log has grown to %d MB: a reader has been active for a long time", size >> 20)

    def leave(self) -> None:
        """Empty the log of a file that was moved or replaced, so that it is not applied to a file in its place."""
        if self._is_left:
            return
        self._is_left = True
        with suppress(sqlite3.Error):
            if time.monotonic() < self._file.seen_at + _PROMPT_SECONDS and self._empty():
                log.error("the database file was moved or replaced; writing its log into it")
                return
        log.error("the database file was moved or replaced, and its log could not be emptied")

    def _restart(self) -> bool:
        """Whether the log restarts with the next write."""
        deadline = time.monotonic() + self._timeout_seconds
        with closing(self._connect()) as other:
            while time.monotonic() < deadline:
                # A writer may come in between: then try again.
                if self._write_back(other, deadline) and _checkpoint(other, "RESTART", self._timeout_seconds / 2):
                    return True
        return False

    def _write_back(self, other: sqlite3.Connection, deadline: float) -> bool:
        """Write all of the log into the file, as soon as all readers are past it."""
        begin(self._connection, self._file, deadline)
        try:
            while not _checkpoint(other, "PASSIVE", 0):
                if time.monotonic() > deadline:
                    return False
                time.sleep(_PAUSE_SECONDS)
        finally:
            self._connection.execute("ROLLBACK")
        return True

    def _empty(self) -> bool:
        deadline = time.monotonic() + self._timeout_seconds
        while not _checkpoint(self._connection, "TRUNCATE", self._timeout_seconds) and self._file.log_bytes():
            if time.monotonic() > deadline:
                return False
            # Another process makes a checkpoint: then SQLite does not wait.
            time.sleep(_PAUSE_SECONDS)
        return True


def _checkpoint(connection: sqlite3.Connection, mode: str, timeout_seconds: float) -> bool:
    """Whether all that it is for could be done in time."""
    connection.execute(f"PRAGMA busy_timeout = {int(timeout_seconds * 1000)}")
    try:
        is_busy, frames, written = connection.execute(f"PRAGMA wal_checkpoint({mode})").fetchone()
    finally:
        connection.execute("PRAGMA busy_timeout = 0")
    return not is_busy and frames == written
