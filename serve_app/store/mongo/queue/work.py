"""Who works on what."""

import re
from collections.abc import Collection
from datetime import datetime, timedelta
from uuid import UUID

from pymongo import ASCENDING, DESCENDING

from serve_app.domain.folding import folded
from serve_app.domain.work import (
    LATEST_END,
    Lease,
    Reader,
    WorkCounts,
    WorkItem,
    WorkOrder,
    WorkQuery,
    may_take,
    renewed,
)
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.mongo.invoices.codec import record_from
from serve_app.store.rows.codec import to_micros
from serve_app.store.rows.invoices import lease_from, lease_text

_LEASE = ("review_lease", "review_until", "review_window")
_HIDDEN = {"outbox": 0}
_SOME = {"$gt": ""}
_ANY_MOMENT = {"$gt": 0}
_ORDERS: dict[WorkOrder, list[tuple[str, int]]] = {
    WorkOrder.DUE: [("due_at", ASCENDING)],
    WorkOrder.AMOUNT: [("amount", DESCENDING)],
    WorkOrder.AGE: [],
    WorkOrder.VENDOR: [("vendor_folded", ASCENDING)],
    WorkOrder.DOUBT: [("document.quality_score", ASCENDING)],
}


class MongoWork:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def take(
        self, account_id: UUID, invoice_id: UUID, reader: Reader, lease: timedelta, *, by_force: bool = False
    ) -> Lease | None:
        this = {"_id": str(invoice_id), "account_id": str(account_id)}

        async def take(collections: Collections) -> Lease | None:
            now = await self._database.now()
            while (row := await collections.invoices.find_one(this, {"review_lease": 1})) is not None:
                text = row.get("review_lease")
                held = lease_from(text)
                if not by_force and not may_take(held, reader, now):
                    return held
                taken = renewed(held, reader, now, lease)
                # Retry if another reader was faster. No other field of the row is concerned.
                changed = await collections.invoices.update_one(
                    this | {"review_lease": text}, {"$set": _fields_of(taken)}
                )
                if changed.matched_count:
                    return taken
            return None

        return await self._database.write(take)

    async def release_lease(self, account_id: UUID, invoice_id: UUID, window: str) -> None:
        this = {"_id": str(invoice_id), "account_id": str(account_id)}

        async def release(collections: Collections) -> None:
            row = await collections.invoices.find_one(this, {"review_lease": 1})
            lease = None if row is None else lease_from(row.get("review_lease"))
            if row is not None and lease is not None and lease.reader.window == window:
                held = this | {"review_lease": row["review_lease"]}
                await collections.invoices.update_one(held, {"$set": dict.fromkeys(_LEASE)})

        await self._database.write(release)

    async def assign(self, account_id: UUID, invoice_ids: Collection[UUID], person_id: UUID | None) -> int:
        those = {"_id": {"$in": [str(id) for id in invoice_ids]}, "account_id": str(account_id)}
        person = None if person_id is None else str(person_id)

        async def assign(collections: Collections) -> int:
            return (await collections.invoices.update_many(those, {"$set": {"assignee": person}})).matched_count

        return await self._database.write(assign)

    async def snooze(self, account_id: UUID, invoice_id: UUID, person_id: UUID) -> bool:
        this = {"_id": str(invoice_id), "account_id": str(account_id)}

        async def snooze(collections: Collections) -> bool:
            now = to_micros(await self._database.now())
            return (
                await collections.invoices.update_one(this, {"$set": {_put_off(person_id): now}})
            ).matched_count == 1

        return await self._database.write(snooze)

    async def waiting(self, account_id: UUID, query: WorkQuery, limit: int, skip: int = 0) -> list[WorkItem]:
        async def find(collections: Collections) -> list[Row]:
            where = _where(account_id, query, await self._database.now())
            found: list[Row] = []
            for part, order in _parts(where, query):
                if left := skip + limit - len(found):
                    rows = collections.invoices.find(part, _HIDDEN).sort([*order, ("_id", ASCENDING)])
                    found += await rows.limit(left).to_list(None)
            return found[skip:]

        records = [record_from(row) for row in await self._database.read_confirmed(find)]
        return [WorkItem(record.invoice, record.lease, record.assignee) for record in records]

    async def counts(self, account_id: UUID, since: datetime, at_most: int) -> WorkCounts:
        waiting = {"account_id": str(account_id), "needs_person": True}
        decided = {"account_id": str(account_id), "reviewed_at": {"$gte": to_micros(since)}}

        async def count(collections: Collections) -> WorkCounts:
            return WorkCounts(*[await _count(collections, each, at_most) for each in (waiting, decided)])

        return await self._database.read(count)


async def _count(collections: Collections, where: Row, at_most: int) -> int:
    steps: list[Row] = [{"$match": where}, {"$limit": at_most}, {"$count": "number"}]
    counted = await collections.invoices.aggregate(steps).to_list(None)
    return int(counted[0]["number"]) if counted else 0


def _fields_of(lease: Lease) -> Row:
    """The lease, and what of it a query looks for."""
    return dict(zip(_LEASE, (lease_text(lease), to_micros(lease.until), lease.reader.window), strict=True))


def _where(account_id: UUID, query: WorkQuery, now: datetime) -> Row:
    where: Row = {"account_id": str(account_id), "needs_person": True}
    if query.vendor is not None:
        where["vendor_folded"] = {"$regex": re.escape(folded(query.vendor).replace("\0", ""))}
    if query.assignee is not None:
        where["assignee"] = str(query.assignee)
    if query.unassigned:
        where["assignee"] = None
    if query.free_for is not None:
        open_until = {"$gt": to_micros(now), "$lte": to_micros(now + LATEST_END)}
        where["$or"] = [{"review_until": {"$not": open_until}}, {"review_window": query.free_for}]
    return where


def _put_off(person_id: UUID) -> str:
    """The field with the moment at which the person has put an invoice off."""
    return f"put_off.{person_id}"


def _parts(where: Row, query: WorkQuery) -> list[tuple[Row, list[tuple[str, int]]]]:
    """What is listed one after the other, each in its order."""
    order = _ORDERS[query.order]
    by = None if query.put_off_by is None else _put_off(query.put_off_by)
    first = where if by is None else where | {by: None}
    parts = [(first, order)]
    if query.order is WorkOrder.DUE:
        # Those without a due date come after the others; the database would have them come first.
        parts = [(first | {"due_at": _SOME}, order), (first | {"due_at": None}, order)]
    return parts if by is None else [*parts, (where | {by: _ANY_MOMENT}, [(by, ASCENDING)])]
