"""Thresholds of `high` that rose for an account."""

from collections.abc import Mapping
from contextlib import suppress
from uuid import UUID

from pymongo.errors import DuplicateKeyError

from serve_app.domain.invoice import Field
from serve_app.domain.quality import Threshold
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.rows.codec import from_micros, to_micros


class MongoThresholds:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_account(self, account_id: UUID) -> Mapping[Field, Threshold]:
        async def find(collections: Collections) -> list[Row]:
            return await collections.thresholds.find({"account_id": str(account_id)}).to_list(None)

        rows = await self._database.read(find)
        return {Field(row["field"]): Threshold(row["step"], from_micros(row["since"])) for row in rows}

    async def rise(self, account_id: UUID, field: Field, threshold: Threshold) -> bool:
        this = {"_id": f"{account_id}/{field}", "step": {"$lt": threshold.step}}
        values: Row = {"account_id": str(account_id), "field": str(field)}
        values |= {"step": threshold.step, "since": to_micros(threshold.since)}

        async def rise(collections: Collections) -> bool:
            if await collections.accounts.find_one({"_id": str(account_id)}, {"_id": 1}) is None:
                return False
            # Another process may have set as high a one.
            with suppress(DuplicateKeyError):
                risen = await collections.thresholds.update_one(this, {"$set": values}, upsert=True)
                return bool(risen.modified_count or risen.upserted_id)
            return False

        return await self._database.write(rise)

    async def reset(self, account_id: UUID, field: Field) -> bool:
        this = {"_id": f"{account_id}/{field}"}

        async def reset(collections: Collections) -> bool:
            return (await collections.thresholds.delete_one(this)).deleted_count == 1

        return await self._database.write(reset)
