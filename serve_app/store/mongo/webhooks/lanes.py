"""Lanes: which endpoint is served next, and by which worker. See `serve_app.store.base.webhooks` and
`pending_deliveries`."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from uuid import UUID

from pymongo import ASCENDING, ReturnDocument
from pymongo.errors import PyMongoError

from serve_app.domain.webhook import ONE_LANE, Health, Lane, LaneRoom
from serve_app.store.mongo.engine.claim_window import ClaimWindow
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
        self._window = ClaimWindow()

    async def claim(self, lease: timedelta, *, slow: bool, room: LaneRoom = ONE_LANE) -> list[Lane]:
        rows = await self._database.write(lambda collections: self._claim(collections, lease, room, slow=slow))
        return [Lane(endpoint_from(row), row["lane"]) for row in rows]

    async def _claim(self, collections: Collections, lease: timedelta, room: LaneRoom, *, slow: bool) -> list[Row]:
        """Concurrent claims get different lanes; tries again if other claims took all that were chosen."""
        now = await self._database.now()
        waiting = {
            "paused_reason": None,
            # Documents of an earlier version lack this field.
            "is_slow": True if slow else {"$in": [False, None]},
            "due_at": {"$lte": to_micros(now)},
            "account_id": {"$nin": [str(account_id) for account_id in room.full_accounts]},
        }
        until = to_micros(now + lease)
        rows: list[Row] = []
        while not rows:
            # Looked for first: most looks find nothing, and the write names the account.
            first = collections.endpoints.find(
                waiting, {"account_id": 1}, sort=_LONGEST_WAITING, limit=self._window.rows(room.in_all)
            )
            found = await first.to_list(None)
            front = self._window.choose(found, room.in_all)
            chosen = [front[number] for number in room.fitting(UUID(row["account_id"]) for row in front)]
            if not chosen:
                break
            rows = await _take(collections, [waiting | this for this in chosen], until)
            self._window.adapt(room.in_all, len(found), len(chosen), len(rows))
        return rows

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


async def _take(collections: Collections, lanes: Iterable[Row], until: int) -> list[Row]:
    """Claim each of them that still waits."""
    held = {"$set": {"due_at": until, "is_held": True}, "$inc": {"lane": 1}}
    rows: list[Row] = []
    for lane in lanes:
        try:
            row = await collections.endpoints.find_one_and_update(lane, held, return_document=ReturnDocument.AFTER)
        except PyMongoError:
            if not rows:
                raise
            # Those that are claimed already are served; the others come up again.
            break
        if row is not None:
            rows.append(row)
    return rows


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
