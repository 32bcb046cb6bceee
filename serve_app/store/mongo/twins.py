"""Duplicates: all complete invoices of an account that have the same key. Each names the oldest; the oldest names
none."""

from pymongo import ASCENDING

from serve_app.store.mongo.types import Collections, Row


async def oldest_twin(collections: Collections, account_id: str, key: str, besides: str | None = None) -> str | None:
    """The id of the oldest invoice with the key, other than `besides`."""
    query: Row = {"account_id": account_id, "duplicate_key": key}
    if besides is not None:
        query["_id"] = {"$ne": besides}
    row = await collections.invoices.find_one(query, {"_id": 1}, sort=[("_id", ASCENDING)])
    return None if row is None else str(row["_id"])


async def flag_twins(collections: Collections, account_id: str, key: str) -> None:
    """Flag all that have the key; correct in whatever order concurrent processes do it."""
    oldest = await oldest_twin(collections, account_id, key)
    while oldest is not None:
        await _flag(collections, {"account_id": account_id, "duplicate_key": key}, oldest)
        # Another process may have seen a different oldest one: the process that sees the latest state writes last.
        latest = await oldest_twin(collections, account_id, key)
        if latest == oldest:
            return
        oldest = latest


async def _flag(collections: Collections, twins: Row, oldest: str) -> None:
    wrong = twins | {"_id": {"$gt": oldest}, "duplicate_of": {"$ne": oldest}}
    await collections.invoices.update_many(wrong, {"$set": {"duplicate_of": oldest}, "$inc": {"revision": 1}})
    wrong = twins | {"_id": oldest, "duplicate_of": {"$ne": None}}
    await collections.invoices.update_one(wrong, {"$set": {"duplicate_of": None}, "$inc": {"revision": 1}})
