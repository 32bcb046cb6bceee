"""Repairs what a crash or a clock set back left behind."""

import time

from serve_app.domain.invoice import Status
from serve_app.store.fairness import LONGEST_DELAY, LONGEST_LEASE
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.mongo.queue.slots import ConcurrencySlots
from serve_app.store.rows.codec import span_micros, to_micros
from serve_app.telemetry.meter import count
from serve_app.telemetry.series import LOST_CLAIMS

_HAS_SLOT: Row = {"seat": {"$exists": True}}
_ACCOUNTS = 100
"""How many accounts with waiting invoices a round looks at; the next round continues after them."""
_PAUSE = 0.01
"""Seconds until the next look for free slots, for each account that was looked at."""


class QueueRepair:
    """One round of repairs; returns how many invoices it changed."""

    def __init__(self, database: Database, slots: ConcurrencySlots) -> None:
        self._database = database
        self._slots = slots
        self._next_look = 0.0
        self._looked_at = ""

    async def __call__(self, collections: Collections) -> int:
        now = to_micros(await self._database.now())
        return (
            await _requeue(collections, now) + await _undelay(collections, now) + await self._assign_slots(collections)
        )

    async def _assign_slots(self, collections: Collections) -> int:
        if time.monotonic() < self._next_look:
            return 0
        accounts = await self._slots.waiting_after(collections, self._looked_at, _ACCOUNTS)
        self._looked_at = accounts[-1] if len(accounts) == _ACCOUNTS else ""
        assigned = sum([await self._slots.fill(collections, account) for account in accounts])
        self._next_look = time.monotonic() + _PAUSE * len(accounts)
        return assigned


async def _requeue(collections: Collections, now: int) -> int:
    """Requeue invoices whose lease expired, or ends later than any can. The new attempt number fences off a worker that
    may still be running."""
    over = {"$or": [{"next_run_at": {"$lte": now}}, {"next_run_at": {"$gt": now + span_micros(LONGEST_LEASE)}}]}
    queued = {"status": str(Status.QUEUED), "next_run_at": 0, "updated_at": now}
    requeued = await collections.invoices.update_many(
        {"status": str(Status.PROCESSING), **_HAS_SLOT, **over},
        {"$set": queued, "$inc": {"lost_claims": 1, "attempt": 1, "revision": 1}},
    )
    count(LOST_CLAIMS, requeued.modified_count)
    return requeued.modified_count


async def _undelay(collections: Collections, now: int) -> int:
    """Clear delays that end later than any can, and the same for follow-up work."""
    delayed = {"status": str(Status.QUEUED), **_HAS_SLOT, "next_run_at": {"$gt": now + span_micros(LONGEST_DELAY)}}
    undelayed = await collections.invoices.update_many(delayed, {"$set": {"next_run_at": 0}})
    follow_ups = {"outbox_at": {"$gt": now + span_micros(LONGEST_LEASE)}}
    await collections.invoices.update_many(follow_ups, {"$set": {"outbox_at": 0}})
    return undelayed.modified_count
