"""Old events with their deliveries: finding them, and removing them once they are archived."""

from collections import defaultdict
from collections.abc import Sequence

from pymongo import ASCENDING, UpdateOne

from serve_app.domain.archive import DeliveredEvent
from serve_app.domain.erased import Erased
from serve_app.domain.webhook import Delivery
from serve_app.store.mongo.engine.bulk import write_all
from serve_app.store.mongo.engine.types import Collections, Row, named
from serve_app.store.mongo.retention.erased_ids import erased_id_upsert
from serve_app.store.mongo.webhooks.delivery_rows import delivery_from
from serve_app.store.rows.columns import event_from


async def oldest_events(
    collections: Collections, account_id: str, limit: int, after: str | None
) -> list[DeliveredEvent]:
    """Part of a read."""
    query = {"account_id": account_id, "_id": {"$gt": after or ""}, "test_of": None}
    rows = await collections.events.find(query).sort("_id", ASCENDING).limit(limit).to_list(None)
    deliveries: dict[str, list[Delivery]] = defaultdict(list)
    of_these = {"account_id": account_id, "event_id": {"$in": [row["_id"] for row in rows]}}
    for row in await collections.deliveries.find(of_these).sort("_id", ASCENDING).to_list(None):
        deliveries[row["event_id"]].append(delivery_from(row))
    return [DeliveredEvent(event_from(named(row)), tuple(deliveries[row["_id"]])) for row in rows]


async def remove_archived(
    collections: Collections, account_id: str, archived: Sequence[DeliveredEvent], now: int
) -> Erased:
    """Part of a write. The events go last: a crash before leaves them to the next round."""
    account = {"account_id": account_id}
    deliveries = 0
    if as_read := [_as_read(delivery) for delivered in archived for delivery in delivered.deliveries]:
        deliveries = (await collections.deliveries.delete_many(account | {"$or": as_read})).deleted_count
    ids = {delivered.event.id for delivered in archived}
    left = collections.deliveries.find(account | {"event_id": {"$in": sorted(ids)}}, {"event_id": 1})
    gone = sorted(ids - {row["event_id"] for row in await left.to_list(None)})
    if not gone:
        return Erased(deliveries=deliveries)
    await write_all(
        collections.erased_ids, [UpdateOne(*erased_id_upsert(account_id, id, now), upsert=True) for id in gone]
    )
    removed = await collections.events.delete_many(account | {"_id": {"$in": gone}})
    return Erased(events=removed.deleted_count, deliveries=deliveries)


def _as_read(delivery: Delivery) -> Row:
    state = str(delivery.state)
    return {"_id": str(delivery.id), "claims": delivery.claims, "step": delivery.step, "state": state}
