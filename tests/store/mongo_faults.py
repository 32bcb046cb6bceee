"""A simulated MongoDB whose operations fail on purpose, or take turns in a random order."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, TypeVar

from pymongo.errors import AutoReconnect

from serve_app.domain.errors import ServiceError

T = TypeVar("T")

_CURSORS = frozenset({"find", "aggregate"})
_CHAINED = frozenset({"sort", "limit"})


class Crash(Exception):
    """The process is dead: no operation of it does anything any more."""


class Kind(Enum):
    CRASH = auto()
    """The operation and all that follow are never asked for."""
    LOST_REQUEST = auto()
    """The connection breaks before the operation is done."""
    LOST_ANSWER = auto()
    """The connection breaks after it was done."""


@dataclass
class Fault:
    """Lets operation number `at` fail, counted from `arm` on; None: none fails. Others go ahead in between, in an order
    that `order` decides."""

    kind: Kind = Kind.CRASH
    at: int | None = None
    order: random.Random = field(default_factory=lambda: random.Random(0))  # noqa: S311 - no secret
    count: int = -1

    def arm(self) -> None:
        self.count = 0

    async def do(self, operation: Callable[[], Awaitable[Any]]) -> Any:
        for _ in range(self.order.randrange(3)):
            await asyncio.sleep(0)
        if self.count >= 0:
            self.count += 1
        hit = self.at is not None and self.count == self.at
        if self.kind is Kind.CRASH and self.at is not None and self.count >= self.at:
            raise Crash
        if hit and self.kind is Kind.LOST_REQUEST:
            raise AutoReconnect("lost request")
        result = await operation()
        if hit and self.kind is Kind.LOST_ANSWER:
            raise AutoReconnect("lost answer")
        return result


class FaultyClient:
    """Stands in for a client: `client` with the fault in every operation."""

    def __init__(self, client: Any, fault: Fault) -> None:
        self._client = client
        self._fault = fault

    def get_database(self, name: str) -> "_Database":
        return _Database(self._client.get_database(name), self._fault)

    def close(self) -> None:
        """The client is another's."""


class _Database:
    def __init__(self, database: Any, fault: Fault) -> None:
        self._database = database
        self._fault = fault

    def __getattr__(self, name: str) -> "_Collection":
        return self[name]

    def __getitem__(self, name: str) -> "_Collection":
        return _Collection(self._database[name], self._fault)

    def get_collection(self, name: str, **_: Any) -> "_Collection":
        return self[name]


class _Collection:
    def __init__(self, collection: Any, fault: Fault) -> None:
        self._collection = collection
        self._fault = fault

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self._collection, name)
        if name in _CURSORS:
            return lambda *values, **options: _Cursor(lambda: method(*values, **options), self._fault)
        return lambda *values, **options: self._fault.do(lambda: method(*values, **options))


class _Cursor:
    """Asks once, when its list is wanted."""

    def __init__(self, ask: Callable[[], Any], fault: Fault) -> None:
        self._ask = ask
        self._fault = fault

    def __getattr__(self, name: str) -> Callable[..., "_Cursor"]:
        assert name in _CHAINED
        ask, fault = self._ask, self._fault
        return lambda *values: _Cursor(lambda: getattr(ask(), name)(*values), fault)

    async def to_list(self, length: int | None) -> list[Any]:
        found: list[Any] = await self._fault.do(lambda: self._ask().to_list(length))
        return found


async def patient(call: Callable[[], Awaitable[T]], tries: int = 3) -> T | None:
    """Goes on after a 503, as the services do; None where it stays."""
    for _ in range(tries):
        with suppress(ServiceError):
            return await call()
    return None
