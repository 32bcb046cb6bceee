"""Exports. MongoDB changes one document at a time: an export is stored with its invoices before these are marked, and
counts once all are. A process that dies in between leaves one that does not count; the next export of the account takes
it back."""

from datetime import datetime, timedelta
from uuid import UUID

from pymongo import DESCENDING

from serve_app.domain.event import EventType
from serve_app.domain.export import Export, ExportDelivery, NewExport
from serve_app.domain.invoice import Invoice
from serve_app.domain.query import ListPage, page_of
from serve_app.store.mongo.engine.claims import claim_due
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row, named
from serve_app.store.mongo.invoices.codec import invoice_from
from serve_app.store.mongo.invoices.finish import event_about
from serve_app.store.mongo.queue.outbox_entries import entry_of_event
from serve_app.store.rows.codec import to_micros
from serve_app.store.rows.exports import delivery_values, export_from, export_row

_WITHOUT_CONTENT = {"content": 0}
_HIDDEN = {"outbox": 0, "trigrams": 0}
_ABANDONED = timedelta(minutes=15)
"""After so long, no process is at work on an export any more."""


class MongoExports:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, new: NewExport) -> bool:
        return await self._database.write_at_length(lambda collections: _add(collections, new))

    async def get(self, account_id: UUID, export_id: UUID) -> Export | None:
        row = await self._find(account_id, export_id, _WITHOUT_CONTENT)
        return None if row is None else _export(row)

    async def content(self, account_id: UUID, export_id: UUID) -> bytes | None:
        row = await self._find(account_id, export_id, {"content": 1})
        return None if row is None or row["content"] is None else bytes(row["content"])

    async def page(self, account_id: UUID, limit: int, after: UUID | None = None) -> ListPage[Export]:
        where: Row = {"account_id": str(account_id), "is_done": True}
        if after is not None:
            where["_id"] = {"$lt": str(after)}

        async def find(collections: Collections) -> list[Row]:
            found = collections.exports.find(where, _WITHOUT_CONTENT).sort("_id", DESCENDING)
            return await found.limit(limit + 1).to_list(None)

        return page_of([_export(row) for row in await self._database.read_confirmed(find)], limit)

    async def claim_delivery(self, now: datetime, until: datetime) -> Export | None:
        row = await self._database.write(
            lambda collections: claim_due(collections, "exports", {"is_done": True}, now, until, _WITHOUT_CONTENT)
        )
        return None if row is None else _export(row)

    async def record_delivery(self, claimed: Export, delivery: ExportDelivery) -> bool:
        this = {"_id": str(claimed.id), "account_id": str(claimed.account_id)}
        this["due_at"] = delivery_values(claimed.delivery)["due_at"]
        return await self._changes(this, delivery_values(delivery))

    async def deliver_again(self, account_id: UUID, export_id: UUID, now: datetime) -> bool:
        this: Row = {"_id": str(export_id), "account_id": str(account_id), "is_done": True}
        return await self._changes(this | {"delivery": {"$gt": ""}}, {"due_at": to_micros(now)})

    async def unlock(self, account_id: UUID, invoice_id: UUID, now: datetime) -> Invoice | None:
        this = {"_id": str(invoice_id), "account_id": str(account_id)}

        async def unlock(collections: Collections) -> Invoice | None:
            while (row := await collections.invoices.find_one(this, _HIDDEN)) is not None:
                # Retry if the invoice was changed since it was read.
                if row.get("export_id") is None or await _mark(collections, row, None, now):
                    return invoice_from(row | {"export_id": None})
            return None

        return await self._database.write(unlock)

    async def _changes(self, this: Row, values: Row) -> bool:
        async def update(collections: Collections) -> bool:
            return (await collections.exports.update_one(this, {"$set": values})).matched_count == 1

        return await self._database.write(update)

    async def _find(self, account_id: UUID, export_id: UUID, fields: Row) -> Row | None:
        this = {"_id": str(export_id), "account_id": str(account_id), "is_done": True}
        return await self._database.read_confirmed(lambda collections: collections.exports.find_one(this, fields))


async def forget_invoice(collections: Collections, row: Row) -> None:
    """Remove an invoice from its exports, and their files, which contain its values."""
    these = {"account_id": row["account_id"], "invoices": row["_id"]}
    change = {"$set": {"content": None, "has_file": 0}, "$pull": {"invoices": row["_id"]}}
    await collections.exports.update_many(these, change)


async def _add(collections: Collections, new: NewExport) -> bool:
    export = new.export
    await _take_back_abandoned(collections, export)
    if await collections.accounts.find_one({"_id": str(export.account_id)}, {"_id": 1}) is None:
        return False
    this = {"_id": str(export.id), "account_id": str(export.account_id)}
    row = export_row(export) | {"invoices": [str(id) for id in export.invoices], "is_done": False}
    await collections.exports.insert_one(this | row | {"content": new.content})
    for id in export.invoices:
        if not await _claim(collections, new, id):
            await _take_back(collections, this | row)
            return False
    # Nobody has taken it back meanwhile, nor was an invoice deleted.
    whole = this | {"is_done": False, "has_file": 1}
    if (await collections.exports.update_one(whole, {"$set": {"is_done": True}})).matched_count == 1:
        return True
    await _take_back(collections, this | row)
    return False


async def _claim(collections: Collections, new: NewExport, invoice_id: UUID) -> bool:
    """Mark an invoice, unless it is not as it was read."""
    seen: Row = {"_id": str(invoice_id), "account_id": str(new.export.account_id)}
    seen["updated_at"] = to_micros(new.seen[invoice_id])
    if not new.is_repeated:
        seen["export_id"] = None
    while (row := await collections.invoices.find_one(seen, _HIDDEN)) is not None:
        # An invoice that is exported once more stays marked as in its first export.
        if row.get("export_id") is not None or await _mark(collections, row, new.export.id, new.export.created_at):
            return True
    return False


async def _mark(collections: Collections, row: Row, export_id: UUID | None, now: datetime) -> bool:
    """False if the row was changed since it was read."""
    values = {"export_id": export_id and str(export_id), "updated_at": to_micros(now)}
    entry = entry_of_event(event_about(row, invoice_from(row | values), now, EventType.UPDATED))
    this = {"_id": row["_id"], "account_id": row["account_id"], "revision": row["revision"]}
    change = {"$set": values | {"outbox_at": 0}, "$inc": {"revision": 1}, "$push": {"outbox": entry}}
    return (await collections.invoices.update_one(this, change)).matched_count == 1


async def _take_back_abandoned(collections: Collections, export: Export) -> None:
    old = {"account_id": str(export.account_id), "is_done": False}
    old |= {"created_at": {"$lt": to_micros(export.created_at - _ABANDONED)}}
    for row in await collections.exports.find(old, _WITHOUT_CONTENT).to_list(None):
        await _take_back(collections, row)


async def _take_back(collections: Collections, export: Row) -> None:
    """Release the invoices of an export that does not count, then remove it: so somebody can do the rest."""
    for id in export["invoices"]:
        this = {"_id": id, "account_id": export["account_id"], "export_id": export["_id"]}
        await collections.invoices.update_one(this, {"$set": {"export_id": None}, "$inc": {"revision": 1}})
    await collections.exports.delete_one({"_id": export["_id"], "account_id": export["account_id"]})


def _export(row: Row) -> Export:
    return export_from(named(row), row["invoices"])
