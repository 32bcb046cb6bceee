"""Mongomock with what it lacks of a server."""

from datetime import UTC, datetime
from typing import Any

from mongomock.collection import Collection
from mongomock.command_cursor import CommandCursor
from mongomock.database import Database
from mongomock_motor import AsyncMongoMockClient

# Any: Mongomock has no types of its own.
_database: Any = Database
_collection: Any = Collection
_cursor: Any = CommandCursor
_command, _aggregate = _database.command, _collection.aggregate


def mock_client() -> Any:
    """A client of a database of its own."""
    return AsyncMongoMockClient(tz_aware=True)


def _command_or_hello(self: Any, command: Any, **options: Any) -> Any:
    """A standalone server says what time it is."""
    if command == "hello":
        return {"ok": 1.0, "localTime": datetime.now(UTC).replace(tzinfo=None)}
    return _command(self, command, **options)


def _create_indexes(self: Any, indexes: Any, session: Any = None) -> list[str]:
    """With the partial filters, which mongomock drops of indexes that are created together."""
    return [self.create_index(list(index.document["key"].items()), **_options(index.document)) for index in indexes]


def _options(document: Any) -> dict[str, Any]:
    return {name: value for name, value in document.items() if name != "key"}


def _aggregate_without_empty_groups(self: Any, pipeline: Any, *arguments: Any, **options: Any) -> Any:
    """A server has no group of nothing; mongomock has one of all of it."""
    rows = list(_aggregate(self, pipeline, *arguments, **options))
    is_of_all = any("$group" in stage and stage["$group"]["_id"] is None for stage in pipeline)
    matches = [stage["$match"] for stage in pipeline if "$match" in stage]
    is_empty = is_of_all and len(pipeline) == 2 and matches and self.find_one(matches[0]) is None
    return _cursor([] if is_empty else rows)


_database.command = _command_or_hello
_collection.create_indexes = _create_indexes
_collection.aggregate = _aggregate_without_empty_groups
