"""New pending deliveries of an endpoint, and its lane, which they make due.

The lane is part of the endpoint's document: `due_at` is when it may be claimed (missing: nothing waits), `is_held`
whether a worker holds it, `lane` how often it was claimed. `arrivals` counts deliveries that arrived while it was held:
the holder looks up what is due next, and gives the lane back only if nothing arrived since. So a process that makes a
delivery pending writes it first and then calls `make_due`; no delivery waits without a lane that is due.
"""

from collections.abc import Sequence
from contextlib import suppress

from pymongo import ReturnDocument
from pymongo.errors import DuplicateKeyError

from serve_app.domain.event import EventType
from serve_app.store.mongo.delivery_rows import PAUSED, PENDING, new_delivery
from serve_app.store.mongo.endpoint_rows import endpoints_of
from serve_app.store.mongo.types import Collections, Row

NOT_HELD: Row = {"is_held": {"$ne": True}}


async def make_due(collections: Collections, endpoint_id: str, at: int, marks: Sequence[str] = ()) -> Row | None:
    """Note that the endpoint has a delivery, already written, that is due at this moment, and end these marks of
    `settling`. Returns the endpoint's updated row; None if it was removed."""
    ended: Row = {"$pull": {"unsettled": {"id": {"$in": list(marks)}}}} if marks else {}
    changes: tuple[tuple[Row, Row], ...] = (
        (NOT_HELD, {"$min": {"due_at": at}, **ended}),
        ({"is_held": True}, {"$inc": {"arrivals": 1}, **ended}),
    )
    while True:
        for state, change in changes:
            row: Row | None = await collections.endpoints.find_one_and_update(
                {"_id": endpoint_id, **state}, change, return_document=ReturnDocument.AFTER
            )
            if row is not None:
                return row
        # Retry if the lane was claimed or given back in between.
        if await collections.endpoints.find_one({"_id": endpoint_id}, {"_id": 1}) is None:
            return None


async def add_deliveries(collections: Collections, event: Row, now: int) -> int:
    """Add a delivery of the event in this row for every endpoint that wants it and has none yet; due from `now` on.
    Returns how many endpoints want it."""
    endpoints = await endpoints_of(collections, event["account_id"])
    wanting = [endpoint for endpoint in endpoints if endpoint.wants(EventType(event["type"]))]
    for endpoint in wanting:
        await _add(collections, event, str(endpoint.id), now)
    return len(wanting)


async def _add(collections: Collections, event: Row, endpoint_id: str, now: int) -> None:
    this: Row = {"event_id": event["_id"], "endpoint_id": endpoint_id}
    # An earlier try may have got this far, or another process does the same at this moment.
    with suppress(DuplicateKeyError):
        await collections.deliveries.update_one(this, {"$setOnInsert": new_delivery(event, endpoint_id)}, upsert=True)
    endpoint = await make_due(collections, endpoint_id, now)
    # A process that removed or paused the endpoint meanwhile may have looked for its deliveries before this one
    # existed.
    if endpoint is None:
        await collections.deliveries.delete_one(this)
    elif endpoint["paused_reason"] is not None:
        await collections.deliveries.update_one({**this, "state": PENDING}, {"$set": PAUSED})
