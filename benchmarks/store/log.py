"""The write-ahead log while processes write, and connections read so that they never all pause."""

import asyncio
import multiprocessing
import threading
import time
from pathlib import Path

from benchmarks.store.report import Result, table, times_of
from serve_app.domain.errors import ServiceError
from serve_app.domain.ids import new_id
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3

MOST_BYTES = 96 * 2**20
"""What the log may grow to."""
_WRITERS, _EACH_BYTES, _READ_SECONDS = 4, 100_000, 0.25
_ADD = "INSERT INTO accounts (id, plan, created_at, email) VALUES (?, 'free', 0, '')"
_UPDATE = "UPDATE accounts SET email = ? WHERE id = ?"
_Written = tuple[list[float], int]
"""How long each write took, in seconds, and how many were refused."""


def measure_log(database: Path, seconds: float) -> Result:
    """Several processes write as fast as they can, while two connections read in turns."""
    asyncio.run(Database(database).close())
    context = multiprocessing.get_context("spawn")
    answers: multiprocessing.SimpleQueue[_Written] = context.SimpleQueue()
    writers = [context.Process(target=_write, args=(database, seconds, answers)) for _ in range(_WRITERS)]
    end = time.monotonic() + seconds + 2
    readers = [threading.Thread(target=_read, args=(database, delay, end)) for delay in (0, _READ_SECONDS / 2)]
    for writer in writers:
        writer.start()
    for reader in readers:
        reader.start()
    peak = _peak(database.with_name(f"{database.name}-wal"), end)
    written = [answers.get() for _ in writers]
    for writer in writers:
        writer.join()
    for reader in readers:
        reader.join()
    return _result(database, seconds, peak, written)


def _result(database: Path, seconds: float, peak: int, written: list[_Written]) -> Result:
    waits = [wait for each, _ in written for wait in each]
    times, refused = times_of(waits), sum(count for _, count in written)
    head = f"### The log: {_WRITERS} processes write for {seconds:.0f} s, two connections read in turns"
    rows = [
        ("the log at its longest, MB", f"{peak / 1e6:.0f}"),
        ("the database, MB", f"{database.stat().st_size / 1e6:.0f}"),
        ("written, MB", f"{len(waits) * _EACH_BYTES / 1e6:.0f}"),
        ("a write, p50, p99 and longest, ms", f"{times.median:.1f}, {times.p99:.1f}, {max(waits) * 1000:.0f}"),
        ("writes answered 503", refused),
    ]
    return Result([head, "", *table(["", ""], rows)], peak <= MOST_BYTES and not refused)


def _peak(log: Path, end: float) -> int:
    peak = 0
    while time.monotonic() < end:
        peak = max(peak, log.stat().st_size if log.exists() else 0)
        time.sleep(0.01)
    return peak


def _write(database: Path, seconds: float, answers: "multiprocessing.SimpleQueue[_Written]") -> None:
    answers.put(asyncio.run(_written(database, seconds)))


async def _written(path: Path, seconds: float) -> _Written:
    database, name, refused = Database(path), str(new_id()), 0
    waits: list[float] = []
    await database.write(lambda connection: connection.execute(_ADD, (name,)))
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        began, values = time.perf_counter(), (chr(97 + len(waits) % 26) * _EACH_BYTES, name)
        try:
            await database.write(lambda connection, values=values: connection.execute(_UPDATE, values))  # type: ignore[misc]
        except ServiceError:
            refused += 1
        waits.append(time.perf_counter() - began)
    await database.close()
    return waits, refused


def _read(database: Path, delay: float, end: float) -> None:
    connection = sqlite3.connect(database, isolation_level=None, timeout=30)
    time.sleep(delay)
    while time.monotonic() < end:
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM accounts").fetchone()
        time.sleep(_READ_SECONDS)
        connection.execute("COMMIT")
    connection.close()
