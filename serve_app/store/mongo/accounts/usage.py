"""What reading took, by account and month: sums that deleting invoices does not change.

The write that ends a run notes its usage in the invoice's outbox; `add_usage` counts it in the month's document, which
lists the entries that it has counted last.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from uuid import UUID

from pymongo.errors import DuplicateKeyError

from serve_app.domain.clock import month_start
from serve_app.domain.invoice import Invoice, Status
from serve_app.domain.usage import UsageSums
from serve_app.store.mongo.accounts.units import month_id
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.rows.codec import from_micros, to_micros
from serve_app.store.rows.columns import usage_from

_MOST_COUNTED = 500
"""How many entries a month lists: an entry that is counted again, by a process that had stalled, is among the last."""


def usage_entry(account_id: str, invoices: Iterable[Invoice], now: datetime) -> Row | None:
    """What the outbox notes of the invoices that a run ends with; None: nothing was measured."""
    read = [invoice.usage for invoice in invoices if invoice.status is Status.COMPLETE and invoice.usage is not None]
    month = month_start(now)
    if not read:
        return None
    return {"id": month_id(UUID(account_id), month), "month": to_micros(month), **UsageSums.of(read)._asdict()}


async def add_usage(collections: Collections, invoice: Row, entry: Row) -> None:
    """Count an entry of an invoice's outbox, once however often this is repeated."""
    usage, pending = entry["usage"], {"_id": invoice["_id"], "account_id": invoice["account_id"]}
    if await collections.invoices.find_one(pending | {"outbox.id": entry["id"]}, {"_id": 1}) is None:
        # Another process has done all of the entry, perhaps long ago.
        return
    uncounted = {"_id": usage["id"], "counted": {"$ne": entry["id"]}}
    change = {
        "$setOnInsert": {"account_id": invoice["account_id"], "month": usage["month"]},
        "$inc": {name: usage[name] for name in UsageSums._fields},
        "$push": {"counted": {"$each": [entry["id"]], "$slice": -_MOST_COUNTED}},
    }
    try:
        await collections.usage_months.update_one(uncounted, change, upsert=True)
    except DuplicateKeyError:
        # Counted already, or another process has just begun the month: then it is there now.
        change.pop("$setOnInsert")
        await collections.usage_months.update_one(uncounted, change)


async def usage_since(database: Database, account_id: UUID, since: datetime) -> Mapping[datetime, UsageSums]:
    """The sums of each month since one."""
    query = {"account_id": str(account_id), "month": {"$gte": to_micros(since)}}

    async def find(collections: Collections) -> list[Row]:
        return await collections.usage_months.find(query, {"counted": 0}).to_list(None)

    return {from_micros(row["month"]): usage_from(row) for row in await database.read(find)}
