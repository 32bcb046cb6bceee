"""Levels and models of invoices that an earlier version stored, which kept them in the document alone."""

import logging

from pymongo import ASCENDING

from serve_app.domain.invoice import lowest_level, models_text
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.mongo.invoices.codec import invoice_from

_DONE = {"_id": "levels and models"}
_TO_NOTE: Row = {"level": {"$exists": False}, "status": "complete"}
_BATCH = 1000

log = logging.getLogger(__name__)


async def note_levels(collections: Collections) -> None:
    """Note them, unless that is done; can be repeated, and be done by several processes at the same time."""
    if await collections.upgrades.find_one(_DONE) is not None:
        return
    noted, rows = 0, await _next(collections, "")
    while rows:
        noted += sum([await _note(collections, row) for row in rows])
        rows = await _next(collections, rows[-1]["_id"])
    await collections.upgrades.update_one(_DONE, {"$set": {"invoices": noted}}, upsert=True)
    log.info("levels and models of invoices noted", extra={"invoices": noted})


async def _next(collections: Collections, after: str) -> list[Row]:
    found = collections.invoices.find({"_id": {"$gt": after}, **_TO_NOTE})
    return await found.sort("_id", ASCENDING).limit(_BATCH).to_list(None)


async def _note(collections: Collections, row: Row) -> int:
    invoice = invoice_from(row)
    level = lowest_level(invoice)
    values = {"level": level and str(level), "models": models_text(invoice)}
    # No match: the invoice was changed meanwhile, and has both already.
    this = {"_id": row["_id"], "level": {"$exists": False}}
    return (await collections.invoices.update_one(this, {"$set": values})).matched_count
