"""Vendors: their names as last read, their sums as computed from the complete invoices."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from pymongo import ASCENDING, DESCENDING, ReturnDocument
from pymongo.errors import DuplicateKeyError

from serve_app.domain.duplicates import normalise_vendor
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Invoice
from serve_app.domain.query import ListPage, page_of
from serve_app.domain.vendor import MonthSpend, Vendor, VendorDetails
from serve_app.store.codec import to_micros
from serve_app.store.mongo.codec import to_decimal128
from serve_app.store.mongo.database import Database
from serve_app.store.mongo.types import Collections, Row, named
from serve_app.store.rows import month_spends, vendor_from

_NOTHING = to_decimal128(Decimal(0))
_DETAILS = ("website", "email", "phone")
_BY_SPEND = [("spend", DESCENDING), ("_id", ASCENDING)]
# The bounds of a text: an index that is partial has the invoices with any vendor.
_SOME = {"$gt": ""}


class MongoVendors:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def by_spend(self, account_id: UUID, limit: int) -> list[Vendor]:
        async def find(collections: Collections) -> list[Row]:
            found = collections.vendors.find({"account_id": str(account_id), "invoice_count": {"$gt": 0}})
            return await found.sort(_BY_SPEND).limit(limit).to_list(None)

        return [vendor_from(named(row)) for row in await self._database.read(find)]

    async def page(self, account_id: UUID, limit: int, after: UUID | None = None) -> ListPage[Vendor]:
        if after is None:
            return page_of(await self.by_spend(account_id, limit + 1), limit)
        listed: Row = {"account_id": str(account_id), "invoice_count": {"$gt": 0}}

        async def find(collections: Collections) -> list[Row]:
            last = await collections.vendors.find_one({"_id": str(after), "account_id": str(account_id)})
            if last is None:
                return []
            less, same = {"spend": {"$lt": last["spend"]}}, {"spend": last["spend"], "_id": {"$gt": last["_id"]}}
            found = collections.vendors.find(listed | {"$or": [less, same]})
            return await found.sort(_BY_SPEND).limit(limit + 1).to_list(None)

        return page_of([vendor_from(named(row)) for row in await self._database.read(find)], limit)

    async def get(self, account_id: UUID, vendor_id: UUID) -> Vendor | None:
        this = {"_id": str(vendor_id), "account_id": str(account_id), "invoice_count": {"$gt": 0}}
        row = await self._database.read(lambda collections: collections.vendors.find_one(this))
        return None if row is None else vendor_from(named(row))

    async def spend(self, account_id: UUID, vendor_ids: Collection[UUID]) -> Mapping[UUID, list[MonthSpend]]:
        wanted = {
            "account_id": str(account_id),
            "vendor_id": {"$in": [str(id) for id in vendor_ids], **_SOME},
            "duplicate_of": None,
            "billed": {"$ne": None},
        }
        month = {"$substr": ["$seen_on", 0, 7]}
        group = {
            "_id": {"vendor": "$vendor_id", "month": month, "currency": "$document.currency"},
            "count": {"$sum": 1},
            "total": {"$sum": "$billed"},
        }

        async def find(collections: Collections) -> list[Row]:
            return await collections.invoices.aggregate([{"$match": wanted}, {"$group": group}]).to_list(None)

        named_by = ("vendor", "month", "currency")
        return month_spends(
            (*(group["_id"].get(name) for name in named_by), group["count"], group["total"].to_decimal())
            for group in await self._database.read(find)
        )


async def vendor_id_of(collections: Collections, account_id: str, invoice: Invoice) -> str | None:
    """The id of the invoice's vendor, which is created if it is new; None if the invoice names no vendor."""
    key = normalise_vendor(invoice.vendor_name or "")
    if not key:
        return None
    this = {"account_id": account_id, "key": key}
    blank = {"_id": str(new_id()), "name": invoice.vendor_name, "read_at": 0, **dict.fromkeys(_DETAILS)}
    sums = {"invoice_count": 0, "total": "0", "spend": 0.0, "last_seen": None, "version": 0}
    while True:
        # Another process may create it at the same time; the next try then finds it.
        with suppress(DuplicateKeyError):
            row = await collections.vendors.find_one_and_update(
                this, {"$setOnInsert": blank | sums}, upsert=True, return_document=ReturnDocument.AFTER
            )
            if row is not None:
                return str(row["_id"])


def reading_of(invoice: Invoice, details: VendorDetails, now: datetime) -> Row | None:
    """What an invoice says about its vendor, for `name_vendor`; None if it names no vendor."""
    key = normalise_vendor(invoice.vendor_name or "")
    if not key:
        return None
    known = {name: value for name in _DETAILS if (value := getattr(details, name)) is not None}
    return {"key": key, "read_at": to_micros(now), "values": {"name": invoice.vendor_name, **known}}


async def name_vendor(collections: Collections, account_id: str, reading: Row) -> None:
    """Store the spelling and the details, unless others were read later."""
    this = {"account_id": account_id, "key": reading["key"], "read_at": {"$lte": reading["read_at"]}}
    await collections.vendors.update_one(this, {"$set": {**reading["values"], "read_at": reading["read_at"]}})


async def recount(collections: Collections, account_id: str, key: str) -> None:
    """Recompute the sums. Of concurrent processes, none writes sums that are older than another's: the vendor's
    `version` must be the one that was read before the invoices were."""
    while (vendor := await collections.vendors.find_one({"account_id": account_id, "key": key})) is not None:
        sums = await _sums(collections, account_id, key)
        this = {"_id": vendor["_id"], "version": vendor["version"]}
        written = await collections.vendors.update_one(this, {"$set": sums, "$inc": {"version": 1}})
        if written.matched_count:
            return


async def _sums(collections: Collections, account_id: str, key: str) -> Row:
    group = {
        "_id": None,
        "count": {"$sum": 1},
        "total": {"$sum": {"$cond": [{"$eq": ["$duplicate_of", None]}, "$billed", _NOTHING]}},
        "last_seen": {"$max": "$seen_on"},
    }
    found = collections.invoices.aggregate(
        [{"$match": {"account_id": account_id, "vendor_key": key}}, {"$group": group}]
    )
    groups = await found.to_list(None)
    # Without invoices there is no group.
    row: Row = groups[0] if groups else {"count": 0, "total": _NOTHING, "last_seen": None}
    total = row["total"].to_decimal()
    return {
        "invoice_count": row["count"],
        "total": format(total, "f"),
        "spend": float(total),
        "last_seen": row["last_seen"],
    }
