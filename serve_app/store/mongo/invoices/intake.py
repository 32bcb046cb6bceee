"""Intake of documents."""

from datetime import datetime
from uuid import UUID, uuid4

from pymongo import ASCENDING, ReturnDocument
from pymongo.errors import AutoReconnect, DuplicateKeyError, WriteConcernError

from serve_app.domain.errors import InvoiceContended, StoreUnreachable
from serve_app.domain.invoice import Invoice
from serve_app.domain.record import InvoiceRecord, account_of, queued_again
from serve_app.domain.reservation import Reservation
from serve_app.store.mongo.accounts.reserving import end_unit, is_used, refuse_anothers, reserve_unit
from serve_app.store.mongo.accounts.units import Unit, cancel_unit, find_unit, keep, reservations_of, take_unit
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.errors import defer_on_failure
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.mongo.invoices.codec import fields_of, invoice_from, new_row
from serve_app.store.mongo.queue.follow_ups import FollowUps
from serve_app.store.mongo.queue.outbox_entries import entry_of
from serve_app.store.mongo.queue.slots import WAITING, ConcurrencySlots
from serve_app.store.mongo.retention.pending_deletion import (
    end_pending_deletions_of,
    note_pending_deletion,
    renew_pending_deletion,
    stale_pending_deletions,
)
from serve_app.store.mongo.vendors.sums import differences_of
from serve_app.store.rows.codec import to_micros
from serve_app.store.rows.invoices import change_ids_from, with_change

_TRIES = 3


class _SlotTaken(Exception):
    """Another process assigned the slot at the same moment."""


class MongoIntake:
    def __init__(self, database: Database, slots: ConcurrencySlots, follow_ups: FollowUps) -> None:
        self._database = database
        self._slots = slots
        self._follow_ups = follow_ups

    async def reserve(self, record: InvoiceRecord, month: datetime, limit: int | None) -> Reservation:
        async def reserve(collections: Collections) -> Reservation:
            reservation = await self._reservation(record, month, run=1)
            await reserve_unit(collections, reservation, month, limit)
            return reservation

        return await self._database.write(reserve)

    async def add(self, record: InvoiceRecord) -> None:
        await self._database.write(lambda collections: self._add(collections, record))

    async def _add(self, collections: Collections, record: InvoiceRecord) -> None:
        unit = await find_unit(collections, record.account_id, record.invoice.id, run=1)
        if unit is None:
            raise InvoiceContended
        row = new_row(record, unit.token)
        if not await self._insert(collections, row, unit):
            await _confirm(collections, row)
        with defer_on_failure("the end of a reservation"):
            if not await keep(collections, unit) and await self._withdraw(collections, row, unit):
                raise InvoiceContended
        with defer_on_failure("a slot"):
            await self._slots.fill(collections, row["account_id"])

    async def _insert(self, collections: Collections, row: Row, unit: Unit) -> bool:
        """With a slot if one is free; True if a majority of the members has the row for certain."""
        for _ in range(_TRIES):
            place = await self._slots.place(collections, row["account_id"])
            if place == WAITING:
                break
            try:
                return await _insert(collections, row | place, unit)
            except _SlotTaken:
                continue
        return await _insert(collections, row | WAITING, unit)

    async def rerun(
        self,
        invoice: Invoice,
        account_id: UUID,
        month: datetime,
        limit: int | None,
        trace: str | None = None,
        change_id: UUID | None = None,
    ) -> Invoice | None:
        async def rerun(collections: Collections) -> Invoice | None:
            this = {"_id": str(invoice.id), "account_id": str(account_id), "document_gone_at": None}
            row = await collections.invoices.find_one(this)
            if row is not None and change_id in change_ids_from(row.get("change_ids")):
                return invoice_from(row)
            if row is None or not invoice.is_finished or invoice_from(row) != invoice:
                return None
            more = {"trace": trace, **with_change(row.get("change_ids"), change_id)}
            return await self._queue_again(collections, row, month, limit, more)

        return await self._database.write(rerun)

    async def _queue_again(
        self, collections: Collections, row: Row, month: datetime, limit: int | None, more: Row
    ) -> Invoice | None:
        reservation = await self._reservation_of(row, month)
        unit = await take_unit(collections, reservation, month, limit)
        queued = queued_again(invoice_from(row), reservation.made_at)
        fields = fields_of(queued)
        entry = entry_of(duplicate_keys={row["duplicate_key"]}, sums=differences_of(row, fields))
        changed = await collections.invoices.find_one_and_update(
            {
                "_id": row["_id"],
                "account_id": row["account_id"],
                "status": row["status"],
                "revision": row["revision"],
            },
            {
                "$set": fields
                | {
                    "waiting": True,
                    "lost_claims": 0,
                    "releases": 0,
                    "pair": None,
                    "queued_at": to_micros(queued.updated_at),
                }
                | more
                | await self._follow_ups.due(),
                "$inc": {"runs": 1, "attempt": 1, "revision": 1},
                "$push": {"units": unit.token, "outbox": entry},
            },
            return_document=ReturnDocument.AFTER,
        )
        if changed is None:
            await cancel_unit(collections, unit)
            return None
        with defer_on_failure("the end of a reservation"):
            await keep(collections, unit)
        with defer_on_failure("a slot"):
            await self._slots.fill(collections, row["account_id"])
        with defer_on_failure("a vendor's sums"):
            await self._follow_ups.settle(collections, changed)
        return invoice_from(changed)

    async def stale(self, before: datetime, limit: int) -> list[Reservation]:
        async def find(collections: Collections) -> list[Reservation]:
            old = collections.quotas.find({"open.made_at": {"$lt": to_micros(before)}})
            rows = await old.sort("open.made_at", ASCENDING).limit(limit).to_list(None)
            found = [reservation for row in rows for reservation in reservations_of(row, before)]
            found += await stale_pending_deletions(collections, before, limit)
            return sorted(found, key=lambda reservation: reservation.made_at)[:limit]

        return await self._database.read(find)

    async def has_invoice(self, file_key: str) -> bool:
        return await self._database.read_confirmed(lambda collections: _has_invoice(collections, file_key))

    async def give_up(self, reservation: Reservation) -> bool:
        async def give_up(collections: Collections) -> bool:
            await refuse_anothers(collections, reservation)
            # First the lasting note, then the unit: after a crash between the two, both can still be found.
            row = {"_id": str(reservation.invoice_id), "account_id": str(reservation.account_id)}
            row |= {"file_key": reservation.file_key}
            await note_pending_deletion(collections, row, to_micros(reservation.made_at), reservation.token)
            await end_unit(collections, reservation)
            # A request that takes a unit from now on sees the note; one that used a unit up inserted its invoice
            # before.
            await refuse_anothers(collections, reservation)
            return not await _has_invoice(collections, reservation.file_key)

        return await self._database.write(give_up)

    async def cancel(self, reservation: Reservation) -> None:
        await self._database.write(lambda collections: _cancel(collections, reservation))

    async def _withdraw(self, collections: Collections, row: Row, unit: Unit) -> bool:
        """Remove an added invoice whose unit was given back meanwhile, unless the process that did that saw the
        invoice."""
        # The process that gave up the file may have seen the invoice later, and kept the file.
        await renew_pending_deletion(collections, row, to_micros(await self._database.now()))
        unseen = {"_id": row["_id"], "account_id": row["account_id"], "kept": {"$ne": unit.token}, "attempt": 0}
        return (await collections.invoices.delete_one(unseen)).deleted_count == 1

    async def _reservation(self, record: InvoiceRecord, month: datetime, run: int) -> Reservation:
        made_at = await self._database.now()
        return Reservation(record.invoice.id, record.account_id, record.file_key, month, run, made_at, uuid4().hex)

    async def _reservation_of(self, row: Row, month: datetime) -> Reservation:
        ids = UUID(row["_id"]), UUID(row["account_id"])
        return Reservation(*ids, row["file_key"], month, row["runs"] + 1, await self._database.now(), uuid4().hex)


async def _has_invoice(collections: Collections, file_key: str) -> bool:
    of_file = {"account_id": account_of(file_key), "file_key": file_key}
    return await collections.invoices.find_one(of_file, {"_id": 1}) is not None


async def _insert(collections: Collections, row: Row, unit: Unit) -> bool:
    """True if a majority of the members has the row for certain."""
    try:
        await collections.invoices.insert_one(row)
        return True
    except AutoReconnect:
        # Perhaps it was written before the connection broke; only a second try can tell.
        return await _insert_again(collections, row, unit)
    except WriteConcernError:
        # Written, but not confirmed in time.
        return False
    except DuplicateKeyError:
        if await _lacks(collections, row):
            raise _SlotTaken from None
        # Another request for the same invoice was faster, perhaps with this very unit.
        if not await is_used(collections, row, unit):
            await cancel_unit(collections, unit)
        raise InvoiceContended from None


async def _insert_again(collections: Collections, row: Row, unit: Unit) -> bool:
    try:
        await collections.invoices.insert_one(row)
        return True
    except DuplicateKeyError:
        if await is_used(collections, row, unit):
            return False
        if await _lacks(collections, row):
            raise _SlotTaken from None
        raise InvoiceContended from None


async def _lacks(collections: Collections, row: Row) -> bool:
    """Whether the row is not there: then another one has its slot."""
    this = {"_id": row["_id"], "account_id": row["account_id"]}
    return "seat" in row and await collections.invoices.find_one(this, {"_id": 1}) is None


async def _confirm(collections: Collections, row: Row) -> None:
    """Returns once a majority of the members has the row. Raises Unavailable if a failover took it back.

    Only a write that matches the row itself can tell: a write to another document may be confirmed by a new primary
    that never had the row.
    """
    this = {"_id": row["_id"], "account_id": row["account_id"], "units": row["units"]}
    if not (await collections.invoices.update_one(this, {"$inc": {"revision": 1}})).matched_count:
        raise StoreUnreachable


async def _cancel(collections: Collections, reservation: Reservation) -> None:
    await end_unit(collections, reservation)
    await end_pending_deletions_of(collections, reservation)
