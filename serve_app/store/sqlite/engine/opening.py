"""Opens connections, and brings the file to the current schema."""

import time
from pathlib import Path

from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.schema import migrate

# Every setting that the store relies on, because builds of SQLite differ in their defaults.
SETTINGS = {
    "synchronous": "FULL",
    "foreign_keys": "ON",
    # What is erased is overwritten, so that the file does not contain it any more.
    "secure_delete": "ON",
    # The schema of a foreign file must not run code.
    "trusted_schema": "OFF",
    "locking_mode": "NORMAL",
    # With a mapped file, a read beyond the end of a damaged one would kill the process.
    "mmap_size": 0,
    "wal_autocheckpoint": 8000,
    "cache_size": -32768,
}
_PAUSE_SECONDS = 0.02


def connect(path: Path, busy_seconds: float) -> sqlite3.Connection:
    """A connection in WAL mode with all settings; its calls wait up to `busy_seconds` for other processes."""
    # isolation_level None: transactions begin and end only explicitly, in the store, never implicitly in the driver.
    connection = sqlite3.connect(path, timeout=busy_seconds, isolation_level=None, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    _use_wal(connection, deadline=time.monotonic() + busy_seconds)
    for name, value in SETTINGS.items():
        connection.execute(f"PRAGMA {name} = {value}")
    return connection


def migrated(connection: sqlite3.Connection) -> sqlite3.Connection:
    """The connection, once the file has the current schema. Raises RuntimeError if it has a newer one."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        migrate(connection)
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
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
            time.sleep(_PAUSE_SECONDS)
