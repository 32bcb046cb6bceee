"""Names that an earlier version stored, which had folded only their case: folded again, once for the database."""

import logging

from pymongo import ASCENDING

from serve_app.domain.folding import folded
from serve_app.store.mongo.engine.types import Collections, Row

_DONE = {"_id": "vendors without accents"}
# Any character beyond ASCII, which has nothing more to fold.
_NAMES = {"vendor_folded": {"$regex": "[^\\x01-\\x7f]"}}

_BATCH = 1000

_NAMES_DONE = {"_id": "names of vendors to search for"}
_UNFOLDED: Row = {"name_folded": {"$exists": False}}

log = logging.getLogger(__name__)


async def fold_names(collections: Collections) -> None:
    """Note how the names of vendors are searched for, unless that is done; can be repeated, and be done by several
    processes at the same time."""
    if await collections.upgrades.find_one(_NAMES_DONE) is not None:
        return
    changed, rows = 0, await _next_vendors(collections, "")
    while rows:
        for row in rows:
            # No match: the name was changed meanwhile, and is folded already.
            found = await collections.vendors.update_one(row, {"$set": {"name_folded": folded(row["name"])}})
            changed += found.matched_count
        rows = await _next_vendors(collections, rows[-1]["_id"])
    await collections.upgrades.update_one(_NAMES_DONE, {"$set": {"vendors": changed}}, upsert=True)


async def _next_vendors(collections: Collections, after: str) -> list[Row]:
    found = collections.vendors.find({"_id": {"$gt": after}, **_UNFOLDED}, {"name": 1})
    return await found.sort("_id", ASCENDING).limit(_BATCH).to_list(None)


async def refold_vendors(collections: Collections) -> None:
    """Fold the names of all invoices' vendors, unless that is done; can be repeated, and be done by several processes
    at the same time."""
    if await collections.upgrades.find_one(_DONE) is not None:
        return
    changed, rows = 0, await _next(collections, "")
    while rows:
        changed += sum([await _refold(collections, row) for row in rows])
        rows = await _next(collections, rows[-1]["_id"])
    await collections.upgrades.update_one(_DONE, {"$set": {"invoices": changed}}, upsert=True)
    log.info("vendors' names folded again", extra={"invoices": changed})


async def _next(collections: Collections, after: str) -> list[Row]:
    found = collections.invoices.find({"_id": {"$gt": after}, **_NAMES}, {"vendor_folded": 1})
    return await found.sort("_id", ASCENDING).limit(_BATCH).to_list(None)


async def _refold(collections: Collections, row: Row) -> int:
    name = folded(row["vendor_folded"])
    if name == row["vendor_folded"]:
        return 0
    # No match: the name was changed meanwhile, and is folded already.
    return (await collections.invoices.update_one(row, {"$set": {"vendor_folded": name}})).matched_count
