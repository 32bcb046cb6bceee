"""Duplicates: all complete invoices of an account that have the same key. Each names the oldest; the oldest names
none. The oldest that is not rejected counts in the vendor's sums: if it is not the oldest of all, it `stands_in`."""

from dataclasses import dataclass
from typing import Any

from pymongo import ASCENDING
from pymongo.read_concern import ReadConcern

from serve_app.domain.invoice import ReviewStatus
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.mongo.queue.outbox_entries import entry_of
from serve_app.store.mongo.vendors.sums import differences_of

_SHARE = dict.fromkeys(("account_id", "vendor_key", "billed", "seen_on", "duplicate_of", "stands_in", "revision"), 1)
_REJECTED = str(ReviewStatus.REJECTED)
_RANK = {"_id": 1, "review_status": 1}
_OLDEST = [("_id", ASCENDING)]


@dataclass(frozen=True, slots=True)
class Flagged:
    """An invoice that adds something else to its vendor since it was flagged, and the entry of its outbox about it."""

    invoice: Row
    entry: Row


async def oldest_duplicate(
    collections: Collections, account_id: str, key: str, besides: str | None = None
) -> str | None:
    """The id of the oldest invoice with the key, other than `besides`."""
    query: Row = {"account_id": account_id, "duplicate_key": key}
    if besides is not None:
        query["_id"] = {"$ne": besides}
    row = await collections.invoices.find_one(query, {"_id": 1}, sort=_OLDEST)
    return None if row is None else str(row["_id"])


async def flag_duplicates(collections: Collections, account_id: str, key: str, due: Row) -> list[Flagged]:
    """Flag all that have the key; correct in whatever order concurrent processes do it. `due` has the moment from which
    other processes may take up the entries."""
    # What a majority has: a flag that is right for certain needs no write.
    certain = collections.get_collection("invoices", read_concern=ReadConcern("majority"))
    duplicates: Row = {"account_id": account_id, "duplicate_key": key}
    flagged: list[Flagged] = []
    while (first := await certain.find_one(duplicates, _RANK, sort=_OLDEST)) is not None:
        oldest = first["_id"]
        stand_in = await _stand_in(certain, duplicates) if first.get("review_status") == _REJECTED else None
        wrong = await certain.find({**duplicates, "$or": _wrong(oldest, stand_in)}, _SHARE).to_list(None)
        if not wrong:
            break
        for row in wrong:
            named = None if row["_id"] == oldest else oldest
            marks = {"duplicate_of": named, "stands_in": row["_id"] == stand_in}
            flagged += await _flag(collections, duplicates, row, marks, due)
    return flagged


async def _stand_in(certain: Any, duplicates: Row) -> str | None:
    """The oldest duplicate that is not rejected."""
    row = await certain.find_one(duplicates | {"review_status": {"$ne": _REJECTED}}, {"_id": 1}, sort=_OLDEST)
    return None if row is None else str(row["_id"])


def _wrong(oldest: str, stand_in: str | None) -> list[Row]:
    """What makes the marks of a duplicate wrong."""
    return [
        {"_id": oldest, "duplicate_of": {"$ne": None}},
        {"_id": {"$gt": oldest}, "duplicate_of": {"$ne": oldest}},
        {"_id": {"$ne": stand_in}, "stands_in": True},
        *([{"_id": stand_in, "stands_in": {"$ne": True}}] if stand_in else []),
    ]


async def _flag(collections: Collections, duplicates: Row, row: Row, marks: Row, due: Row) -> list[Flagged]:
    """Nothing if the invoice has changed since it was read, or adds the same as before."""
    this = {**duplicates, "_id": row["_id"], "revision": row["revision"]}
    change: Row = {"$set": marks, "$inc": {"revision": 1}}
    differences = differences_of(row, row | marks)
    if not differences:
        await collections.invoices.update_one(this, change)
        return []
    entry = entry_of(sums=differences)
    # What the invoice is about to tell already does not have to wait for this.
    change |= {"$push": {"outbox": entry}, "$min": due}
    written = await collections.invoices.update_one(this, change)
    return [Flagged(row, entry)] if written.matched_count else []
