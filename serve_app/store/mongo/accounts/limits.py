"""Counters: extractions per month, requests per minute."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from pymongo import ReturnDocument, WriteConcern
from pymongo.errors import DuplicateKeyError

from serve_app.domain.limits import WINDOW_LIFE
from serve_app.domain.usage import UsageSums
from serve_app.store.mongo.accounts.units import month_id
from serve_app.store.mongo.accounts.usage import usage_since
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.mongo.retention.expiry import purge_at
from serve_app.store.rows.codec import from_micros, to_micros


class MongoQuotas:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def used(self, account_id: UUID, month: datetime) -> int:
        query = {"_id": month_id(account_id, month)}
        row = await self._database.read(lambda collections: collections.quotas.find_one(query, {"used": 1}))
        return 0 if row is None else int(row["used"])

    async def by_month(self, account_id: UUID, since: datetime) -> Mapping[datetime, int]:
        query = {"account_id": str(account_id), "month": {"$gte": to_micros(since)}}

        async def find(collections: Collections) -> list[Row]:
            return await collections.quotas.find(query, {"month": 1, "used": 1}).to_list(None)

        return {from_micros(row["month"]): int(row["used"]) for row in await self._database.read(find)}

    async def usage_by_month(self, account_id: UUID, since: datetime) -> Mapping[datetime, UsageSums]:
        return await usage_since(self._database, account_id, since)


class MongoRateWindows:
    """One document per key, with its current window. A delayed request that belongs to an older window counts in the
    current one."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def count(self, key_id: UUID, window: datetime) -> int:
        return await self._database.write(lambda collections: _count(collections, str(key_id), to_micros(window)))

    async def requests(self, key_id: UUID, window: datetime) -> int:
        query = {"_id": str(key_id), "window": {"$gte": to_micros(window)}}
        row = await self._database.read(lambda collections: collections.rate_windows.find_one(query))
        return 0 if row is None else int(row["requests"])


async def _count(collections: Collections, key_id: str, window: int) -> int:
    # Every request does this, and a crash that loses some counts is harmless: no need to wait for the journal.
    counts = collections.get_collection("rate_windows", write_concern=WriteConcern(w=1))
    while True:
        started = {"window": window, "requests": 1, "purge_at": purge_at(WINDOW_LIFE)}
        present = await counts.find_one_and_update(
            {"_id": key_id, "window": {"$gte": window}},
            {"$inc": {"requests": 1}},
            return_document=ReturnDocument.AFTER,
        )
        if present is not None:
            return int(present["requests"])
        older = {"_id": key_id, "window": {"$lt": window}}
        if (await counts.update_one(older, {"$set": started})).matched_count:
            return 1
        try:
            await counts.insert_one({"_id": key_id, **started})
        except DuplicateKeyError:
            # Another request of the key started the window at the same time: count in it.
            continue
        return 1
