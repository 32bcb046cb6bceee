"""The database file is private to its owner, and the store notices that it was moved, replaced or damaged."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from serve_app.domain.errors import StoreUnreachable
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3

COUNT = "SELECT count(email) FROM accounts"
ADD = "INSERT INTO accounts (id, plan, created_at, email) VALUES (?, 'free', 0, '')"
ROOT = "SELECT rootpage FROM sqlite_schema WHERE name = 'accounts'"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "invoices.db"


def add(number: int) -> Callable[[sqlite3.Connection], None]:
    def work(connection: sqlite3.Connection) -> None:
        connection.execute(
            "INSERT INTO accounts (id, plan, created_at, email) VALUES (?, 'free', 0, '')", (str(number),)
        )

    return work


async def count(database: Database) -> int:
    return int(await database.read(lambda connection: connection.execute(COUNT).fetchone()[0]))


async def assert_refused(call: Awaitable[object]) -> None:
    with pytest.raises(StoreUnreachable):
        await call


async def assert_all_refused(database: Database) -> None:
    await assert_refused(database.ping())
    await assert_refused(count(database))
    await assert_refused(database.write(add(1000)))
    await assert_refused(database.note(add(1001)))


def copy(path: Path, to: Path) -> None:
    """A backup, as an operator makes it while the service runs."""
    source, target = sqlite3.connect(path), sqlite3.connect(to)
    source.backup(target)
    source.close()
    target.close()


def modes(path: Path) -> dict[str, str]:
    return {entry.name: oct(entry.stat().st_mode & 0o777) for entry in (path.parent, *path.parent.iterdir())}


PRIVATE = {"data": "0o700", "invoices.db": "0o600", "invoices.db-wal": "0o600", "invoices.db-shm": "0o600"}


@pytest.mark.parametrize("umask", [0o000, 0o022])
async def test_files_and_folder_are_private_whatever_the_umask(path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        database = Database(path)
        await database.write(add(1))
        assert modes(path) == PRIVATE
        await database.close()
    finally:
        os.umask(before)


async def test_files_that_others_could_read_become_private(path: Path) -> None:
    path.parent.mkdir(mode=0o700)
    await asyncio.to_thread(path.touch, 0o644)
    database = Database(path)
    await database.write(add(1))
    assert modes(path) == PRIVATE
    await database.close()


async def test_a_file_that_was_moved_is_missed_and_found_again(path: Path) -> None:
    database, aside = Database(path), path.with_name("aside.db")
    await database.write(add(1))
    await asyncio.to_thread(path.rename, aside)
    await assert_all_refused(database)
    await asyncio.to_thread(aside.rename, path)
    await database.ping()
    await database.write(add(2))
    assert await count(database) == 2
    await database.close()


async def test_no_replica_works_on_a_replaced_file_and_a_restart_has_what_was_restored(path: Path) -> None:
    replicas = [Database(path), Database(path)]
    await replicas[0].write(add(1))
    backup = path.with_name("backup.db")
    await asyncio.to_thread(copy, path, backup)
    for number in range(2, 60):
        await replicas[number % 2].write(add(number))
    await asyncio.to_thread(backup.rename, path)
    for replica in replicas:
        await assert_all_refused(replica)
        await replica.close()

    database = Database(path)
    assert await count(database) == 1
    assert (await database.read(lambda c: c.execute("PRAGMA integrity_check").fetchone()))[0] == "ok"
    await database.write(add(2))
    await database.close()


async def test_what_was_written_before_the_move_is_in_the_file_that_was_moved(path: Path) -> None:
    database, aside = Database(path), path.parent.parent / "aside.db"
    await database.write(add(1))
    await asyncio.to_thread(path.rename, aside)
    await assert_all_refused(database)
    await database.close()
    connection = sqlite3.connect(aside)
    assert connection.execute(COUNT).fetchone()[0] == 1
    connection.close()


async def test_a_damaged_file_is_not_ready(path: Path) -> None:
    database = Database(path)
    await database.ping()
    with path.open("r+b") as file:
        file.write(b"\xff" * 4096)
    await assert_refused(database.ping())
    await database.close()


async def test_a_file_cut_short_is_not_ready(path: Path) -> None:
    database = Database(path)
    await database.write(lambda connection: None)
    os.truncate(path, 0)
    await assert_refused(database.ping())
    await database.close()


async def test_damaged_pages_are_a_fault_of_the_storage(path: Path) -> None:
    database = Database(path)
    await database.write(add(1))
    root = await database.read(lambda c: c.execute(ROOT).fetchone()[0])
    await database.close()
    with path.open("r+b") as file:
        file.seek((root - 1) * 4096)
        file.write(b"\xff" * 4096)
    database = Database(path)
    await assert_refused(count(database))
    await assert_refused(database.write(add(2)))
    await database.close()


async def test_looking_at_the_file_often_leaves_nothing_open(path: Path) -> None:
    database = Database(path)
    await database.ping()
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(30):
        await database.ping()
    assert len(os.listdir("/proc/self/fd")) == before
    # The lock on the file, without which another process would believe it is alone, is still held.
    await database.write(add(1))
    await database.close()
