"""Mongomock with what it lacks of a server."""

from datetime import UTC, datetime
from typing import Any

from mongomock.collection import BulkOperationBuilder, Collection
from mongomock.command_cursor import CommandCursor
from mongomock.database import Database
from mongomock_motor import AsyncMongoMockClient

# Any: Mongomock has no types of its own.
_database: Any = Database
_collection: Any = Collection
_cursor: Any = CommandCursor
_bulk: Any = BulkOperationBuilder
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
    """With the partial filters, which mongomock drops of indexes that are created together, and ignores where it looks
    whether what is there already is unique."""
    return [_create_index(self, index.document) for index in indexes]


def _create_index(collection: Any, document: Any) -> str:
    keys, options = list(document["key"].items()), _options(document)
    name = str(document["name"])
    if not ("unique" in options and "partialFilterExpression" in options):
        return str(collection.create_index(keys, **options))
    if name not in collection.index_information():
        collection.create_index(keys, **{key: value for key, value in options.items() if key != "unique"})
        # Not looked at: of what is there already, this trusts the tests.
        collection._store.indexes[name]["unique"] = True
    return name


def _options(document: Any) -> dict[str, Any]:
    return {name: value for name, value in document.items() if name != "key"}


def _aggregate_without_empty_groups(self: Any, pipeline: Any, *arguments: Any, **options: Any) -> Any:
    """A server has no group of nothing; mongomock has one of all of it."""
    rows = list(_aggregate(self, pipeline, *arguments, **options))
    is_of_all = any("$group" in stage and stage["$group"]["_id"] is None for stage in pipeline)
    matches = [stage["$match"] for stage in pipeline if "$match" in stage]
    is_empty = is_of_all and len(pipeline) == 2 and matches and self.find_one(matches[0]) is None
    return _cursor([] if is_empty else rows)


def _without_sort(add: Any) -> Any:
    """The drivers of today also tell in which order a bulk write looks for documents: none, here."""

    def add_change(self: Any, *arguments: Any, sort: Any = None, **options: Any) -> None:
        assert sort is None
        add(self, *arguments, **options)

    return add_change


_bulk.add_update, _bulk.add_replace = _without_sort(_bulk.add_update), _without_sort(_bulk.add_replace)
_database.command = _command_or_hello
_collection.create_indexes = _create_indexes
_collection.aggregate = _aggregate_without_empty_groups
