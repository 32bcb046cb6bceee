"""Which invoices of an earlier version need a person."""

import logging

from pymongo import ASCENDING

from serve_app.store.mongo.engine.types import Collections, Row

_DONE = {"_id": "invoices that need a person"}
_TO_CHECK: Row = {"needs_person": {"$exists": False}, "status": "complete", "document.auto_verified": False}
_BATCH = 1000

log = logging.getLogger(__name__)


async def note_who_needs_a_person(collections: Collections) -> None:
    """Invoices of before there were reviews, at which nobody has looked; once for the database, however often it is
    interrupted or done by several processes."""
    if await collections.upgrades.find_one(_DONE) is not None:
        return
    noted, after = 0, ""
    while (last := await _last_after(collections, after)) is not None:
        some = {"_id": {"$gt": after, "$lte": last}, **_TO_CHECK}
        noted += (await collections.invoices.update_many(some, {"$set": {"needs_person": True}})).modified_count
        after = last
    await collections.upgrades.update_one(_DONE, {"$set": {"invoices": noted}}, upsert=True)
    log.info("invoices that need a person noted", extra={"invoices": noted})


async def _last_after(collections: Collections, after: str) -> str | None:
    found = collections.invoices.find({"_id": {"$gt": after}}, {"_id": 1}).sort("_id", ASCENDING).limit(_BATCH)
    rows = await found.to_list(None)
    return rows[-1]["_id"] if rows else None
