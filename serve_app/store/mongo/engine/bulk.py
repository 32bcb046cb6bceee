"""Several changes of a collection in one command."""

from collections.abc import Sequence
from typing import Any

from pymongo import ReplaceOne, UpdateOne
from pymongo.errors import BulkWriteError, WriteConcernError

from serve_app.store.mongo.engine.types import Row

_DUPLICATE_KEY = 11000


async def write_all(collection: Any, changes: Sequence[UpdateOne | ReplaceOne[Row]]) -> int:
    """Make the changes, in any order; returns how many documents they matched. An upsert for which another process was
    faster counts as none. Raises the driver's error if a majority did not confirm them in time."""
    try:
        return int((await collection.bulk_write(list(changes), ordered=False)).matched_count)
    except BulkWriteError as error:
        details: Any = error.details or {}
        for failure in details.get("writeConcernErrors", ()):
            raise WriteConcernError(failure.get("errmsg", ""), failure.get("code"), failure) from error
        if any(each.get("code") != _DUPLICATE_KEY for each in details.get("writeErrors", ())):
            raise
        return int(details.get("nMatched", 0))
