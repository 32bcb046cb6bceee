"""A simulated MongoDB whose operations fail on purpose, or take turns in a random order."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, TypeVar

from pymongo.errors import AutoReconnect, WTimeoutError
from pymongo.read_concern import ReadConcern

from serve_app.domain.errors import ServiceError

T = TypeVar("T")

_CURSORS = frozenset({"find", "aggregate"})
_CHAINED = frozenset({"sort", "limit"})
_READS = _CURSORS | {"find_one", "distinct", "index_information", "command"}


class Crash(Exception):
    """The process is dead: no operation of it does anything any more."""


class Kind(Enum):
    CRASH = auto()
    """The operation and all that follow are never asked for."""
    LOST_REQUEST = auto()
    """The connection breaks before the operation is done."""
    LOST_ANSWER = auto()
    """The connection breaks after it was done."""
    UNCONFIRMED = auto()
    """It was done, but no majority of the members confirmed it in time; nothing happens to what only reads."""
    ROLLED_BACK = auto()
    """The same, and it is undone: a member that never had it is the primary from the next write on. Until then what is
    read shows it, unless only what a majority has is wanted."""


_UNCONFIRMED = frozenset({Kind.UNCONFIRMED, Kind.ROLLED_BACK})


@dataclass
class Fault:
    """Lets operation number `at` fail, and the next ones up to `length` in all, counted from `arm` on; None: none
    fails. Others go ahead in between, in an order that `order` decides. `strikes` are the numbers at which one could
    fail."""

    kind: Kind = Kind.CRASH
    at: int | None = None
    length: int = 1
    order: random.Random = field(default_factory=lambda: random.Random(0))  # noqa: S311 - no secret
    count: int = -1
    strikes: list[int] = field(default_factory=list)
    rolled_back: "_Contents | None" = None

    def arm(self) -> None:
        self.count = 0

    def disarm(self) -> None:
        self.count = -1

    async def do(
        self, operation: Callable[[], Awaitable[Any]], name: str, database: Any, concern: ReadConcern | None = None
    ) -> Any:
        """Do the operation, a method of this name, or fail."""
        for _ in range(self.order.randrange(3)):
            await asyncio.sleep(0)
        hit = self._hits(name)
        if hit and self.kind is Kind.ROLLED_BACK:
            self.rolled_back = self.rolled_back or await _Contents.of(database)
        elif name not in _READS or concern is not None:
            await self.fail_over()
        if self.kind is Kind.CRASH and self.at is not None and self.count >= self.at:
            raise Crash
        if hit and self.kind is Kind.LOST_REQUEST:
            raise AutoReconnect("lost request")
        result = await operation()
        if hit and self.kind is Kind.LOST_ANSWER:
            raise AutoReconnect("lost answer")
        if hit and self.kind in _UNCONFIRMED:
            raise WTimeoutError("waiting for replication timed out", 64)
        return result

    async def fail_over(self) -> None:
        """Undo what is to be rolled back, if it has not happened yet."""
        contents, self.rolled_back = self.rolled_back, None
        if contents is not None:
            await contents.restore()

    def asked(
        self, collection: "FaultyCollection", name: str, values: tuple[Any, ...], options: dict[str, Any]
    ) -> None:
        """For tests that look at what is asked for: the collection's method of this name is about to be called."""

    def _hits(self, name: str) -> bool:
        if self.count < 0:
            return False
        self.count += 1
        if self.kind in _UNCONFIRMED and name in _READS:
            return False
        self.strikes.append(self.count)
        return self.at is not None and self.at <= self.count < self.at + self.length


@dataclass(frozen=True)
class _Contents:
    """All documents of a database at a moment."""

    database: Any
    documents: dict[str, list[Any]]

    @classmethod
    async def of(cls, database: Any) -> "_Contents":
        names = await database.list_collection_names()
        return cls(database, {name: await database[name].find({}).to_list(None) for name in names})

    async def restore(self) -> None:
        for name in await self.database.list_collection_names():
            await self.database[name].delete_many({})
            if documents := self.documents.get(name):
                await self.database[name].insert_many(documents)


class FaultyClient:
    """Stands in for a client: `client` with the fault in every operation."""

    def __init__(self, client: Any, fault: Fault) -> None:
        self._client = client
        self._fault = fault

    def get_database(self, name: str, read_concern: ReadConcern | None = None) -> "_Database":
        return _Database(self._client.get_database(name), self._fault, read_concern)

    def close(self) -> None:
        """The client is another's."""


class _Database:
    def __init__(self, database: Any, fault: Fault, concern: ReadConcern | None = None) -> None:
        self._database = database
        self._fault = fault
        self._concern = concern

    def __getattr__(self, name: str) -> "FaultyCollection":
        return self[name]

    def __getitem__(self, name: str) -> "FaultyCollection":
        return FaultyCollection(self._database[name], self._fault, name, self._concern)

    async def command(self, name: str) -> Any:
        return await self._fault.do(lambda: self._database.command(name), "command", self._database)

    def get_collection(self, name: str, read_concern: ReadConcern | None = None, **_: Any) -> "FaultyCollection":
        return FaultyCollection(self._database[name], self._fault, name, read_concern or self._concern)


class FaultyCollection:
    """A collection by its name, and how sure what is read from it must be."""

    def __init__(self, collection: Any, fault: Fault, name: str, concern: ReadConcern | None) -> None:
        self._collection = collection
        self._fault = fault
        self.name = name
        self.concern = concern

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self._collection, name)

        def call(*values: Any, **options: Any) -> Any:
            self._fault.asked(self, name, values, options)
            if name in _CURSORS:
                return _Cursor(lambda: method(*values, **options), name, self._do)
            return self._do(lambda: method(*values, **options), name)

        return call

    async def _do(self, operation: Callable[[], Awaitable[Any]], name: str) -> Any:
        return await self._fault.do(operation, name, self._collection.database, self.concern)


class _Cursor:
    """Asks once, when its list is wanted."""

    def __init__(self, ask: Callable[[], Any], name: str, do: Callable[..., Awaitable[Any]]) -> None:
        self._ask = ask
        self._name = name
        self._do = do

    def __getattr__(self, name: str) -> Callable[..., "_Cursor"]:
        assert name in _CHAINED
        ask = self._ask
        return lambda *values: _Cursor(lambda: getattr(ask(), name)(*values), self._name, self._do)

    async def to_list(self, length: int | None) -> list[Any]:
        found: list[Any] = await self._do(lambda: self._ask().to_list(length), self._name)
        return found


async def patient(call: Callable[[], Awaitable[T]], tries: int = 3) -> T | None:
    """Goes on after a 503, as the services do; None where it stays."""
    for _ in range(tries):
        with suppress(ServiceError):
            return await call()
    return None


async def background_done() -> None:
    """Waits until only the caller's task is left: indexes are made in the background."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    if others:
        await asyncio.wait(others)
