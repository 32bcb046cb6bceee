"""Names that people give vendors, and vendors that are merged.

A merged vendor keeps its document, which names the kept one in `merged_into`. Invoices keep the key of the name that
they print, so what belongs to whom can always be derived. First the vendors change, then the invoices, then the sums
are computed anew: if the process dies in between, merging or splitting once more, or `invoices verify --repair` for the
sums, does the rest.
"""

from collections.abc import Collection

from serve_app.domain.folding import folded
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.mongo.vendors.sums import change_vendor, recount


async def rename(collections: Collections, account_id: str, id: str, name: str | None) -> bool:
    """Call a vendor so; see `Vendors.rename`."""
    vendor = await _find(collections, account_id, id)
    if vendor is None:
        return False
    change = {"called": name, "name_folded": folded(name or vendor["name"])}
    await change_vendor(collections, account_id, id, change)
    return True


async def merge(collections: Collections, account_id: str, kept_id: str, merged_id: str) -> bool:
    """Let a vendor count for another one; see `Vendors.merge`."""
    kept, merged = [await _find(collections, account_id, id) for id in (kept_id, merged_id)]
    if kept is None or merged is None or kept_id == merged_id or kept.get("merged_into") is not None:
        return False
    if merged.get("merged_into") not in (None, kept_id):
        await split(collections, account_id, merged_id)
    # First, so that whoever counts the vendor looks for others.
    await change_vendor(collections, account_id, kept_id, {"has_merged": True})
    for id in (merged_id, *await _merged_ids(collections, account_id, merged_id)):
        await change_vendor(collections, account_id, id, {"merged_into": kept_id})
    await _name_in_invoices(collections, {"account_id": account_id, "vendor_id": merged_id}, kept_id)
    for key in (kept["key"], merged["key"]):
        await recount(collections, account_id, key)
    return True


async def split(collections: Collections, account_id: str, id: str) -> bool:
    """Take a vendor out of the one that it was merged into; see `Vendors.split`."""
    vendor = await _find(collections, account_id, id)
    # The second one: a split that was cut short.
    kept_id = None if vendor is None else vendor.get("merged_into") or vendor.get("split_from")
    if vendor is None or kept_id is None:
        return False
    change = {"merged_into": None, "was_merged": True, "split_from": kept_id}
    await change_vendor(collections, account_id, id, change)
    await _name_in_invoices(collections, {"account_id": account_id, "vendor_key": vendor["key"]}, id)
    kept = await _find(collections, account_id, kept_id)
    for key in (vendor["key"], *([kept["key"]] if kept is not None else [])):
        await recount(collections, account_id, key)
    await change_vendor(collections, account_id, id, {"split_from": None})
    return True


async def keys_alike(collections: Collections, account_id: str, keys: Collection[str]) -> set[str]:
    """See `Vendors.keys_alike`."""
    this = {"account_id": account_id}
    rows = await collections.vendors.find(this | {"key": {"$in": list(keys)}}).to_list(None)
    kept = [row.get("merged_into") or row["_id"] for row in rows if row.get("merged_into") or row.get("has_merged")]
    if not kept:
        return set()
    merged = await collections.vendors.find(
        this | {"merged_into": {"$in": kept}}, {"key": 1, "merged_into": 1}
    ).to_list(None)
    those = {"_id": {"$in": sorted({row["merged_into"] for row in merged})}}
    names = await collections.vendors.find(this | those, {"key": 1}).to_list(None)
    return {row["key"] for row in (*merged, *names)}


async def _find(collections: Collections, account_id: str, id: str) -> Row | None:
    vendor: Row | None = await collections.vendors.find_one({"_id": id, "account_id": account_id})
    return vendor


async def _merged_ids(collections: Collections, account_id: str, kept_id: str) -> list[str]:
    these = {"account_id": account_id, "merged_into": kept_id}
    return [row["_id"] for row in await collections.vendors.find(these, {"_id": 1}).to_list(None)]


async def _name_in_invoices(collections: Collections, these: Row, vendor_id: str) -> None:
    """Let these invoices name the vendor. Writers that have read them before try again."""
    change = {"$set": {"vendor_id": vendor_id}, "$inc": {"revision": 1}}
    await collections.invoices.update_many(these | {"vendor_id": {"$ne": vendor_id}}, change)
