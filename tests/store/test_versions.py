"""A program works on the database of the next version, and refuses one that it does not understand."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from serve_app.domain.account import Account, Plan
from serve_app.domain.ids import new_id
from serve_app.store.base import Files, Store
from serve_app.store.mongo.engine import schema as mongo_schema
from serve_app.store.mongo.store import open_mongo
from serve_app.store.sqlite import schema
from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.store import open_sqlite
from tests.support import NOON, Clock, newest_events
from tests.support.mongomock import mock_client
from tests.support.sound import make_scene

EXPANDED = (
    (
        "ALTER TABLE invoices ADD COLUMN colour TEXT NOT NULL DEFAULT 'red'",
        "ALTER TABLE accounts ADD COLUMN colour TEXT",
        "CREATE TABLE colours (name TEXT PRIMARY KEY) STRICT",
        "CREATE INDEX invoices_by_colour ON invoices (account_id, colour)",
    ),
    None,
)
_REMOVES = re.compile(r"DROP (TABLE|COLUMN)|RENAME|ADD COLUMN (?!.*DEFAULT).*NOT NULL", re.IGNORECASE)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "invoices.db"


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """The next version of the program, until it is undone; it only adds."""
    with monkeypatch.context() as changed:
        changed.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, EXPANDED))
        yield changed


def version(path: Path) -> int:
    with sqlite3.connect(path) as connection:
        found = connection.execute("PRAGMA user_version").fetchone()[0]
    connection.close()
    return int(found)


async def work(store: Store, files: Files) -> None:
    """What a service does, and reads again."""
    scene = await make_scene(store, files)
    assert len(await newest_events(store, scene.account.id)) == 4
    assert len(await store.vendors.by_spend(scene.account.id, 10)) == 1


async def test_the_version_before_works_on_what_the_next_made_and_back(
    path: Path, newer: pytest.MonkeyPatch, files: Files
) -> None:
    known = len(schema.MIGRATIONS)
    before = open_sqlite(path, 8, Clock())
    newer.undo()
    assert version(path) == known
    # Both at once, as during a rolling update.
    present = open_sqlite(path, 8, Clock())
    for store in (before, present, before):
        await work(store, files)
    assert version(path) == known
    await before.connection.close()
    await present.connection.close()
    newer.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, EXPANDED))
    again = open_sqlite(path, 8, Clock())
    await work(again, files)
    assert len((await again.accounts.page(10)).items) == 4
    await again.connection.close()


def test_a_version_that_removed_something_is_refused_by_those_before(path: Path, newer: pytest.MonkeyPatch) -> None:
    newer.setattr(schema, "OLDEST", len(schema.MIGRATIONS))
    schema_of = sqlite3.connect(path, isolation_level=None)
    schema.migrate(schema_of)
    newer.undo()
    with pytest.raises(RuntimeError, match=f"schema version {len(schema.MIGRATIONS) + 1}, this program knows"):
        schema.migrate(schema_of)
    schema_of.close()


def test_versions_that_older_programs_must_work_on_only_add() -> None:
    for number, (statements, _) in enumerate(schema.MIGRATIONS[schema.OLDEST :], schema.OLDEST + 1):
        removing = [statement for statement in statements if _REMOVES.search(statement)]
        assert not removing, f"version {number} removes something: OLDEST must be {number}"


@pytest.mark.parametrize("statement", ["DROP TABLE a", "ALTER TABLE a RENAME b TO c", "ADD COLUMN a TEXT NOT NULL"])
def test_what_removes_something_is_told_from_what_adds(statement: str) -> None:
    assert _REMOVES.search(statement)
    assert not any(_REMOVES.search(added) for added in EXPANDED[0])


class TestMongo:
    async def open_and_write(self, client: object) -> tuple[int, int] | None:
        store = open_mongo("mongodb://nowhere/invoices", 8, Clock(), client)
        await store.accounts.add(Account(new_id(), Plan.FREE, NOON))
        database = client.get_database("invoices")  # type: ignore[attr-defined]
        return await mongo_schema.stored_versions(database)

    async def test_the_version_is_noted(self) -> None:
        assert await self.open_and_write(mock_client()) == (mongo_schema.SCHEMA, mongo_schema.OLDEST)

    @pytest.mark.parametrize("is_understood", [True, False])
    async def test_a_newer_version_is_worked_on_only_if_it_may_be(
        self, is_understood: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        client, newer = mock_client(), mongo_schema.SCHEMA + 1
        with monkeypatch.context() as changed:
            changed.setattr(mongo_schema, "SCHEMA", newer)
            changed.setattr(mongo_schema, "OLDEST", mongo_schema.OLDEST if is_understood else newer)
            noted = await self.open_and_write(client)
        if is_understood:
            assert await self.open_and_write(client) == noted
        else:
            with pytest.raises(RuntimeError, match=f"schema version {newer}, this program knows {newer - 1}"):
                await self.open_and_write(client)
