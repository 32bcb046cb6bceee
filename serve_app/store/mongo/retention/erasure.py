"""Permanent removal. The order of the steps allows an interrupted call to be repeated."""

from datetime import datetime
from uuid import UUID

from pymongo import ASCENDING, ReturnDocument

from serve_app.domain.erased import Erased
from serve_app.domain.event import DeletedEvent, EventType, LoggedEvent
from serve_app.domain.record import InvoiceRecord
from serve_app.store.mongo.accounts.units import keep_all, refund_unit
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.errors import defer_on_failure
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.mongo.exports.exports import forget_invoice
from serve_app.store.mongo.invoices.codec import record_from
from serve_app.store.mongo.models.candidates import forget_account
from serve_app.store.mongo.people.memberships import remove_members
from serve_app.store.mongo.queue.follow_ups import FollowUps
from serve_app.store.mongo.queue.outbox_entries import entry_of, event_row
from serve_app.store.mongo.queue.slots import LEAVE, ConcurrencySlots
from serve_app.store.mongo.retention.erased_ids import note_erased
from serve_app.store.mongo.retention.pending_deletion import end_pending_deletion, note_pending_deletion
from serve_app.store.mongo.vendors.sums import differences_of
from serve_app.store.mongo.webhooks.endpoint_hours import remove_counts
from serve_app.store.mongo.webhooks.pending_deliveries import add_deliveries
from serve_app.store.rows.codec import from_micros, to_micros


class MongoErasure:
    def __init__(self, database: Database, slots: ConcurrencySlots, follow_ups: FollowUps) -> None:
        self._database = database
        self._slots = slots
        self._follow_ups = follow_ups

    async def invoice(
        self, record: InvoiceRecord, now: datetime, refund: datetime | None = None, *, emit_event: bool = True
    ) -> Erased:
        this = {"_id": str(record.invoice.id), "account_id": str(record.account_id)}
        # A removal that a failover may still undo does not count.
        row = await self._database.read_confirmed(lambda collections: collections.invoices.find_one(this))
        if row is None:
            return Erased()

        async def erase(collections: Collections) -> Erased:
            if refund is not None:
                # First: once the invoice is gone, nobody would know of the unit.
                await refund_unit(collections, record.account_id, refund, record.invoice.id)
            return await self._erase(collections, row, to_micros(now), emit_event)

        return await self._database.write_at_length(erase)

    async def _erase(self, collections: Collections, row: Row, now: int, emit_event: bool) -> Erased:
        await self._settle_file(collections, row)
        await note_pending_deletion(collections, row, now)
        row = await self._step_out(collections, row)
        # Once the invoice is gone, no process could tell that its run was queued.
        await keep_all(collections, row)
        erased = await _remove_traces(collections, row, now)
        if emit_event:
            await _log_deletion(collections, row)
        # Last: after a crash, whoever finds the invoice can do all of this again.
        this = {"_id": row["_id"], "account_id": row["account_id"]}
        erased += Erased(invoices=(await collections.invoices.delete_one(this)).deleted_count)
        # Of two invoices removed at the same time, the later check finds no invoice left that needs the file.
        of_file = {"account_id": row["account_id"], "file_key": row["file_key"]}
        if await collections.invoices.find_one(of_file, {"_id": 1}) is not None:
            await end_pending_deletion(collections, row["account_id"], row["_id"])
        with defer_on_failure("a slot"):
            await self._slots.fill(collections, row["account_id"])
        return erased

    async def _settle_file(self, collections: Collections, row: Row) -> None:
        """Finish the follow-up work of the file's invoices first, so that none of them brings the invoice back."""
        of_file = {"account_id": row["account_id"], "file_key": row["file_key"], "outbox_at": {"$exists": True}}
        rows = await collections.invoices.find(of_file).to_list(None)
        for other in rows:
            await self._follow_ups.settle(collections, other)

    async def _step_out(self, collections: Collections, row: Row) -> Row:
        """Take the invoice out of the queue, its vendor's sums and its group of duplicates, and correct those; returns
        the updated row."""
        present: Row | None = row
        while present is not None:
            stepped_out = await self._try_to_step_out(collections, present)
            if stepped_out is not None:
                await self._follow_ups.settle(collections, stepped_out)
                return stepped_out
            present = await collections.invoices.find_one({"_id": row["_id"], "account_id": row["account_id"]})
        return row

    async def _try_to_step_out(self, collections: Collections, row: Row) -> Row | None:
        entry = entry_of(duplicate_keys={row["duplicate_key"]}, sums=differences_of(row, None))
        stepped_out: Row | None = await collections.invoices.find_one_and_update(
            {"_id": row["_id"], "account_id": row["account_id"], "revision": row["revision"]},
            {
                "$set": {"duplicate_key": None, "vendor_key": None, **await self._follow_ups.due()},
                "$unset": dict(LEAVE),
                # A run in progress loses its claim.
                "$inc": {"revision": 1, "attempt": 1},
                "$push": {"outbox": entry},
            },
            return_document=ReturnDocument.AFTER,
        )
        return stepped_out

    async def next_invoices(self, account_id: UUID, limit: int) -> list[InvoiceRecord]:
        async def find(collections: Collections) -> list[Row]:
            found = collections.invoices.find({"account_id": str(account_id)}, {"outbox": 0})
            return await found.sort("_id", ASCENDING).limit(limit).to_list(None)

        return [record_from(row) for row in await self._database.read_confirmed(find)]

    async def _has_mail(self, account_id: UUID) -> bool:
        mail = {"account_id": str(account_id)}
        found = await self._database.read_confirmed(lambda collections: collections.mails.find_one(mail, {"_id": 1}))
        return found is not None

    async def account(self, account_id: UUID) -> Erased:
        if await self.next_invoices(account_id, 1) or await self._has_mail(account_id):
            raise ValueError("the account still has invoices or mails")
        return await self._database.write_at_length(lambda collections: _erase_account(collections, str(account_id)))


async def _log_deletion(collections: Collections, row: Row) -> None:
    """Log the event of the deletion with its deliveries: the same one, whoever else deletes the invoice as well."""
    account = {"account_id": row["account_id"]}
    note = await collections.erased_ids.find_one(account | {"_id": row["_id"]})
    if note is None:
        return
    deleted = DeletedEvent.about(UUID(row["_id"]), from_micros(note["erased_at"]))
    event = event_row(LoggedEvent.of(deleted, UUID(row["account_id"])))
    event |= {"invoice_id": row["_id"]}
    this = account | {"_id": event["_id"]}
    await collections.events.update_one(this, {"$setOnInsert": event}, upsert=True)
    await add_deliveries(collections, [event], note["erased_at"])


async def _remove_traces(collections: Collections, row: Row, now: int) -> Erased:
    """Remove everything but the invoice's own row, and what tells of its deletion."""
    account = {"account_id": row["account_id"]}
    old = account | {"invoice_id": row["_id"], "type": {"$ne": str(EventType.DELETED)}}
    events = await collections.events.find(old, {"_id": 1}).to_list(None)
    ids = [event["_id"] for event in events]
    for id in (row["_id"], *ids):
        await note_erased(collections, row["account_id"], id, now)
    # Its answer would repeat the invoice.
    await collections.idempotency.delete_many(account | {"invoice_id": row["_id"]})
    for name in ("comments", "watched_files"):
        await collections[name].delete_many(account | {"invoice_id": row["_id"]})
    await forget_invoice(collections, row)
    for name in ("comparisons", "canary_runs"):
        await collections[name].delete_one(account | {"_id": row["_id"]})
    return Erased(
        deliveries=(await collections.deliveries.delete_many(account | {"event_id": {"$in": ids}})).deleted_count,
        events=(await collections.events.delete_many(old)).deleted_count,
    )


async def _erase_account(collections: Collections, account_id: str) -> Erased:
    async def remove(name: str) -> int:
        return (await collections[name].delete_many({"account_id": account_id})).deleted_count

    erased = await remove_members(collections, account_id)
    await _remove_windows(collections, account_id)
    await forget_account(collections, account_id)
    endpoints = await collections.endpoints.find({"account_id": account_id}, {"_id": 1}).to_list(None)
    await remove_counts(collections, [endpoint["_id"] for endpoint in endpoints])
    keys = await remove("api_keys")
    await _keep_reservations(collections, account_id)
    for name in (
        *("quotas", "usage_months", "idempotency", "approval_mails", "erased_ids", "calls", "mail_addresses"),
        *("mail_documents", "mail_pictures", "automatic_mails", "deletions", "comparisons", "canary_runs"),
        *("thresholds", "own_fields", "comments", "saved_views", "purchase_orders"),
        *("watched_folders", "watched_files", "exports", "export_schedules", "ledger_connections"),
    ):
        await remove(name)
    # The answer to its creation repeats the account, with the key of an operator.
    await collections.idempotency.delete_many({"invoice_id": account_id})
    for by_account in ("call_counts", "retention_rules", "pins", "charts"):
        await collections[by_account].delete_one({"_id": account_id})
    return erased + Erased(
        keys=keys,
        audit_entries=await remove("audit"),
        endpoints=await remove("endpoints"),
        deliveries=await remove("deliveries"),
        events=await remove("events"),
        vendors=await remove("vendors"),
        accounts=(await collections.accounts.delete_one({"_id": account_id})).deleted_count,
    )


async def _remove_windows(collections: Collections, account_id: str) -> None:
    keys = await collections.api_keys.find({"account_id": account_id}, {"_id": 1}).to_list(None)
    await collections.rate_windows.delete_many({"_id": {"$in": [key["_id"] for key in keys]}})


async def _keep_reservations(collections: Collections, account_id: str) -> None:
    """Files that are being written, or were written by a crashed process, must be found after the account is gone."""
    for month in await collections.quotas.find({"account_id": account_id}).to_list(None):
        for entry in month["open"]:
            row = {"_id": entry["invoice_id"], "account_id": account_id, "file_key": entry["file_key"]}
            await note_pending_deletion(collections, row, entry["made_at"])
