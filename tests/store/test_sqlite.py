"""What only the SQLite store has to promise."""

import asyncio
import sys
from asyncio.subprocess import PIPE
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from serve_app.domain.errors import StoreUnreachable, Unavailable
from serve_app.settings import Settings
from serve_app.store.factory import open_store
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.schema import VERSION


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "invoices.db"


def raw(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None)


async def test_the_file_is_made_with_its_folder_durable_and_versioned(path: Path) -> None:
    database = Database(path)
    assert (await database.read(lambda c: c.execute("PRAGMA journal_mode").fetchone()))[0] == "wal"
    assert (await database.write(lambda c: c.execute("PRAGMA synchronous").fetchone()))[0] == 2
    assert (await database.read(lambda c: c.execute("PRAGMA user_version").fetchone()))[0] == VERSION
    await database.close()


_RELIED_ON = {
    "journal_mode": "wal",
    "foreign_keys": 1,
    "secure_delete": 1,
    "trusted_schema": 0,
    "mmap_size": 0,
    "locking_mode": "normal",
    "wal_autocheckpoint": 8000,
}


async def test_every_connection_has_the_settings_that_are_relied_on(path: Path) -> None:
    def settings(connection: sqlite3.Connection) -> dict[str, object]:
        return {name: connection.execute(f"PRAGMA {name}").fetchone()[0] for name in [*_RELIED_ON, *own]}

    own = ("synchronous", "query_only")
    database = Database(path)
    assert await database.write(settings) == {**_RELIED_ON, "synchronous": 2, "query_only": 0}
    assert await database.note(settings) == {**_RELIED_ON, "synchronous": 1, "query_only": 0}
    assert await database.read(settings) == {**_RELIED_ON, "synchronous": 2, "query_only": 1}
    await database.close()


async def test_what_is_deleted_is_gone_from_the_file(path: Path) -> None:
    database = Database(path)
    await database.write(partial(_fill, number=1, size=10_000))
    await database.write(lambda c: c.execute("DELETE FROM accounts"))
    await database.close()
    assert b"x" * 100 not in await asyncio.to_thread(path.read_bytes)


async def test_opening_again_keeps_everything(path: Path) -> None:
    for expected in (0, 1):
        database = Database(path)
        count = await database.write(lambda c: c.execute("SELECT count(*) FROM accounts").fetchone()[0])
        assert count == expected
        await database.write(
            lambda c: (
                c.execute("INSERT OR IGNORE INTO accounts (id, plan, created_at) VALUES ('a', 'free', 0)").rowcount
            )
        )
        await database.close()


async def test_a_newer_file_is_refused(path: Path) -> None:
    await Database(path).close()
    connection = raw(path)
    connection.execute("PRAGMA user_version = 1000")
    connection.execute("UPDATE schema_info SET oldest = 1000")
    connection.commit()
    connection.close()
    with pytest.raises(RuntimeError, match="schema version 1000"):
        Database(path)


async def test_starting_all_at_once_works(path: Path) -> None:
    with ThreadPoolExecutor(6) as pool:
        databases = list(pool.map(lambda _: Database(path), range(6)))
    for database in databases:
        await database.ping()
        await database.close()


async def test_an_exception_undoes_the_whole_write(path: Path) -> None:
    database = Database(path)

    def half(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO accounts (id, plan, created_at) VALUES ('a', 'free', 0)")
        raise RuntimeError("halfway")

    with pytest.raises(RuntimeError, match="halfway"):
        await database.write(half)
    assert (await database.read(lambda c: c.execute("SELECT count(*) FROM accounts").fetchone()))[0] == 0
    await database.close()


async def test_a_store_that_stays_locked_is_unreachable_and_comes_back(path: Path) -> None:
    database = Database(path, busy_seconds=0.05)
    other = raw(path)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreUnreachable):
        await database.write(lambda c: c.execute("INSERT INTO accounts (id, plan, created_at) VALUES ('a', 'free', 0)"))
    await database.ping()
    other.execute("ROLLBACK")
    other.close()
    await database.write(lambda c: c.execute("INSERT INTO accounts (id, plan, created_at) VALUES ('a', 'free', 0)"))
    await database.close()


_RECOVERY = """
import fcntl, sys, time
with open(sys.argv[1] + "-shm", "r+b") as shared:
    # The locks of who recovers the log, whose index is lost.
    fcntl.lockf(shared, fcntl.LOCK_EX, 3, 120)
    shared.write(bytes(96))
    shared.flush()
    print("recovering", flush=True)
    time.sleep(0.3)
"""


async def test_a_write_waits_while_another_process_recovers_the_log(path: Path) -> None:
    database = Database(path)
    other = await asyncio.create_subprocess_exec(sys.executable, "-c", _RECOVERY, str(path), stdout=PIPE)
    assert other.stdout is not None
    await other.stdout.readline()
    await database.write(lambda c: c.execute("INSERT INTO accounts (id, plan, created_at) VALUES ('a', 'free', 0)"))
    assert await other.wait() == 0
    await database.close()


async def test_a_log_that_grew_shrinks_again(path: Path) -> None:
    database, log = Database(path), path.with_name(f"{path.name}-wal")
    reader = raw(path)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM accounts").fetchone()
    # While somebody reads an older state, the log cannot restart.
    for number in range(5):
        await database.write(partial(_fill, number=number, size=10_000_000))
    assert log.stat().st_size > 40_000_000
    reader.close()
    for number in range(5, 8):
        await database.write(partial(_fill, number=number, size=10))
    assert log.stat().st_size <= 32 * 2**20
    await database.close()


def _fill(connection: sqlite3.Connection, number: int, size: int) -> None:
    row = (str(number), "x" * size)
    connection.execute("INSERT INTO accounts (id, plan, created_at, email) VALUES (?, 'free', 0, ?)", row)


async def test_a_full_disk_is_503_and_leaves_nothing(path: Path) -> None:
    database = Database(path)
    await database.write(lambda c: c.execute("PRAGMA max_page_count = 1").fetchone())
    with pytest.raises(Unavailable):
        await database.write(
            lambda c: c.execute("INSERT INTO accounts (id, plan, created_at) VALUES (?, 'free', 0)", ("x" * 200_000,))
        )
    await database.write(lambda c: c.execute("PRAGMA max_page_count = 100000").fetchone())
    assert (await database.read(lambda c: c.execute("SELECT count(*) FROM accounts").fetchone()))[0] == 0
    await database.close()


async def test_a_cancelled_caller_does_not_undo_a_write_asked_for(path: Path) -> None:
    database = Database(path)
    write = asyncio.create_task(
        database.write(
            lambda c: c.execute("INSERT INTO accounts (id, plan, created_at) VALUES ('a', 'free', 0)").rowcount
        )
    )
    await asyncio.sleep(0)
    write.cancel()
    with pytest.raises(asyncio.CancelledError):
        await write
    await database.write(lambda c: None)
    assert (await database.read(lambda c: c.execute("SELECT count(*) FROM accounts").fetchone()))[0] == 1
    await database.close()


def test_an_unknown_kind_of_store_is_refused_without_showing_the_password() -> None:
    with pytest.raises(ValueError, match="postgresql:// is not supported") as caught:
        open_store(Settings(database_url="postgresql://user:hunter2@host/db"))
    assert "hunter2" not in str(caught.value)
