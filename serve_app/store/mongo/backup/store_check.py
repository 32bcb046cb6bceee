"""The check of a MongoDB store, read from its collections."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any
from uuid import UUID

from serve_app.domain.account_records import AccountRecords, EventEntry, InvoiceEntry
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row, named
from serve_app.store.mongo.queue.follow_ups import FollowUps
from serve_app.store.mongo.vendors.vendors import repair_vendors
from serve_app.store.mongo.webhooks.endpoint_rows import endpoints_of
from serve_app.store.rows.account_records import endpoint_entry, export_entry, invoice_entry, mail_files, vendor_entry
from serve_app.store.rows.deletions import plan_from

_INVOICE = (
    *("status", "runs", "file_key", "evidence_key", "vendor_id", "vendor_key", "billed", "duplicate_key"),
    *("duplicate_of", "outbox", "document.batch", "document_gone_at", "export_id"),
)
_BLANK: Row = {"evidence_key": None, "outbox": [], "document_gone_at": None, "export_id": None}


class MongoStoreCheck:
    """Collections are read one after the other, follow-up work first: what it leaves for later is seen as such."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def accounts(self) -> list[UUID]:
        async def find(collections: Collections) -> set[str]:
            there = await collections.accounts.find({}, {"_id": 1}).to_list(None)
            others = [await collections[name].distinct("account_id") for name in ("invoices", "deletions")]
            return {row["_id"] for row in there}.union(*others)

        return [UUID(id) for id in sorted(await self._database.read_at_length(find))]

    async def of_account(self, account_id: UUID) -> AccountRecords:
        return await self._database.read_at_length(lambda collections: _read_records(collections, account_id))

    async def damage(self) -> list[str]:
        """Nothing: MongoDB checks its own files, and `validate` locks a collection."""
        return []

    async def repair(self, account_id: UUID) -> None:
        async def repair(collections: Collections) -> None:
            this = {"account_id": str(account_id)}
            unflagged = this | {"duplicate_key": None, "duplicate_of": {"$ne": None}}
            await collections.invoices.update_many(unflagged, {"$set": {"duplicate_of": None}, "$inc": {"revision": 1}})
            for key in await collections.invoices.distinct("duplicate_key", this | {"duplicate_key": {"$gt": ""}}):
                await FollowUps(self._database).flag(collections, str(account_id), key)
            await repair_vendors(collections, str(account_id))

        await self._database.write_at_length(repair)

    async def close(self) -> None:
        await self._database.close()


async def _read_records(collections: Collections, account_id: UUID) -> AccountRecords:
    this = {"account_id": str(account_id)}

    async def rows(collection: str, *fields: str, **more: Any) -> list[Row]:
        found: list[Row] = await collections[collection].find(this | more, dict.fromkeys(fields, 1)).to_list(None)
        return found

    invoices = await rows("invoices", *_INVOICE)
    quotas = await rows("quotas", "used", "open")
    opened = [entry for quota in quotas for entry in quota["open"]]
    tests = {row["_id"] for row in await rows("events", "_id", test_of={"$gt": ""})}
    mails = await rows("mails", "state", "document.has_raw")
    kept, passing = mail_files(account_id, ((row["_id"], row["state"], row["document"]["has_raw"]) for row in mails))
    reserved = {entry["file_key"] for entry in opened} | {row["file_key"] for row in await rows("doomed_files")}
    return AccountRecords(
        account_id=account_id,
        invoices=[_invoice(row) for row in invoices],
        events=[
            EventEntry(row["_id"], row["invoice_id"], row["type"])
            for row in await rows("events", "invoice_id", "type", test_of=None)
        ],
        endpoints=[endpoint_entry(endpoint) for endpoint in await endpoints_of(collections, str(account_id))],
        deliveries=[
            (row["event_id"], row["endpoint_id"])
            for row in await rows("deliveries", "event_id", "endpoint_id")
            if row["event_id"] not in tests
        ],
        vendors=[
            vendor_entry({"merged_into": None, **named(row)})
            for row in await rows("vendors", "key", "invoice_count", "total", "merged_into")
        ],
        units=sum(quota["used"] for quota in quotas),
        reserved=frozenset(reserved | passing),
        reserved_units=len(opened),
        mails=frozenset(kept),
        plans=[plan_from(named(row)) for row in await collections.deletions.find(this).to_list(None)],
        exports=[
            export_entry(row["_id"], row["sha256"], row["content"], row["invoices"])
            for row in await rows("exports", "sha256", "content", "invoices")
        ],
    )


def _invoice(row: Row) -> InvoiceEntry:
    whole = _BLANK | named(row)
    billed = Decimal(0) if row["billed"] is None else row["billed"].to_decimal()
    batch: Mapping[str, Any] | None = row.get("document", {}).get("batch")
    return invoice_entry(whole, billed, batch, is_settled=not whole["outbox"])
