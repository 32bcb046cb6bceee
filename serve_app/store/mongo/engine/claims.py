"""Claims of what is due: its moment is moved to the end of the lease."""

from datetime import datetime

from pymongo import ASCENDING, ReturnDocument

from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.rows.codec import to_micros


async def claim_due(
    collections: Collections, name: str, where: Row, now: datetime, until: datetime, fields: Row | None = None
) -> Row | None:
    """The document that is due first, now due at `until`; None if there is none."""
    due = where | {"due_at": {"$gt": 0, "$lte": to_micros(now)}}
    collection = collections[name]
    # Looked for first: mostly nothing is due, and the write names the account.
    while (next := await collection.find_one(due, {"account_id": 1}, sort=[("due_at", ASCENDING)])) is not None:
        row: Row | None = await collection.find_one_and_update(
            due | next, {"$set": {"due_at": to_micros(until)}}, fields, return_document=ReturnDocument.AFTER
        )
        if row is not None:
            return row
    return None
