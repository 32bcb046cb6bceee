"""What invoices that earlier versions wrote lack."""

from typing import Any

from bson.decimal128 import Decimal128

from serve_app.domain.folding import folded
from serve_app.domain.invoice import ReviewStatus, lowest_level, models_text
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.mongo.invoices.codec import invoice_from
from serve_app.store.mongo.invoices.text_search import trigrams_of
from serve_app.store.mongo.queue.outbox_entries import entry_of
from serve_app.store.mongo.upgrades.fill import Fill
from serve_app.store.mongo.vendors.sums import differences_of

# In each change, no match means that the invoice was changed meanwhile by a program that knows better.
_NO_TRIGRAMS: Row = {"trigrams": {"$exists": False}}
_NO_LEVEL: Row = {"level": {"$exists": False}}
_UNRECORDED: Row = {"needs_person": {"$exists": False}, "status": "complete", "document.auto_verified": False}
_NOTHING = Decimal128("0")


async def _fold(collections: Collections, row: Row) -> int:
    name = folded(row["vendor_folded"])
    if name == row["vendor_folded"]:
        return 0
    return (await collections.invoices.update_one(row, {"$set": {"vendor_folded": name}})).matched_count


async def _add_trigrams(collections: Collections, row: Row) -> int:
    number: Any = row.get("document", {}).get("invoice_number")
    texts = {"vendor_folded": row["vendor_folded"], "document.invoice_number": number}
    change = {"$set": {"trigrams": trigrams_of(row["vendor_folded"], number)}}
    return (await collections.invoices.update_one({"_id": row["_id"], **_NO_TRIGRAMS, **texts}, change)).matched_count


async def _note_person(collections: Collections, row: Row) -> int:
    this = {"_id": row["_id"], **_UNRECORDED}
    return (await collections.invoices.update_one(this, {"$set": {"needs_person": True}})).matched_count


async def _note_level(collections: Collections, row: Row) -> int:
    invoice = invoice_from(row)
    level = lowest_level(invoice)
    change = {"$set": {"level": level and str(level), "models": models_text(invoice)}}
    return (await collections.invoices.update_one({"_id": row["_id"], **_NO_LEVEL}, change)).matched_count


async def _drop_share(collections: Collections, row: Row) -> int:
    this = {"_id": row["_id"], "account_id": row["account_id"], "revision": row["revision"]}
    entry = entry_of(duplicate_keys=[row["duplicate_key"]], sums=differences_of(row, row | {"billed": _NOTHING}))
    change: Row = {"$set": {"billed": _NOTHING, "outbox_at": 0}, "$inc": {"revision": 1}, "$push": {"outbox": entry}}
    return (await collections.invoices.update_one(this, change)).matched_count


FOLDED_NAMES = Fill(
    done="vendors without accents",
    collection="invoices",
    # Any character beyond ASCII, which has nothing more to fold.
    lacking={"vendor_folded": {"$regex": "[^\\x01-\\x7f]"}},
    change=_fold,
    fields={"vendor_folded": 1},
)
"""Vendors' names of which only the case was folded."""
TRIGRAMS = Fill(
    done="trigrams of invoices",
    collection="invoices",
    lacking=_NO_TRIGRAMS,
    change=_add_trigrams,
    fields={"vendor_folded": 1, "document.invoice_number": 1},
)
"""What parts of names and numbers are found by."""
NEEDING_PERSON = Fill(
    done="invoices that need a person",
    collection="invoices",
    lacking=_UNRECORDED,
    change=_note_person,
    fields={"_id": 1},
)
"""Invoices of before there were reviews, at which nobody has looked."""
LEVELS = Fill(
    done="levels and models",
    collection="invoices",
    lacking={**_NO_LEVEL, "status": "complete"},
    change=_note_level,
)
"""Levels and models, which were in the document alone."""
REJECTED_SHARES = Fill(
    done="shares of rejected invoices",
    collection="invoices",
    lacking={
        "review_status": str(ReviewStatus.REJECTED),
        "vendor_key": {"$gt": ""},
        "billed": {"$nin": [_NOTHING, None]},
    },
    change=_drop_share,
)
"""Rejected invoices, which counted in their vendors' sums."""
