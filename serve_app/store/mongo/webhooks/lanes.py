"""Lanes: which endpoint is served next, and by which worker. See `serve_app.store.base.webhooks` and
`pending_deliveries`."""

from collections.abc import Collection
from datetime import datetime, timedelta
from uuid import UUID

from pymongo import ASCENDING, ReturnDocument

from serve_app.domain.webhook import Health, Lane
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.mongo.webhooks.delivery_rows import PENDING
from serve_app.store.mongo.webhooks.endpoint_rows import endpoint_from
from serve_app.store.mongo.webhooks.lane_repair import LaneRepair
from serve_app.store.rows.codec import optional_micros, optional_moment, to_micros

_LONGEST_WAITING = [("due_at", ASCENDING), ("_id", ASCENDING)]


class MongoLanes:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._lane_repair = LaneRepair(database)

    async def claim(self, lease: timedelta, *, slow: bool, without: Collection[UUID] = ()) -> Lane | None:
        async def claim(collections: Collections) -> Row | None:
            now = await self._database.now()
            waiting = {
                "paused_reason": None,
                # Documents of an earlier version lack this field.
                "is_slow": True if slow else {"$in": [False, None]},
                "due_at": {"$lte": to_micros(now)},
                "account_id": {"$nin": [str(account_id) for account_id in without]},
            }
            held = {"$set": {"due_at": to_micros(now + lease), "is_held": True}, "$inc": {"lane": 1}}
            # Looked for first: most looks find nothing, and the write names the account.
            while (
                next := await collections.endpoints.find_one(waiting, {"account_id": 1}, sort=_LONGEST_WAITING)
            ) is not None:
                row: Row | None = await collections.endpoints.find_one_and_update(
                    waiting | next, held, return_document=ReturnDocument.AFTER
                )
                if row is not None:
                    return row
            return None

        row = await self._database.write(claim)
        return None if row is None else Lane(endpoint_from(row), row["lane"])

    async def renew(self, lane: Lane, lease: timedelta) -> bool:
        async def renew(collections: Collections) -> bool:
            until = to_micros(await self._database.now() + lease)
            renewed = await collections.endpoints.update_one(_held(lane), {"$set": {"due_at": until}})
            return renewed.matched_count == 1

        return await self._database.write(renew)

    async def release_lease(self, lane: Lane, health: Health) -> datetime | None:
        async def release(collections: Collections) -> int | None:
            while (row := await collections.endpoints.find_one(_held(lane))) is not None:
                due = await self._next_due(row)
                # Only if no delivery arrived and the endpoint did not change since it was read.
                as_read = {**_held(lane), "arrivals": row.get("arrivals"), "revision": row["revision"]}
                freed = await collections.endpoints.update_one(as_read, _freed(row, due, lane, health))
                if freed.matched_count:
                    return due
            return None

        return optional_moment(await self._database.write(release))

    async def repair(self) -> int:
        return await self._database.write_at_length(self._lane_repair)

    async def _next_due(self, endpoint: Row) -> int | None:
        # A delivery whose end a failover takes back still waits, and needs a lane that is due.
        row = await self._database.confirmed.deliveries.find_one(
            {"account_id": endpoint["account_id"], "endpoint_id": endpoint["_id"], "state": PENDING},
            {"next_attempt_at": 1},
            sort=[("next_attempt_at", ASCENDING)],
        )
        return None if row is None else max(row["next_attempt_at"], to_micros(await self._database.now()))


def _held(lane: Lane) -> Row:
    """Matches the row while the lane is the holder's."""
    return {
        "_id": str(lane.endpoint.id),
        "account_id": str(lane.endpoint.account_id),
        "lane": lane.token,
        "is_held": True,
    }


def _freed(row: Row, due: int | None, lane: Lane, health: Health) -> Row:
    fields: Row = {"is_held": False}
    change: Row = {"$set": fields}
    if due is None:
        change["$unset"] = {"due_at": ""}
    else:
        fields["due_at"] = due
    before = Health(lane.endpoint.is_slow, lane.endpoint.failing_since)
    if row["revision"] == lane.endpoint.revision and health != before:
        fields |= {"is_slow": health.is_slow, "failing_since": optional_micros(health.failing_since)}
        # A process that read the endpoint before must not undo this when it writes a changed endpoint back.
        change["$inc"] = {"revision": 1}
    return change
