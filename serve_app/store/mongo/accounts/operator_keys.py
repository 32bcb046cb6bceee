"""The keys of operators."""

from datetime import datetime
from uuid import UUID

from pymongo import DESCENDING

from serve_app.domain.operator_key import OperatorKey
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row, named
from serve_app.store.rows.codec import to_micros
from serve_app.store.rows.operator_keys import operator_key_from, operator_key_row

_EVERY: Row = {"_id": {"$gt": ""}}


class MongoOperatorKeys:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, key: OperatorKey) -> None:
        row = operator_key_row(key)
        row["_id"] = row.pop("id")
        await self._database.write(lambda collections: collections.operator_keys.insert_one(row))

    async def find(self, key_hash: str) -> OperatorKey | None:
        valid = {"hash": key_hash, "revoked_at": None}
        row = await self._database.read(lambda collections: collections.operator_keys.find_one(valid))
        return None if row is None else operator_key_from(named(row))

    async def list_all(self) -> list[OperatorKey]:
        async def find(collections: Collections) -> list[Row]:
            return await collections.operator_keys.find(_EVERY).sort("_id", DESCENDING).to_list(None)

        return [operator_key_from(named(row)) for row in await self._database.read(find)]

    async def revoke(self, key_id: UUID, now: datetime) -> bool:
        valid, change = {"_id": str(key_id), "revoked_at": None}, {"$set": {"revoked_at": to_micros(now)}}
        revoked = await self._database.write(lambda collections: collections.operator_keys.update_one(valid, change))
        return revoked.matched_count == 1
