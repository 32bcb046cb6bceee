"""The write-ahead log stays bounded, also where reads overlap all the time."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.engine.log import RESTART_BYTES

READ_SECONDS = 0.25
EACH_BYTES = 1_000_000


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "invoices.db"


@contextmanager
def overlapping_reads(path: Path) -> Iterator[None]:
    """Two connections that read in turns, so that at every moment somebody reads."""
    stop = threading.Event()

    def read(delay: float) -> None:
        connection = sqlite3.connect(path, isolation_level=None)
        time.sleep(delay)
        while not stop.is_set():
            connection.execute("BEGIN")
            connection.execute("SELECT count(*) FROM accounts").fetchone()
            time.sleep(READ_SECONDS)
            connection.execute("COMMIT")
        connection.close()

    threads = [threading.Thread(target=read, args=(delay,)) for delay in (0, READ_SECONDS / 2)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()


async def written(path: Path, databases: list[Database], times: int) -> int:
    """Write much over and over into the same row; returns the log's peak."""
    log, peak = path.with_name(f"{path.name}-wal"), 0
    insert = "INSERT INTO accounts (id, plan, created_at, email) VALUES ('a', 'free', 0, '')"
    await databases[0].write(lambda connection: connection.execute(insert))
    for number in range(times):
        text = chr(97 + number % 26) * EACH_BYTES
        database = databases[number % len(databases)]
        await database.write(lambda c, text=text: c.execute("UPDATE accounts SET email = ?", (text,)))  # type: ignore[misc]
        peak = max(peak, log.stat().st_size)
    return peak


@pytest.mark.slow
async def test_the_log_is_bounded_while_reads_overlap(path: Path) -> None:
    databases = [Database(path), Database(path)]
    with overlapping_reads(path):
        peak = await written(path, databases, times=200)
    assert peak < RESTART_BYTES + 8 * EACH_BYTES
    for database in databases:
        await database.close()


@pytest.mark.slow
async def test_a_reader_that_never_ends_stops_writers_only_now_and_then(path: Path) -> None:
    database = Database(path, busy_seconds=1.0)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN")
    other.execute("SELECT count(*) FROM accounts").fetchone()
    began = time.monotonic()
    await written(path, [database], times=120)
    took = time.monotonic() - began
    # Two waits of 0.8 s, not one with each write beyond the 64 MB.
    assert took < 25
    other.close()
    await database.close()
