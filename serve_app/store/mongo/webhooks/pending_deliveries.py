"""New pending deliveries of an endpoint, and its lane, which they make due.

The lane is part of the endpoint's document: `due_at` is when it may be claimed (missing: nothing waits), `is_held`
whether a worker holds it, `lane` how often it was claimed. `arrivals` counts deliveries that arrived while it was held:
the holder looks up what is due next, and gives the lane back only if nothing arrived since. So a process that makes a
delivery pending writes it first and then calls `make_due`; no delivery waits without a lane that is due.
"""

from collections.abc import Sequence

from pymongo import ReturnDocument, UpdateOne

from serve_app.domain.event import EventType
from serve_app.store.mongo.engine.bulk import write_all
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.mongo.webhooks.delivery_rows import PAUSED, PENDING, new_delivery
from serve_app.store.mongo.webhooks.endpoint_rows import endpoints_of

NOT_HELD: Row = {"is_held": {"$ne": True}}


async def make_due(
    collections: Collections, account_id: str, endpoint_id: str, at: int, marks: Sequence[str] = ()
) -> Row | None:
    """Note that the endpoint has a delivery, already written, that is due at this moment, and end these marks of
    `settling`. Returns the endpoint's updated row; None if it was removed."""
    ended: Row = {"$pull": {"unsettled": {"id": {"$in": list(marks)}}}} if marks else {}
    changes: tuple[tuple[Row, Row], ...] = (
        (NOT_HELD, {"$min": {"due_at": at}, **ended}),
        ({"is_held": True}, {"$inc": {"arrivals": 1}, **ended}),
    )
    this = {"_id": endpoint_id, "account_id": account_id}
    while True:
        for state, change in changes:
            row: Row | None = await collections.endpoints.find_one_and_update(
                {**this, **state}, change, return_document=ReturnDocument.AFTER
            )
            if row is not None:
                return row
        # Retry if the lane was claimed or given back in between.
        if await collections.endpoints.find_one(this, {"_id": 1}) is None:
            return None


async def add_deliveries(collections: Collections, events: Sequence[Row], now: int) -> int:
    """Add a delivery of the events in these rows for every endpoint that wants one and has none yet; due from `now` on.
    Returns how many there are, those of an earlier try included."""
    by_endpoint: dict[str, list[Row]] = {}
    for account_id in {event["account_id"] for event in events}:
        for endpoint in await endpoints_of(collections, account_id):
            for event in events:
                if event["account_id"] == account_id and endpoint.wants(EventType(event["type"])):
                    by_endpoint.setdefault(str(endpoint.id), []).append(event)
    if by_endpoint:
        # An earlier try may have got this far, or another process does the same at this moment.
        new = [_new(event, endpoint_id) for endpoint_id, own in by_endpoint.items() for event in own]
        await write_all(collections.deliveries, new)
    for endpoint_id, own in by_endpoint.items():
        await _note(collections, endpoint_id, own, now)
    return sum(map(len, by_endpoint.values()))


def _new(event: Row, endpoint_id: str) -> UpdateOne:
    this = {"account_id": event["account_id"], "event_id": event["_id"], "endpoint_id": endpoint_id}
    rest = {name: value for name, value in new_delivery(event, endpoint_id).items() if name not in this}
    return UpdateOne(this, {"$setOnInsert": rest}, upsert=True)


async def _note(collections: Collections, endpoint_id: str, events: Sequence[Row], now: int) -> None:
    """Make the endpoint's lane due for these events."""
    account_id = events[0]["account_id"]
    endpoint = await make_due(collections, account_id, endpoint_id, now)
    ids = [event["_id"] for event in events]
    these = {"account_id": account_id, "endpoint_id": endpoint_id, "event_id": {"$in": ids}}
    # A process that removed or paused the endpoint meanwhile may have looked for its deliveries before these existed.
    if endpoint is None:
        await collections.deliveries.delete_many(these)
    elif endpoint["paused_reason"] is not None:
        await collections.deliveries.update_many({**these, "state": PENDING}, {"$set": PAUSED})
