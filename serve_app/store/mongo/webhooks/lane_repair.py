"""Repairs what a crash, or a clock that was set back or ahead, left behind at the lanes."""

from typing import Any

from serve_app.store.base.webhooks import LATEST_RETRIES
from serve_app.store.fairness import LONGEST_LEASE
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.mongo.webhooks.delivery_rows import PENDING
from serve_app.store.mongo.webhooks.pending_deliveries import NOT_HELD
from serve_app.store.mongo.webhooks.settling import settle_overdue
from serve_app.store.rows.codec import span_micros, to_micros

# Every lane, expressed so that the query uses the same index as claims do.
_ACTIVE: Row = {"paused_reason": None, "is_slow": {"$in": [False, None, True]}}
_DUE_NOW: Row = {"is_held": False, "due_at": 0}


class LaneRepair:
    """One round of repairs; returns how many lanes it freed or made due."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._has_upgraded = False

    async def __call__(self, collections: Collections) -> int:
        now = await self._database.now()
        await settle_overdue(collections, now)
        if not self._has_upgraded:
            await _upgrade(collections)
            self._has_upgraded = True
        return await _repair(collections, to_micros(now))


async def _upgrade(collections: Collections) -> None:
    """Endpoints of an earlier version have no lane, but may have pending deliveries."""
    await collections.endpoints.update_many({"lane": {"$exists": False}}, {"$set": {"lane": 0, "due_at": 0}})


async def _repair(collections: Collections, now: int) -> int:
    late: Row = {**_ACTIVE, "due_at": {"$gt": now + span_micros(LONGEST_LEASE)}}
    rows = await collections.endpoints.find(late, {"is_held": 1}).to_list(None)
    held = [row["_id"] for row in rows if row.get("is_held")]
    waiting = [row["_id"] for row in rows if not row.get("is_held")]
    repaired = await _make_due(collections, held, {**late, "is_held": True})
    if waiting:
        await _hasten(collections, waiting, now)
        # A lane may be due that late because of a retry. If it has deliveries due already, its time was set before the
        # clock was set back.
        due = {"endpoint_id": {"$in": waiting}, "state": PENDING, "next_attempt_at": {"$lte": now}}
        overlooked = await collections.deliveries.distinct("endpoint_id", due)
        repaired += await _make_due(collections, overlooked, {**late, **NOT_HELD})
    return repaired


async def _hasten(collections: Collections, endpoint_ids: list[Any], now: int) -> None:
    """Deliveries postponed while the clock ran ahead are due now."""
    last = len(LATEST_RETRIES) - 1
    too_late = [
        {"step": step if step < last else {"$gte": last}, "next_attempt_at": {"$gt": now + span_micros(latest)}}
        for step, latest in enumerate(LATEST_RETRIES)
    ]
    late: Row = {"endpoint_id": {"$in": endpoint_ids}, "state": PENDING, "$or": too_late}
    await collections.deliveries.update_many(late, {"$set": {"next_attempt_at": 0}})


async def _make_due(collections: Collections, ids: list[Any], still: Row) -> int:
    if not ids:
        return 0
    repaired = await collections.endpoints.update_many({"_id": {"$in": ids}, **still}, {"$set": _DUE_NOW})
    return repaired.modified_count
