"""Databases to test stores on: SQLite for real, MongoDB simulated, and on a real server where one is named."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from serve_app.domain.clock import Clock
from serve_app.settings import Settings
from serve_app.store.base import Store
from serve_app.store.base.store_check import StoreCheck
from serve_app.store.factory import open_store, open_store_check
from serve_app.store.sqlite import schema
from serve_app.store.sqlite.engine.file import make_private_file
from serve_app.store.sqlite.engine.opening import connect, migrated

if TYPE_CHECKING:
    from pymongo.database import Database as MongoDatabase

SERVER_URL = os.environ.get("MONGODB_TEST_URL")
SHARED_KINDS = ["sqlite", *(["mongodb"] if SERVER_URL else [])]
"""Kinds that several processes can open."""
KINDS = [*SHARED_KINDS, "mongomock"]
"""All kinds. Mongomock behaves like MongoDB, but lives in one process and has no server's clock."""


def create_collections(database: "MongoDatabase[Any]") -> None:
    """All that the store uses. SecantusDB 0.7 locks up where an index and a write create the same one at once."""
    from serve_app.store.mongo.engine.indexes import FILE_INDEXES, INDEXES

    indexed = {index.collection for index in (*INDEXES, *FILE_INDEXES)}
    for name in indexed | {"accounts", "deployment", "fs.files", "fs.chunks"}:
        database.create_collection(name)


@dataclass(frozen=True, slots=True)
class Database:
    """A database for one test. `client` stands in for a connection to a server."""

    url: str
    client: Any = None

    def open(self, settings: Settings, clock: Clock | None) -> Store:
        """The store in it, as a process opens it."""
        if self.client is None:
            return open_store(settings, clock)
        from serve_app.store.mongo.store import open_mongo

        return open_mongo(self.url, settings.max_running_per_account, clock, self.client)

    def open_check(self, settings: Settings) -> StoreCheck:
        """The same, to check what it holds."""
        if self.client is None:
            return open_store_check(settings)
        from serve_app.store.mongo.store import open_mongo_check

        return open_mongo_check(self.url, self.client)


def place_new_file(path: Path) -> None:
    """A database file as the store makes it. Copying one is much faster than making it."""
    make_private_file(path)
    path.write_bytes(_new_file(schema.VERSION))


@cache
def _new_file(_version: int) -> bytes:
    """One for each version of the tables: tests of upgrades pretend to be of the next one."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "new.db"
        connection = migrated(connect(path, busy_seconds=5))
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        return path.read_bytes()


@contextmanager
def open_database(kind: str, folder: Path) -> Iterator[Database]:
    """A new database of this kind; what it leaves on a server is removed."""
    name = f"test_{uuid4().hex}"
    if kind == "sqlite":
        place_new_file(folder / "invoices.db")
        yield Database(f"sqlite:///{folder}/invoices.db")
    elif kind == "mongomock":
        from tests.support.mongomock import mock_client

        yield Database(f"mongodb://nowhere/{name}", mock_client())
    else:
        from pymongo import MongoClient

        with MongoClient[dict[str, Any]](SERVER_URL) as client:
            create_collections(client[name])
            # What is done is tested, not how fast a busy machine does it.
            yield Database(f"{str(SERVER_URL).rstrip('/')}/{name}?timeoutMS=60000")
            client.drop_database(name)
