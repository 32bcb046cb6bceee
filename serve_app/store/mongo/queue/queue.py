"""The queue of invoices, kept in the invoices' own rows."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from pymongo import WriteConcern

from serve_app.domain.backlog import Backlog, Share
from serve_app.domain.invoice import Extraction, Failure, Invoice, Status
from serve_app.domain.load import PageKind
from serve_app.domain.queue_state import Stage
from serve_app.domain.record import InvoiceRecord, Release, completed, failed
from serve_app.domain.vendor import NOTHING_KNOWN, VendorDetails
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.errors import defer_on_failure
from serve_app.store.mongo.engine.repair import QueueRepair
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.mongo.invoices.codec import invoice_from, record_from
from serve_app.store.mongo.invoices.finish import Ending, end_run
from serve_app.store.mongo.queue.claims import Claims
from serve_app.store.mongo.queue.follow_ups import FollowUps
from serve_app.store.mongo.queue.slots import ConcurrencySlots
from serve_app.store.rows.codec import optional_moment, to_micros

_QUEUED, _PROCESSING = str(Status.QUEUED), str(Status.PROCESSING)
_SHARE: Row = {
    "_id": {"account_id": "$account_id", "kind": "$kind"},
    "documents": {"$sum": 1},
    "pages": {"$sum": {"$ifNull": ["$expected_pages", 1]}},
}
# A claim sets `updated_at`, and the renewal of a lease does not.
_SINCE = {Status.QUEUED: "$queued_at", Status.PROCESSING: "$updated_at"}


class MongoQueue:
    def __init__(self, database: Database, slots: ConcurrencySlots, follow_ups: FollowUps) -> None:
        self._database = database
        self._slots = slots
        self._follow_ups = follow_ups
        self._claims = Claims(database)
        self._queue_repair = QueueRepair(database, slots)

    async def claim_due_invoice(self, lease: timedelta) -> InvoiceRecord | None:
        claims = await self.claim_due_invoices(lease, 1)
        return claims[0] if claims else None

    async def claim_due_invoices(self, lease: timedelta, most: int) -> list[InvoiceRecord]:
        rows = await self._database.write(lambda collections: self._claims.take(collections, lease, most))
        return [record_from(row) for row in rows]

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
            row = await end_run(collections, self._follow_ups, claim, ending)
            if row is None:
                return None
            with defer_on_failure("a slot"):
                await self._slots.fill(collections, row["account_id"])
            with defer_on_failure("what follows from a result"):
                await self._follow_ups.settle_own(collections, row)
            return invoice_from(row)

        return await self._database.write_at_length(end)

    async def note_models(self, claim: InvoiceRecord) -> None:
        async def note(collections: Collections) -> None:
            invoices = collections.get_collection("invoices", write_concern=WriteConcern(w=1))
            await invoices.update_one(_held(claim), {"$set": {"stage": str(Stage.MODELS)}})

        await self._database.write(note)

    async def note_pair(self, claim: InvoiceRecord, pair: str) -> None:
        async def note(collections: Collections) -> None:
            await collections.invoices.update_one(_held(claim), {"$set": {"pair": pair}})

        await self._database.write(note)

    async def stages(self, account_id: UUID, ids: Collection[UUID]) -> Mapping[UUID, Stage]:
        query = {"_id": {"$in": [str(invoice_id) for invoice_id in ids]}, "status": _PROCESSING}
        query["account_id"] = str(account_id)

        async def find(collections: Collections) -> list[Row]:
            return await collections.invoices.find(query, {"stage": 1}).to_list(None)

        return {UUID(row["_id"]): Stage(row.get("stage", Stage.READING)) for row in await self._database.read(find)}

    async def repair(self) -> int:
        return await self._database.write_at_length(self._queue_repair)

    async def backlog(self) -> Backlog:
        async def look(collections: Collections) -> Backlog:
            waiting, running = [await _shares(collections, status) for status in (Status.QUEUED, Status.PROCESSING)]
            shares = [_share_from(row, Status.QUEUED) for row in waiting]
            shares += [_share_from(row, Status.PROCESSING) for row in running]
            return Backlog(tuple(shares), _oldest(waiting), _oldest(running))

        return await self._database.read(look)

    async def ahead(self, account_id: UUID, invoice_id: UUID, at_most: int) -> int:
        before = {"account_id": str(account_id), "status": _QUEUED, "_id": {"$lt": str(invoice_id)}}
        return await self._database.read(
            lambda collections: collections.invoices.count_documents(before, limit=at_most)
        )

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
    this = {"_id": str(claim.invoice.id), "account_id": str(claim.account_id)}
    return this | {"attempt": claim.attempt, "status": _PROCESSING}


async def _shares(collections: Collections, status: Status) -> list[Row]:
    group = _SHARE | {"oldest": {"$min": _SINCE[status]}}
    stages: list[Row] = [{"$match": {"status": str(status)}}, {"$group": group}]
    return await collections.invoices.aggregate(stages).to_list(None)


def _oldest(rows: list[Row]) -> datetime | None:
    return optional_moment(min((row["oldest"] for row in rows if row["oldest"] is not None), default=None))


def _share_from(row: Row, status: Status) -> Share:
    key = row["_id"]
    kind = PageKind(key.get("kind") or PageKind.TEXT)
    return Share(UUID(key["account_id"]), status, kind, row["documents"], row["pages"])
