"""Rejected invoices of an earlier version, which counted them in their vendors' sums."""

import logging
from typing import Any

from bson.decimal128 import Decimal128
from pymongo import ASCENDING

from serve_app.domain.invoice import ReviewStatus
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.mongo.queue.outbox_entries import entry_of
from serve_app.store.mongo.vendors.sums import differences_of

_DONE = {"_id": "shares of rejected invoices"}
_NOTHING = Decimal128("0")
_COUNTED: Row = {
    "review_status": str(ReviewStatus.REJECTED),
    "vendor_key": {"$gt": ""},
    "billed": {"$nin": [_NOTHING, None]},
}
_BATCH = 1000

log = logging.getLogger(__name__)


async def drop_shares_of_rejected(collections: Collections) -> None:
    """Leave to do what takes them out of the sums, once for the database; can be repeated, and be done by several
    processes at the same time."""
    if await collections.upgrades.find_one(_DONE) is not None:
        return
    dropped, rows = 0, await _next(collections, "")
    while rows:
        dropped += sum([await _drop(collections, row) for row in rows])
        rows = await _next(collections, rows[-1]["_id"])
    await collections.upgrades.update_one(_DONE, {"$set": {"invoices": dropped}}, upsert=True)
    log.info("rejected invoices taken out of vendors' sums", extra={"invoices": dropped})


async def _next(collections: Collections, after: str) -> list[Row]:
    found: Any = collections.invoices.find({"_id": {"$gt": after}, **_COUNTED})
    rows: list[Row] = await found.sort("_id", ASCENDING).limit(_BATCH).to_list(None)
    return rows


async def _drop(collections: Collections, row: Row) -> int:
    """No match: the invoice was changed meanwhile, by a program that counts right, or is met again."""
    this = {"_id": row["_id"], "account_id": row["account_id"], "revision": row["revision"]}
    entry = entry_of(duplicate_keys=[row["duplicate_key"]], sums=differences_of(row, row | {"billed": _NOTHING}))
    change: Row = {"$set": {"billed": _NOTHING, "outbox_at": 0}, "$inc": {"revision": 1}, "$push": {"outbox": entry}}
    return (await collections.invoices.update_one(this, change)).matched_count
