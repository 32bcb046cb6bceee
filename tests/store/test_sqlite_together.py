"""Writes that share a transaction: an error in one does not affect the others."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from serve_app.domain.errors import StoreUnreachable
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3

Work = Callable[[sqlite3.Connection], object]
COUNT = "SELECT count(*) FROM accounts"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "invoices.db"


def add(number: int, size: int = 1) -> Work:
    values = (str(number), "x" * size)
    return lambda connection: connection.execute(
        "INSERT INTO accounts (id, plan, created_at, email) VALUES (?, 'free', 0, ?)", values
    )


async def together(path: Path, database: Database, works: list[Work]) -> list[object]:
    """The results of writes that all wait for the lock, and so go into one transaction."""
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    calls = [asyncio.create_task(database.write(work)) for work in works]
    await asyncio.sleep(0.1)
    other.execute("ROLLBACK")
    other.close()
    return await asyncio.gather(*calls, return_exceptions=True)


@pytest.mark.parametrize(
    "statement",
    ["INSERT INTO no_such_table VALUES (1)", "SELECT no_such_function()", "SELECT json('no json')", "not even SQL"],
)
async def test_a_statement_that_fails_fails_alone(path: Path, statement: str) -> None:
    database = Database(path)
    works = [add(1), add(2), lambda connection: connection.execute(statement).fetchall(), add(3), add(4)]
    results = await together(path, database, works)
    assert [isinstance(result, Exception) for result in results] == [False, False, True, False, False]
    assert isinstance(results[2], sqlite3.OperationalError)
    assert await database.read(lambda c: c.execute(COUNT).fetchone()[0]) == 4
    await database.close()


async def test_a_full_disk_is_an_error_for_everybody(path: Path) -> None:
    database = Database(path)
    pages = await database.write(lambda c: c.execute("PRAGMA page_count").fetchone()[0])
    await database.write(lambda c: c.execute(f"PRAGMA max_page_count = {pages + 4}").fetchone())
    results = await together(path, database, [add(1), add(2, size=200_000), add(3)])
    assert [type(result) for result in results] == [StoreUnreachable] * 3
    assert await database.read(lambda c: c.execute(COUNT).fetchone()[0]) == 0
    await database.close()


async def test_the_statement_that_ends_the_transaction_has_its_own_error(path: Path) -> None:
    def ends(connection: sqlite3.Connection) -> None:
        connection.execute("ROLLBACK")
        raise ValueError("by mistake")

    database = Database(path)
    first, wrong, last = await together(path, database, [add(1), ends, add(2)])
    assert isinstance(wrong, ValueError)
    for neighbour in (first, last):
        assert isinstance(neighbour, StoreUnreachable)
    assert await database.read(lambda c: c.execute(COUNT).fetchone()[0]) == 0
    await database.close()


async def test_a_read_that_fails_has_its_own_error(path: Path) -> None:
    database = Database(path)
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        await database.read(lambda connection: connection.execute("SELECT 1 FROM no_such_table"))
    await database.close()
