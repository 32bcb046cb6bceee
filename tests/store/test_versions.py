"""A program works on the database of the next version, and refuses one that it does not understand."""

import hashlib
from collections.abc import Iterator
from contextlib import closing
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
from tests.support.old_databases import VERSIONS, make_old_database, shape
from tests.support.sound import make_scene

NEXT = schema.VERSION + 1
EXPANDED = (
    *schema.statements(),
    "ALTER TABLE invoices ADD COLUMN colour TEXT NOT NULL DEFAULT 'red'",
    "ALTER TABLE accounts ADD COLUMN colour TEXT",
    "CREATE TABLE colours (name TEXT PRIMARY KEY) STRICT",
    "CREATE INDEX invoices_by_colour ON invoices (account_id, colour)",
)
# The digest of the tables of the current version: with another one, databases of this version would stay as they are.
DIGEST = "89dbf25fe58332e362793615154bd2be3843abe29f6f064393f8a93e7402e2b9"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "invoices.db"


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """The next version of the program, until it is undone; it only adds."""
    with monkeypatch.context() as changed:
        become_newer(changed)
        yield changed


def become_newer(changed: pytest.MonkeyPatch) -> None:
    changed.setattr(schema, "VERSION", NEXT)
    changed.setattr(schema, "statements", lambda: EXPANDED)


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
    before = open_sqlite(path, 8, Clock())
    newer.undo()
    assert version(path) == NEXT
    # Both at once, as during a rolling update.
    present = open_sqlite(path, 8, Clock())
    for store in (before, present, before):
        await work(store, files)
    assert version(path) == NEXT
    await before.connection.close()
    await present.connection.close()
    become_newer(newer)
    again = open_sqlite(path, 8, Clock())
    await work(again, files)
    assert len((await again.accounts.page(10)).items) == 4
    await again.connection.close()


def test_a_version_that_removed_something_is_refused_by_those_before(path: Path, newer: pytest.MonkeyPatch) -> None:
    newer.setattr(schema, "OLDEST", NEXT)
    schema_of = sqlite3.connect(path, isolation_level=None)
    schema.migrate(schema_of)
    newer.undo()
    with pytest.raises(RuntimeError, match=f"schema version {NEXT}, this program supports"):
        schema.migrate(schema_of)
    schema_of.close()


def test_an_upgrade_removes_no_table_and_no_column(path: Path) -> None:
    make_old_database(path, VERSIONS[-1])
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("CREATE TABLE colours (name TEXT PRIMARY KEY) STRICT")
        connection.execute("ALTER TABLE invoices ADD COLUMN colour TEXT")
        schema.migrate(connection)
        assert connection.execute("SELECT count(*) FROM colours, invoices WHERE colour IS NULL").fetchall()


def test_a_column_that_the_version_before_would_not_write_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    required = (*schema.statements(), "CREATE TABLE colours (name TEXT PRIMARY KEY, code TEXT NOT NULL) STRICT")
    monkeypatch.setattr(schema, "statements", lambda: required)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("CREATE TABLE colours (name TEXT PRIMARY KEY) STRICT")
        connection.execute("INSERT INTO colours VALUES ('red')")
        with pytest.raises(sqlite3.OperationalError, match="NOT NULL"):
            schema.migrate(connection)


def test_a_changed_schema_has_a_new_version(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        schema.migrate(connection)
    digest = hashlib.sha256(repr(sorted(shape(path).items())).encode()).hexdigest()
    assert (schema.VERSION, digest) == (47, DIGEST), "the tables differ: raise VERSION, and note both here"


class TestMongo:
    async def open_and_write(self, client: object) -> tuple[int, int] | None:
        store = open_mongo("mongodb://nowhere/invoices", 8, Clock(), client)
        await store.accounts.add(Account(new_id(), Plan.FREE, NOON))
        database = client.get_database("invoices")  # type: ignore[attr-defined]
        return await mongo_schema.stored_versions(database)

    async def test_the_version_is_recorded(self) -> None:
        assert await self.open_and_write(mock_client()) == (mongo_schema.SCHEMA, mongo_schema.OLDEST)

    @pytest.mark.parametrize("is_understood", [True, False])
    async def test_a_newer_version_is_worked_on_only_if_it_may_be(
        self, is_understood: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        client, newer = mock_client(), mongo_schema.SCHEMA + 1
        with monkeypatch.context() as changed:
            changed.setattr(mongo_schema, "SCHEMA", newer)
            changed.setattr(mongo_schema, "OLDEST", mongo_schema.OLDEST if is_understood else newer)
            recorded = await self.open_and_write(client)
        if is_understood:
            assert await self.open_and_write(client) == recorded
        else:
            with pytest.raises(RuntimeError, match=f"schema version {newer}, this program supports {newer - 1}"):
                await self.open_and_write(client)
