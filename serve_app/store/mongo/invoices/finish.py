"""The one write that ends a run: result, state, and the follow-up work in its outbox."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from pymongo import ReturnDocument

from serve_app.domain.duplicates import duplicate_key
from serve_app.domain.event import Event, EventType, LoggedEvent
from serve_app.domain.export import refuse_change_of_exported
from serve_app.domain.invoice import Invoice, Status
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.review import as_read, needs_person, overlaid
from serve_app.domain.vendor import VendorDetails
from serve_app.store.base.reviews import NewReview
from serve_app.store.mongo.accounts.usage import usage_entry
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.mongo.invoices.codec import fields_of, invoice_from, new_row, review_from
from serve_app.store.mongo.invoices.duplicates import oldest_duplicate
from serve_app.store.mongo.queue.follow_ups import FollowUps
from serve_app.store.mongo.queue.outbox_entries import entry_of, entry_of_event
from serve_app.store.mongo.queue.slots import LEAVE
from serve_app.store.mongo.vendors.sums import differences_of
from serve_app.store.mongo.vendors.vendors import reading_of, vendor_id_of
from serve_app.store.rows.invoices import details_of, review_text

# Duplicates are flagged afterwards, as follow-up work.
_BEFORE_FLAGGED: Row = {"stands_in": False}


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ends. `details` None keeps those of the previous run, with its evidence."""

    change_to: Callable[[Invoice], Invoice]
    now: datetime
    siblings: Sequence[InvoiceRecord] = ()
    details: VendorDetails | None = None
    evidence_key: str | None = None
    drawn: float | None = None


@dataclass(slots=True)
class _Plan:
    """What the write will contain, and what it leaves to do."""

    account_id: str
    now: datetime
    duplicate_keys: set[str | None] = field(default_factory=set)
    vendors: list[Row] = field(default_factory=list)
    oldest: dict[str, str] = field(default_factory=dict)

    async def placed(self, collections: Collections, invoice: Invoice, details: VendorDetails | None) -> Invoice:
        """The finished invoice with its vendor and its duplicate."""
        if invoice.status is not Status.COMPLETE:
            return invoice.model_copy(update={"duplicate_of": None})
        vendor_id = await vendor_id_of(collections, self.account_id, invoice)
        if (reading := reading_of(invoice, details or VendorDetails(), self.now)) is not None:
            self.vendors.append(reading)
        update = {"vendor_id": vendor_id, "duplicate_of": await self._older_duplicate(collections, invoice)}
        # Validated, because ids in rows are strings.
        return Invoice.model_validate(invoice.model_dump() | update)

    async def _older_duplicate(self, collections: Collections, invoice: Invoice) -> str | None:
        key, own = duplicate_key(invoice), str(invoice.id)
        if key is None:
            return None
        stored = await oldest_duplicate(collections, self.account_id, key, besides=own)
        oldest = min(candidate for candidate in (stored, self.oldest.get(key), own) if candidate is not None)
        # The siblings of this write are not stored yet.
        self.oldest[key] = oldest
        return None if oldest == own else oldest

    def event(self, invoice: Invoice, record: InvoiceRecord) -> LoggedEvent:
        return LoggedEvent.of(Event.about(invoice, self.now), record.account_id)


async def end_run(collections: Collections, follow_ups: FollowUps, claim: InvoiceRecord, ending: Ending) -> Row | None:
    """End the claim's run; returns the updated row, or None if the claim is not current."""
    claimed: Row = {"_id": str(claim.invoice.id), "account_id": str(claim.account_id)}
    claimed |= {"attempt": claim.attempt, "status": str(Status.PROCESSING)}
    while (row := await collections.invoices.find_one(claimed)) is not None:
        change = await _change(collections, follow_ups, row, claim, ending)
        # Retry if the invoice, for instance its tag, was changed since it was read.
        ended: Row | None = await collections.invoices.find_one_and_update(
            claimed | {"revision": row["revision"]}, change, return_document=ReturnDocument.AFTER
        )
        if ended is not None:
            return ended
    return None


async def _change(
    collections: Collections, follow_ups: FollowUps, row: Row, claim: InvoiceRecord, ending: Ending
) -> Row:
    plan = _Plan(row["account_id"], ending.now)
    said = review_from(row)
    result, kept = overlaid(ending.change_to(as_read(invoice_from(row), said)), said)
    invoice = await plan.placed(collections, result, ending.details)
    fields = fields_of(invoice) | {"lost_claims": 0, "releases": 0, "review": review_text(kept)} | _BEFORE_FLAGGED
    if ending.details is not None:
        fields |= {"details": details_of(ending.details), "evidence_key": ending.evidence_key, "drawn": ending.drawn}
    fields["needs_person"] = needs_person(invoice, is_drawn=fields.get("drawn", row.get("drawn")) is not None)
    plan.duplicate_keys |= {row["duplicate_key"], fields["duplicate_key"]}
    read = (invoice, *(sibling.invoice for sibling in ending.siblings))
    entry = entry_of(
        event=plan.event(invoice, claim),
        usage=usage_entry(plan.account_id, read, ending.now),
        siblings=[await _sibling_row(collections, plan, sibling) for sibling in ending.siblings],
        duplicate_keys=plan.duplicate_keys,
        vendors=plan.vendors,
        sums=differences_of(row, fields),
    )
    return {
        "$set": fields | await follow_ups.due(),
        "$unset": dict(LEAVE),
        "$inc": {"revision": 1},
        "$push": {"outbox": entry},
    }


async def reviewed(collections: Collections, follow_ups: FollowUps, row: Row, new: NewReview) -> Row:
    """The change of a complete invoice's row to what people say now, with what follows from it as follow-up work."""
    now = new.at
    plan = _Plan(row["account_id"], now)
    before = invoice_from(row)
    result, kept = new.over_read(as_read(before, review_from(row)))
    refuse_change_of_exported(before, result)
    invoice = await plan.placed(collections, result.model_copy(update={"updated_at": now}), None)
    fields = fields_of(invoice) | {"review": review_text(kept)} | _BEFORE_FLAGGED
    fields["needs_person"] = needs_person(invoice, is_drawn=row.get("drawn") is not None)
    entry = entry_of(
        event=event_about(row, invoice, now, EventType.UPDATED),
        duplicate_keys={row["duplicate_key"], fields["duplicate_key"]},
        vendors=plan.vendors,
        sums=differences_of(row, fields),
    )
    more = [entry_of_event(event_about(row, invoice, now, EventType.REVIEWED))] if new.emits_event else []
    entries = {"$each": [entry, *more]}
    return {"$set": fields | await follow_ups.due(), "$inc": {"revision": 1}, "$push": {"outbox": entries}}


def event_about(row: Row, invoice: Invoice, now: datetime, type: EventType) -> LoggedEvent:
    """A new event about the invoice, whose row this is or was."""
    return LoggedEvent.of(Event.about(invoice, now, type), UUID(row["account_id"]))


async def _sibling_row(collections: Collections, plan: _Plan, sibling: InvoiceRecord) -> Row:
    """The row of a further invoice: its event is left to publish, and its vendor's sums; its other follow-up work is
    among those of the first one."""
    invoice = await plan.placed(collections, sibling.invoice, sibling.details)
    record = replace(sibling, invoice=invoice, next_run_at=None)
    row = new_row(record, unit="")
    plan.duplicate_keys.add(row["duplicate_key"])
    entry = entry_of(event=plan.event(invoice, sibling), sums=differences_of(None, row))
    return row | {"units": [], "outbox": [entry], "outbox_at": 0}
