"""Duplicates: all complete invoices of an account that have the same key. Each names the oldest, the oldest none."""

from pymongo import ASCENDING

from serve_app.store.mongo.types import Collections, Row


async def oldest_twin(collections: Collections, account_id: str, key: str, besides: str | None = None) -> str | None:
    """The id of the oldest invoice with the key, of those besides this one."""
    query: Row = {"account_id": account_id, "duplicate_key": key}
    if besides is not None:
        query["_id"] = {"$ne": besides}
    row = await collections.invoices.find_one(query, {"_id": 1}, sort=[("_id", ASCENDING)])
    return None if row is None else str(row["_id"])


async def flag_twins(collections: Collections, account_id: str, key: str) -> None:
    """Flag all that have the key; right in whatever order processes do it at the same time."""
    oldest = await oldest_twin(collections, account_id, key)
    while oldest is not None:
        await _flag(collections, {"account_id": account_id, "duplicate_key": key}, oldest)
        # Others may have seen another one as the oldest: whoever sees the last state writes last.
        latest = await oldest_twin(collections, account_id, key)
        if latest == oldest:
            return
        oldest = latest


async def _flag(collections: Collections, twins: Row, oldest: str) -> None:
    wrong = twins | {"_id": {"$gt": oldest}, "duplicate_of": {"$ne": oldest}}
    await collections.invoices.update_many(wrong, {"$set": {"duplicate_of": oldest}, "$inc": {"revision": 1}})
    wrong = twins | {"_id": oldest, "duplicate_of": {"$ne": None}}
    await collections.invoices.update_one(wrong, {"$set": {"duplicate_of": None}, "$inc": {"revision": 1}})
