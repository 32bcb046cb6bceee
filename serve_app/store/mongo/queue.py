"""The queue of invoices, kept in the invoices' own rows."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from serve_app.domain.invoice import Extraction, Failure, Invoice, Status
from serve_app.domain.queue_state import QueueState
from serve_app.domain.record import InvoiceRecord, Release, completed, failed
from serve_app.domain.vendor import NOTHING_KNOWN, VendorDetails
from serve_app.store.codec import optional_moment, to_micros
from serve_app.store.mongo.chores import Chores
from serve_app.store.mongo.claims import Claims
from serve_app.store.mongo.codec import invoice_from, record_from
from serve_app.store.mongo.database import Database
from serve_app.store.mongo.finish import Ending, end_run
from serve_app.store.mongo.mend import Mending
from serve_app.store.mongo.seats import Seats
from serve_app.store.mongo.trouble import left_for_later
from serve_app.store.mongo.types import Collections, Row

_QUEUED, _PROCESSING = str(Status.QUEUED), str(Status.PROCESSING)
# As their indexes have them, each with a bound of the index's first field.
_SEATED: Row = {"seat": {"$exists": True}}
_UNSEATED: Row = {"waiting": True, "account_id": {"$gt": ""}}
_COUNT: Row = {"_id": None, "number": {"$sum": 1}, "oldest": {"$min": "$created_at"}}


class MongoQueue:
    def __init__(self, database: Database, seats: Seats, chores: Chores) -> None:
        self._database = database
        self._seats = seats
        self._chores = chores
        self._claims = Claims(database)
        self._mending = Mending(database, seats)

    async def claim_due_invoice(self, lease: timedelta) -> InvoiceRecord | None:
        row = await self._database.write(lambda collections: self._claims.take(collections, lease))
        return None if row is None else record_from(row)

    async def renew_lease(self, claim: InvoiceRecord, lease: timedelta) -> bool:
        async def renew(collections: Collections) -> bool:
            until = to_micros(await self._database.now() + lease)
            renewed = await collections.invoices.update_one(_held(claim), {"$set": {"next_run_at": until}})
            return renewed.matched_count == 1

        return await self._database.write(renew)

    async def release(self, claim: InvoiceRecord, delay: timedelta, why: Release) -> bool:
        async def release(collections: Collections) -> bool:
            now = await self._database.now()
            due = to_micros(now + delay) if delay else 0
            counts = {"lost_claims": int(why is Release.CRASHED), "releases": int(why is Release.OUT_OF_REACH)}
            queued = {"status": _QUEUED, "next_run_at": due, "updated_at": to_micros(now)}
            change = {"$set": queued, "$inc": {**counts, "revision": 1}}
            return (await collections.invoices.update_one(_held(claim), change)).matched_count == 1

        return await self._database.write(release)

    async def save_result(
        self,
        claim: InvoiceRecord,
        extraction: Extraction,
        now: datetime,
        siblings: Sequence[InvoiceRecord] = (),
        details: VendorDetails = NOTHING_KNOWN,
        evidence_key: str | None = None,
        drawn: float | None = None,
    ) -> Invoice | None:
        ending = Ending(lambda old: completed(old, extraction, now), now, siblings, details, evidence_key, drawn)
        return await self._end(claim, ending)

    async def fail(self, claim: InvoiceRecord, failure: Failure, now: datetime) -> Invoice | None:
        return await self._end(claim, Ending(lambda old: failed(old, failure, now), now))

    async def _end(self, claim: InvoiceRecord, ending: Ending) -> Invoice | None:
        async def end(collections: Collections) -> Invoice | None:
            row = await end_run(collections, self._chores, claim, ending)
            if row is None:
                return None
            with left_for_later("a seat"):
                await self._seats.fill(collections, row["account_id"])
            with left_for_later("what follows from a result"):
                await self._chores.settle(collections, row)
            return invoice_from(row)

        return await self._database.write_at_length(end)

    async def mend(self) -> int:
        return await self._database.write_at_length(self._mending)

    async def state(self) -> QueueState:
        async def look(collections: Collections) -> QueueState:
            seated = await _count(collections, {"status": _QUEUED, **_SEATED})
            unseated = await _count(collections, _UNSEATED)
            running = await _count(collections, {"status": _PROCESSING, **_SEATED})
            oldest = min((group["oldest"] for group in (seated, unseated) if group["oldest"] is not None), default=None)
            return QueueState(seated["number"] + unseated["number"], running["number"], optional_moment(oldest))

        return await self._database.read(look)

    async def finished_among(self, ids: Collection[UUID]) -> set[UUID]:
        query = {
            "_id": {"$in": [str(invoice_id) for invoice_id in ids]},
            "status": {"$in": [str(Status.COMPLETE), str(Status.FAILED)]},
            "outbox_at": {"$exists": False},
        }
        rows = await self._database.read_confirmed(
            lambda collections: collections.invoices.find(query, {"_id": 1}).to_list(None)
        )
        return {UUID(row["_id"]) for row in rows}


def _held(claim: InvoiceRecord) -> Row:
    """Matches the row while the claim is current."""
    return {"_id": str(claim.invoice.id), "attempt": claim.attempt, "status": _PROCESSING}


async def _count(collections: Collections, where: Row) -> Row:
    groups = await collections.invoices.aggregate([{"$match": where}, {"$group": _COUNT}]).to_list(None)
    return groups[0] if groups else {"number": 0, "oldest": None}
