"""Vendors: their names as last read, their sums (`vendor_sums`) of the complete invoices."""

import re
from collections.abc import Collection, Mapping
from contextlib import suppress
from datetime import datetime
from uuid import UUID

from pymongo import ASCENDING, DESCENDING, ReturnDocument
from pymongo.errors import DuplicateKeyError
from pymongo.read_concern import ReadConcern

from serve_app.domain.duplicates import normalise_vendor
from serve_app.domain.folding import folded
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Invoice, ReviewStatus
from serve_app.domain.query import ListPage, page_of
from serve_app.domain.vendor import (
    IdentifierKind,
    MergedVendor,
    MonthSpend,
    Vendor,
    VendorDetails,
    VendorIdentifier,
)
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row, named
from serve_app.store.mongo.vendors.groups import keys_alike, merge, rename, split
from serve_app.store.mongo.vendors.sums import recount
from serve_app.store.rows.codec import to_micros
from serve_app.store.rows.columns import identifiers_of, month_spends, vendor_from

_DETAILS = ("website", "email", "phone")
_BY_SPEND = [("spend", DESCENDING), ("_id", ASCENDING)]
# The bounds of a text: an index that is partial has the invoices with any vendor.
_SOME = {"$gt": ""}

_PRINTED = {
    IdentifierKind.IBAN: "document.details.iban",
    IdentifierKind.TAX_NUMBER: "document.details.vendor_tax_id",
    "website": "details.website",
    "email": "details.email",
}
_NOTHING_PRINTED: Row = dict.fromkeys(map(str, _PRINTED))


class MongoVendors:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def by_spend(self, account_id: UUID, limit: int) -> list[Vendor]:
        async def find(collections: Collections) -> list[Row]:
            found = collections.vendors.find({"account_id": str(account_id), "invoice_count": {"$gt": 0}})
            return await found.sort(_BY_SPEND).limit(limit).to_list(None)

        return [_vendor(row) for row in await self._database.read(find)]

    async def page(self, account_id: UUID, limit: int, after: UUID | None = None, part: str = "") -> ListPage[Vendor]:
        listed: Row = {"account_id": str(account_id), "invoice_count": {"$gt": 0}}
        if part:
            # The server rejects a NUL in a pattern; no name contains one.
            listed["name_folded"] = {"$in": []} if "\0" in part else {"$regex": re.escape(folded(part))}

        async def find(collections: Collections) -> list[Row]:
            if after is None:
                return await collections.vendors.find(listed).sort(_BY_SPEND).limit(limit + 1).to_list(None)
            last = await collections.vendors.find_one({"_id": str(after), "account_id": str(account_id)})
            if last is None:
                return []
            less, same = {"spend": {"$lt": last["spend"]}}, {"spend": last["spend"], "_id": {"$gt": last["_id"]}}
            found = collections.vendors.find(listed | {"$or": [less, same]})
            return await found.sort(_BY_SPEND).limit(limit + 1).to_list(None)

        return page_of([_vendor(row) for row in await self._database.read(find)], limit)

    async def get(self, account_id: UUID, vendor_id: UUID) -> Vendor | None:
        this = {"_id": str(vendor_id), "account_id": str(account_id), "invoice_count": {"$gt": 0}}
        row = await self._database.read(lambda collections: collections.vendors.find_one(this))
        return None if row is None else _vendor(row)

    async def spend(self, account_id: UUID, vendor_ids: Collection[UUID]) -> Mapping[UUID, list[MonthSpend]]:
        query = {
            "account_id": str(account_id),
            "vendor_id": {"$in": [str(id) for id in vendor_ids], **_SOME},
            "$or": [{"duplicate_of": None}, {"stands_in": True}],
            "review_status": {"$ne": str(ReviewStatus.REJECTED)},
            "billed": {"$ne": None},
        }
        month = {"$substr": ["$seen_on", 0, 7]}
        group = {
            "_id": {"vendor": "$vendor_id", "month": month, "currency": "$document.currency"},
            "count": {"$sum": 1},
            "total": {"$sum": "$billed"},
        }

        async def find(collections: Collections) -> list[Row]:
            return await collections.invoices.aggregate([{"$match": query}, {"$group": group}]).to_list(None)

        named_by = ("vendor", "month", "currency")
        return month_spends(
            (*(group["_id"].get(name) for name in named_by), group["count"], group["total"].to_decimal())
            for group in await self._database.read(find)
        )

    async def identifiers(
        self, account_id: UUID, vendor_ids: Collection[UUID]
    ) -> Mapping[UUID, list[VendorIdentifier]]:
        query = {
            "account_id": str(account_id),
            "vendor_id": {"$in": [str(id) for id in vendor_ids], **_SOME},
            "seen_on": {"$ne": None},
            "review_status": {"$ne": str(ReviewStatus.REJECTED)},
        }
        group = {
            "_id": {"vendor_id": "$vendor_id", **{name: f"${path}" for name, path in _PRINTED.items()}},
            "first": {"$min": "$seen_on"},
            "last": {"$max": "$seen_on"},
            "number": {"$sum": 1},
        }

        async def find(collections: Collections) -> list[Row]:
            return await collections.invoices.aggregate([{"$match": query}, {"$group": group}]).to_list(None)

        return identifiers_of(_NOTHING_PRINTED | row["_id"] | row for row in await self._database.read(find))

    async def identified_by(
        self, account_id: UUID, kind: IdentifierKind, value: str, besides: UUID | None = None
    ) -> UUID | None:
        query = {
            "account_id": str(account_id),
            _PRINTED[kind]: value,
            "vendor_id": {**_SOME, "$ne": str(besides)},
            "review_status": {"$ne": str(ReviewStatus.REJECTED)},
        }
        steps: list[Row] = [{"$match": query}, {"$group": {"_id": "$vendor_id"}}, {"$limit": 2}]

        async def find(collections: Collections) -> list[Row]:
            return await collections.invoices.aggregate(steps).to_list(None)

        rows = await self._database.read(find)
        return UUID(rows[0]["_id"]) if len(rows) == 1 else None

    async def rename(self, account_id: UUID, vendor_id: UUID, name: str | None) -> bool:
        return await self._database.write(lambda c: rename(c, str(account_id), str(vendor_id), name))

    async def merge(self, account_id: UUID, kept_id: UUID, merged_id: UUID) -> bool:
        return await self._database.write_at_length(lambda c: merge(c, str(account_id), str(kept_id), str(merged_id)))

    async def split(self, account_id: UUID, merged_id: UUID) -> bool:
        return await self._database.write_at_length(lambda c: split(c, str(account_id), str(merged_id)))

    async def merged(self, account_id: UUID, kept_id: UUID) -> list[MergedVendor]:
        these = {"account_id": str(account_id), "merged_into": str(kept_id)}
        order = [("name_folded", ASCENDING), ("_id", ASCENDING)]
        rows = await self._database.read(lambda c: c.vendors.find(these).sort(order).to_list(None))
        return [MergedVendor(UUID(row["_id"]), row.get("called") or row["name"]) for row in rows]

    async def kept_id(self, account_id: UUID, vendor_id: UUID) -> UUID:
        this = {"_id": str(vendor_id), "account_id": str(account_id)}
        row = await self._database.read(lambda c: c.vendors.find_one(this, {"merged_into": 1}))
        return vendor_id if row is None or row.get("merged_into") is None else UUID(row["merged_into"])

    async def id_of(self, account_id: UUID, key: str) -> UUID | None:
        this = {"account_id": str(account_id), "key": key}
        row = await self._database.read(lambda c: c.vendors.find_one(this, {"merged_into": 1}))
        return None if row is None else UUID(row.get("merged_into") or row["_id"])

    async def keys_alike(self, account_id: UUID, keys: Collection[str]) -> set[str]:
        return await self._database.read(lambda c: keys_alike(c, str(account_id), keys))


def _vendor(row: Row) -> Vendor:
    return vendor_from({"called": None, **named(row)})


async def vendor_id_of(collections: Collections, account_id: str, invoice: Invoice) -> str | None:
    """The id of the invoice's vendor, which is created if it is new; None if the invoice names no vendor."""
    key = normalise_vendor(invoice.vendor_name or "")
    if not key:
        return None
    this = {"account_id": account_id, "key": key}
    certain = collections.get_collection("vendors", read_concern=ReadConcern("majority"))
    if (known := await certain.find_one(this, {"merged_into": 1})) is not None:
        return str(known.get("merged_into") or known["_id"])
    blank = _new_vendor(invoice.vendor_name)
    while True:
        # Another process may create it at the same time; the next try then finds it.
        with suppress(DuplicateKeyError):
            row = await collections.vendors.find_one_and_update(
                this, {"$setOnInsert": blank}, upsert=True, return_document=ReturnDocument.AFTER
            )
            if row is not None:
                return str(row["_id"])


def reading_of(invoice: Invoice, details: VendorDetails, now: datetime) -> Row | None:
    """What an invoice says about its vendor; None if it names no vendor."""
    key = normalise_vendor(invoice.vendor_name or "")
    if not key:
        return None
    known = {name: value for name in _DETAILS if (value := getattr(details, name)) is not None}
    return {"key": key, "read_at": to_micros(now), "values": {**_named(invoice.vendor_name), **known}}


def _named(name: str | None) -> Row:
    """The name, and how it is searched for."""
    return {"name": name, "name_folded": folded(name or "")}


async def name_vendor(collections: Collections, account_id: str, reading: Row) -> None:
    """Store the spelling and the details as an entry of an earlier version has them, unless others were read later."""
    this = {"account_id": account_id, "key": reading["key"], "read_at": {"$lte": reading["read_at"]}}
    await collections.vendors.update_one(this, {"$set": {**reading["values"], "read_at": reading["read_at"]}})


async def repair_vendors(collections: Collections, account_id: str) -> None:
    """Recompute the sums of all vendors, and make those that invoices name and that are not there."""
    this: Row = {"account_id": account_id}
    named_by = await collections.invoices.distinct("vendor_key", this | {"vendor_key": _SOME})
    kept = await collections.vendors.distinct("key", this)
    for key in set(named_by) - set(kept):
        newest = await collections.invoices.find_one(this | {"vendor_key": key}, sort=[("_id", DESCENDING)])
        if newest is not None:
            blank = _new_vendor(newest["document"]["vendor_name"])
            # The id that its invoices name, unless that is of a vendor that it was merged into.
            if await collections.vendors.find_one({"_id": newest["vendor_id"]}, {"_id": 1}) is None:
                blank["_id"] = newest["vendor_id"]
            await collections.vendors.update_one(this | {"key": key}, {"$setOnInsert": blank}, upsert=True)
    for key in {*named_by, *kept}:
        await recount(collections, account_id, key)


def _new_vendor(name: str | None) -> Row:
    """A vendor of which nothing is known but the name."""
    blank = {"_id": str(new_id()), **_named(name), "read_at": 0, **dict.fromkeys(_DETAILS)}
    return blank | {"invoice_count": 0, "total": "0", "spend": 0.0, "last_seen": None, "version": 0, "summed": 0}
