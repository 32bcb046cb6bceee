"""Indexes are made while the service runs: only those that keep the data right are waited for."""

import asyncio
import logging
from dataclasses import dataclass, field
from typing import Any

import pytest
from pymongo import IndexModel
from pymongo.errors import AutoReconnect, NetworkTimeout, PyMongoError

from serve_app.domain.errors import Unavailable
from serve_app.domain.ids import new_id
from serve_app.store.base import Store
from serve_app.store.mongo.engine import index_building
from serve_app.store.mongo.engine.index_building import IndexBuilding
from serve_app.store.mongo.engine.indexes import INDEXES
from serve_app.store.mongo.store import open_mongo
from tests.store.mongo_faults import Fault, FaultyClient, FaultyCollection, background_done
from tests.support import Clock
from tests.support.mongomock import mock_client

UNIQUE = [index for index in INDEXES if index.is_unique]
OTHERS = [index for index in INDEXES if not index.is_unique]
Row = dict[str, Any]


@dataclass
class Builds(Fault):
    """Index builds, of which those that are not unique take as long as it takes for `finished`, or fail first."""

    finished: asyncio.Event = field(default_factory=asyncio.Event)
    failures: list[PyMongoError] = field(default_factory=list)
    made: list[str] = field(default_factory=list)
    is_unique: bool = False

    def asked(self, collection: FaultyCollection, name: str, values: tuple[Any, ...], options: Row) -> None:
        if name == "create_indexes":
            made = [model.document for model in values[0]]
            self.made += [f"{collection.name}.{index['name']}" for index in made]
            self.is_unique = any(index.get("unique", False) for index in made)

    async def do(self, operation: Any, name: str, *where: Any) -> Any:
        if name == "create_indexes" and not self.is_unique:
            if self.failures:
                raise self.failures.pop()
            await self.finished.wait()
        return await operation()


def opened(builds: Builds, client: Any) -> Store:
    return open_mongo("mongodb://nowhere/invoices", 8, Clock(), FaultyClient(client, builds))


async def names(client: Any) -> set[tuple[str, str]]:
    database = client.get_database("invoices")
    collections = {index.collection for index in INDEXES}
    return {
        (collection, name)
        for collection in collections
        for name in await database[collection].index_information()
        if name != "_id_"
    }


async def test_the_service_answers_while_indexes_that_take_long_are_made() -> None:
    client: Any = mock_client()
    builds = Builds()
    store = opened(builds, client)
    assert await store.accounts.get(new_id()) is None
    assert await names(client) == {(index.collection, index.name) for index in UNIQUE}
    builds.finished.set()
    await background_done()
    assert await names(client) == {(index.collection, index.name) for index in INDEXES}


async def test_a_build_that_failed_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(index_building, "_PAUSE", 0.0)
    client: Any = mock_client()
    builds = Builds(failures=[AutoReconnect("gone"), NetworkTimeout("still at it")])
    builds.finished.set()
    with caplog.at_level(logging.WARNING):
        await opened(builds, client).connection.ping()
        await background_done()
    assert await names(client) == {(index.collection, index.name) for index in INDEXES}
    assert "still at it" in caplog.text


async def test_what_is_there_is_not_made_again() -> None:
    client: Any = mock_client()
    for expected in (INDEXES, UNIQUE):
        builds = Builds()
        builds.finished.set()
        await opened(builds, client).connection.ping()
        await background_done()
        # MongoDB alone can tell whether a unique one that is there can be relied on already.
        assert sorted(builds.made) == sorted(f"{index.collection}.{index.name}" for index in expected)


async def test_a_process_ends_while_indexes_are_made() -> None:
    store = opened(Builds(), mock_client())
    await store.connection.ping()
    await store.connection.close()
    await background_done()


@dataclass
class Server:
    """A database as a server shows it; `name` is that of its replica set."""

    name: str | None = None
    failures: list[PyMongoError] = field(default_factory=list)
    asked: list[tuple[str, list[str], Row]] = field(default_factory=list)

    async def command(self, _: str) -> Row:
        return {"setName": self.name} if self.name else {}

    def __getitem__(self, collection: str) -> "Indexed":
        return Indexed(self, collection)


@dataclass
class Indexed:
    server: Server
    name: str

    async def index_information(self) -> Row:
        return {}

    async def create_indexes(self, models: list[IndexModel], **options: Any) -> None:
        self.server.asked.append((self.name, [model.document["name"] for model in models], options))
        if self.server.failures:
            raise self.server.failures.pop()

    async def drop_index(self, _: str) -> None:
        raise AssertionError("nothing is obsolete")


async def test_a_member_that_is_down_holds_no_index_up() -> None:
    server: Any = Server("rs0")
    await IndexBuilding(server, INDEXES).have_unique()
    await background_done()
    assert {option for _, _, options in server.asked for option in options.items()} == {("commitQuorum", "majority")}
    assert sorted((name, index) for name, made, _ in server.asked for index in made) == sorted(
        (index.collection, index.name) for index in INDEXES
    )


async def test_a_start_waits_for_one_answer_for_each_collection_with_something_unique() -> None:
    server: Any = Server("rs0")
    await IndexBuilding(server, UNIQUE).have_unique()
    assert len(server.asked) == len({index.collection for index in UNIQUE})


async def test_a_single_server_gets_no_quorum() -> None:
    server: Any = Server()
    await IndexBuilding(server, INDEXES).have_unique()
    await background_done()
    assert sum(len(made) for _, made, _ in server.asked) == len(INDEXES)
    assert all(options == {} for _, _, options in server.asked)


async def test_a_unique_index_that_takes_long_is_not_asked_for_at_every_call(monkeypatch: pytest.MonkeyPatch) -> None:
    server: Any = Server("rs0", failures=[NetworkTimeout("at it")])
    building = IndexBuilding(server, UNIQUE)
    for _ in range(3):
        with pytest.raises(NetworkTimeout):
            await building.have_unique()
    assert len(server.asked) == 1
    monkeypatch.setattr(index_building, "_PAUSE", -1.0)
    await building.have_unique()


async def test_until_a_unique_index_is_there_calls_are_503() -> None:
    class Down(Builds):
        async def do(self, operation: Any, name: str, *where: Any) -> Any:
            if self.is_unique and self.failures:
                raise self.failures.pop()
            return await super().do(operation, name, *where)

    builds = Down(failures=[AutoReconnect("no majority")])
    builds.finished.set()
    store = opened(builds, mock_client())
    with pytest.raises(Unavailable):
        await store.connection.ping()
    await store.connection.ping()
    await background_done()
