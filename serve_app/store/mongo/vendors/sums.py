"""Vendors' sums, kept by differences.

A write that changes what an invoice adds to its vendor notes the difference in the invoice's outbox, in the same write.
`add_difference` applies it to the vendor exactly once: the vendor lists the entries that it has taken (`applied`) for
as long as they may come again, and its `version` must be the one that was read first. See ADR 0073.
"""

from collections.abc import Collection, Mapping, Sequence
from decimal import Context, Decimal
from functools import reduce
from typing import Any

from pymongo import DESCENDING
from pymongo.read_concern import ReadConcern

from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.mongo.invoices.codec import to_decimal128

_NOTHING = to_decimal128(Decimal(0))
_COUNTS = {"$or": [{"$eq": ["$duplicate_of", None]}, {"$eq": ["$stands_in", True]}]}
# Sums are exact, however many invoices they are of.
_EXACT = Context(prec=100)
_MANY_APPLIED = 20
# What a majority has: what is skipped because of it does not come back.
_CERTAIN: Mapping[str, Any] = {"read_concern": ReadConcern("majority")}


def differences_of(before: Row | None, after: Row | None) -> list[Row]:
    """What a change of an invoice's row changes in the sums, for each vendor concerned; None: there is no row."""
    shares = [_share_of(before), _share_of(after)]
    if shares[0] == shares[1]:
        return []
    found: dict[str, Row] = {}
    for share, sign in zip(shares, (-1, 1), strict=True):
        if share is not None:
            key, amount, _ = share
            old = found.get(key, {"count": 0, "amount": "0"})
            total = _EXACT.add(Decimal(old["amount"]), sign * amount)
            found[key] = {"key": key, "count": old["count"] + sign, "amount": format(total, "f")}
    return list(found.values())


async def add_difference(
    collections: Collections, invoice: Row, entry_id: str, key: str, difference: Row | None, reading: Row | None
) -> None:
    """Apply what the outbox entry of the invoice says about this vendor: a difference of its sums, and its name and
    details as read. The difference counts for the vendor that this one was merged into."""
    this = {"account_id": invoice["account_id"], "key": key}
    while (vendor := await collections.vendors.find_one(this)) is not None:
        change: Row = {} if reading is None or reading["read_at"] < vendor["read_at"] else _read(vendor, reading)
        is_merged = vendor.get("merged_into") is not None
        if difference is not None and not is_merged and entry_id not in vendor.get("applied", ()):
            # After the vendor was read: while the entry is there, the vendor that has taken it still lists it.
            if not await _is_pending(collections, invoice, entry_id):
                return
            change |= await _summed(collections, vendor, entry_id, difference)
        # Even without a change: what was read counts once a majority has it.
        if not await _replace(collections, vendor, change):
            continue
        if is_merged and difference is not None:
            await add_to_kept(collections, invoice, entry_id, [difference])
        elif vendor.get("was_merged"):
            await _name_in_invoice(collections, invoice, [key], vendor["_id"])
        return


async def add_differences(collections: Collections, invoice: Row, entry_id: str, differences: Collection[Row]) -> None:
    """Apply the differences of an entry that concern several names: those of one vendor together, because a vendor
    takes an entry once."""
    groups: dict[str, list[Row]] = {}
    for difference in differences:
        kept = await _kept_of(collections, invoice["account_id"], difference["key"])
        if kept is not None:
            groups.setdefault(kept["_id"], []).append(difference)
    for together in groups.values():
        await add_to_kept(collections, invoice, entry_id, together)


async def add_to_kept(collections: Collections, invoice: Row, entry_id: str, differences: Sequence[Row]) -> None:
    """Apply the differences of an entry, all for names of one vendor, to that vendor."""
    account_id, keys = invoice["account_id"], [difference["key"] for difference in differences]
    while (kept := await _kept_of(collections, account_id, keys[0])) is not None:
        if entry_id in kept.get("applied", ()) or not await _is_pending(collections, invoice, entry_id):
            break
        change = await _summed(collections, kept, entry_id, _together(differences))
        # After the vendor was read: whoever splits it later counts it anew, and its version is another one then.
        others = [await _kept_of(collections, account_id, key) for key in keys]
        if any(each is None or each["_id"] != kept["_id"] for each in others):
            await add_differences(collections, invoice, entry_id, differences)
            return
        if await _replace(collections, kept, change):
            break
    if kept is not None:
        await _name_in_invoice(collections, invoice, keys, kept["_id"])


async def recount(collections: Collections, account_id: str, key: str) -> None:
    """Compute the sums anew from the vendor's invoices."""
    while (vendor := await collections.vendors.find_one({"account_id": account_id, "key": key})) is not None:
        if await _replace(collections, vendor, await _counted(collections, vendor)):
            return


async def change_vendor(collections: Collections, account_id: str, id: str, change: Row) -> None:
    """Set these fields, whatever else changes meanwhile. No-op if there is no such vendor."""
    while (vendor := await collections.vendors.find_one({"account_id": account_id, "_id": id})) is not None:
        if await _replace(collections, vendor, change):
            return


async def _kept_of(collections: Collections, account_id: str, key: str) -> Row | None:
    """The vendor that counts for the one with this key."""
    vendor: Row | None = await collections.vendors.find_one({"account_id": account_id, "key": key})
    while vendor is not None and vendor.get("merged_into") is not None:
        vendor = await collections.vendors.find_one({"account_id": account_id, "_id": vendor["merged_into"]})
    return vendor


async def _names_of(collections: Collections, vendor: Row) -> list[str]:
    """The keys of the names that count for the vendor; none for one that was merged."""
    if vendor.get("merged_into") is not None:
        return []
    if not vendor.get("has_merged"):
        return [vendor["key"]]
    merged = {"account_id": vendor["account_id"], "merged_into": vendor["_id"]}
    return [vendor["key"], *(row["key"] for row in await collections.vendors.find(merged, {"key": 1}).to_list(None))]


async def _name_in_invoice(collections: Collections, invoice: Row, keys: Sequence[str], vendor_id: str) -> None:
    """Name the vendor in the invoice, whose writer may have seen it before a merge or a split."""
    this = {"_id": invoice["_id"], "account_id": invoice["account_id"], "vendor_key": {"$in": list(keys)}}
    change = {"$set": {"vendor_id": vendor_id}, "$inc": {"revision": 1}}
    await collections.invoices.update_one(this | {"vendor_id": {"$ne": vendor_id}}, change)


def _together(differences: Sequence[Row]) -> Row:
    """One difference with the sums of these."""
    amounts = [Decimal(difference["amount"]) for difference in differences]
    total = reduce(_EXACT.add, amounts)
    return {"count": sum(difference["count"] for difference in differences), "amount": format(total, "f")}


def _share_of(row: Row | None) -> tuple[str, Decimal, str] | None:
    """What an invoice adds: the vendor's key, the amount and the day; twins count once, with the oldest that is not
    rejected."""
    if row is None or row["vendor_key"] is None:
        return None
    counts = row.get("duplicate_of") is None or row.get("stands_in", False)
    amount = row["billed"].to_decimal() if counts else Decimal(0)
    return row["vendor_key"], amount, row["seen_on"]


def _read(vendor: Row, reading: Row) -> Row:
    """What was read; a name that a person gave is still the one that is searched for."""
    values = {**reading["values"], "read_at": reading["read_at"]}
    return values if vendor.get("called") is None else {**values, "name_folded": vendor["name_folded"]}


async def _replace(collections: Collections, vendor: Row, change: Row) -> bool:
    """Write the change unless the vendor has changed since it was read. The sums are kept by this program from now on,
    unless one of before writes a version that `summed` does not name."""
    this = {"_id": vendor["_id"], "account_id": vendor["account_id"], "version": vendor["version"]}
    is_kept = "invoice_count" in change or vendor.get("summed") == vendor["version"]
    summed = {"summed": vendor["version"] + 1} if is_kept else {}
    fields = change | summed
    update: Row = {"$inc": {"version": 1}, **({"$set": fields} if fields else {})}
    return (await collections.vendors.update_one(this, update)).matched_count == 1


async def _is_pending(collections: Collections, invoice: Row, entry_id: str) -> bool:
    this = {"_id": invoice["_id"], "account_id": invoice["account_id"], "outbox.id": entry_id}
    return await collections.invoices.find_one(this, {"_id": 1}) is not None


async def _summed(collections: Collections, vendor: Row, entry_id: str, difference: Row) -> Row:
    if vendor.get("summed") != vendor["version"]:
        # A program of before has recounted since, perhaps with this difference.
        return await _counted(collections, vendor)
    total = _EXACT.add(Decimal(vendor["total"]), Decimal(difference["amount"]))
    return {
        "invoice_count": vendor["invoice_count"] + difference["count"],
        "total": format(total, "f"),
        "spend": float(total),
        "last_seen": await _last_seen(collections, vendor),
        "applied": [*await _still_pending(collections, vendor), entry_id],
    }


async def _last_seen(collections: Collections, vendor: Row) -> str | None:
    of_vendor = _of_names(vendor, await _names_of(collections, vendor))
    invoices = collections.get_collection("invoices", **_CERTAIN)
    row = await invoices.find_one(of_vendor, {"seen_on": 1}, sort=[("seen_on", DESCENDING)])
    return None if row is None else str(row["seen_on"])


async def _still_pending(collections: Collections, vendor: Row) -> list[str]:
    """The applied entries without those that can no longer come, looked for once they are many."""
    applied: list[str] = vendor.get("applied", [])
    if len(applied) < _MANY_APPLIED:
        return applied
    left = await _pending(collections, vendor["account_id"], {"outbox.id": {"$in": applied}})
    return [id for id in applied if id in left]


async def _pending(
    collections: Collections, account_id: str, having: Row, keys: Collection[str] | None = None
) -> set[str]:
    """The ids of outbox entries of the account's invoices `having` this; with keys, of those that concern them."""
    invoices = collections.get_collection("invoices", **_CERTAIN)
    rows = await invoices.find({"account_id": account_id, "outbox_at": {"$gte": 0}, **having}, {"outbox": 1}).to_list(
        None
    )
    entries = [entry for row in rows for entry in row["outbox"]]
    return {entry["id"] for entry in entries if keys is None or not _keys(entry.get("sums", ())).isdisjoint(keys)}


def _keys(differences: Collection[Row]) -> set[str]:
    return {difference["key"] for difference in differences}


def _of_names(vendor: Row, keys: Sequence[str]) -> Row:
    """Matches the invoices that print one of these names."""
    return {"account_id": vendor["account_id"], "vendor_key": keys[0] if len(keys) == 1 else {"$in": list(keys)}}


async def _counted(collections: Collections, vendor: Row) -> Row:
    """The sums of the vendor's invoices, and the entries whose differences are in them."""
    keys = await _names_of(collections, vendor)
    having = {"outbox.sums.key": keys[0] if len(keys) == 1 else {"$in": keys}}
    while True:
        pending = await _pending(collections, vendor["account_id"], having, keys)
        sums = await _sums(collections, _of_names(vendor, keys))
        # An invoice that changed meanwhile has an entry that was not there before.
        if await _pending(collections, vendor["account_id"], having, keys) == pending:
            return {**sums, "applied": sorted(pending)}


async def _sums(collections: Collections, of_vendor: Row) -> Row:
    group = {
        "_id": None,
        "count": {"$sum": 1},
        "total": {"$sum": {"$cond": [_COUNTS, "$billed", _NOTHING]}},
        "last_seen": {"$max": "$seen_on"},
    }
    invoices = collections.get_collection("invoices", **_CERTAIN)
    groups = await invoices.aggregate([{"$match": of_vendor}, {"$group": group}]).to_list(None)
    # Without invoices there is no group.
    row: Row = groups[0] if groups else {"count": 0, "total": _NOTHING, "last_seen": None}
    total = row["total"].to_decimal()
    return {
        "invoice_count": row["count"],
        "total": format(total, "f"),
        "spend": float(total),
        "last_seen": row["last_seen"],
    }
