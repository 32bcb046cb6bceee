"""Duplicates: all complete invoices of an account that have the same key. Each names the oldest; the oldest names
none."""

from dataclasses import dataclass

from pymongo import ASCENDING
from pymongo.read_concern import ReadConcern

from serve_app.store.mongo.outbox_entries import entry_of
from serve_app.store.mongo.types import Collections, Row
from serve_app.store.mongo.vendor_sums import differences_of

_SHARE = dict.fromkeys(("account_id", "vendor_key", "billed", "seen_on", "duplicate_of", "revision"), 1)


@dataclass(frozen=True, slots=True)
class Flagged:
    """An invoice that adds something else to its vendor since it was flagged, and the entry of its outbox about it."""

    invoice: Row
    entry: Row


async def oldest_twin(collections: Collections, account_id: str, key: str, besides: str | None = None) -> str | None:
    """The id of the oldest invoice with the key, other than `besides`."""
    query: Row = {"account_id": account_id, "duplicate_key": key}
    if besides is not None:
        query["_id"] = {"$ne": besides}
    row = await collections.invoices.find_one(query, {"_id": 1}, sort=[("_id", ASCENDING)])
    return None if row is None else str(row["_id"])


async def flag_twins(collections: Collections, account_id: str, key: str, due: Row) -> list[Flagged]:
    """Flag all that have the key; correct in whatever order concurrent processes do it. `due` has the moment from which
    other processes may take up the entries."""
    # What a majority has: a flag that is right for certain needs no write.
    certain = collections.get_collection("invoices", read_concern=ReadConcern("majority"))
    twins: Row = {"account_id": account_id, "duplicate_key": key}
    flagged: list[Flagged] = []
    while (first := await certain.find_one(twins, {"_id": 1}, sort=[("_id", ASCENDING)])) is not None:
        oldest = first["_id"]
        is_wrong = [
            {"_id": oldest, "duplicate_of": {"$ne": None}},
            {"_id": {"$gt": oldest}, "duplicate_of": {"$ne": oldest}},
        ]
        wrong = await certain.find({**twins, "$or": is_wrong}, _SHARE).to_list(None)
        if not wrong:
            break
        for row in wrong:
            flagged += await _flag(collections, twins, row, None if row["_id"] == oldest else oldest, due)
    return flagged


async def _flag(collections: Collections, twins: Row, row: Row, oldest: str | None, due: Row) -> list[Flagged]:
    """Nothing if the invoice has changed since it was read, or adds the same as before."""
    this = {**twins, "_id": row["_id"], "revision": row["revision"]}
    change: Row = {"$set": {"duplicate_of": oldest}, "$inc": {"revision": 1}}
    differences = differences_of(row, row | {"duplicate_of": oldest})
    if not differences:
        await collections.invoices.update_one(this, change)
        return []
    entry = entry_of(sums=differences)
    # What the invoice is about to tell already does not have to wait for this.
    change |= {"$push": {"outbox": entry}, "$min": due}
    written = await collections.invoices.update_one(this, change)
    return [Flagged(row, entry)] if written.matched_count else []
