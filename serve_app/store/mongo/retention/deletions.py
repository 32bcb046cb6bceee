"""Deletions that can still be undone."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from pymongo import ASCENDING, DESCENDING

from serve_app.domain.deletion import PlannedDeletion
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row, named
from serve_app.store.rows.codec import to_micros
from serve_app.store.rows.deletions import fields_of, plan_from


class MongoDeletions:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, plan: PlannedDeletion) -> None:
        this, values = {"_id": str(plan.id)}, {"$setOnInsert": fields_of(plan)}

        async def add(collections: Collections) -> None:
            # No plan may outlive its account.
            if await collections.accounts.find_one({"_id": str(plan.account_id)}, {"_id": 1}) is not None:
                await collections.deletions.update_one(this, values, upsert=True)

        await self._database.write(add)

    async def open(self, account_id: UUID) -> Sequence[PlannedDeletion]:
        async def find(collections: Collections) -> list[Row]:
            found = collections.deletions.find({"account_id": str(account_id)})
            return await found.sort("_id", DESCENDING).to_list(None)

        return [plan_from(named(row)) for row in await self._database.read(find)]

    async def undo(self, account_id: UUID, plan_id: UUID) -> bool:
        this = {"_id": str(plan_id), "account_id": str(account_id), "is_begun": 0}

        async def undo(collections: Collections) -> bool:
            return (await collections.deletions.delete_one(this)).deleted_count == 1

        return await self._database.write(undo)

    async def begin(self, plan_id: UUID) -> bool:
        async def begin(collections: Collections) -> bool:
            changed = await collections.deletions.update_one({"_id": str(plan_id)}, {"$set": {"is_begun": 1}})
            return changed.matched_count == 1

        return await self._database.write(begin)

    async def end(self, plan_id: UUID) -> None:
        async def end(collections: Collections) -> None:
            await collections.deletions.delete_one({"_id": str(plan_id)})

        await self._database.write(end)

    async def due(self, before: datetime, limit: int) -> Sequence[PlannedDeletion]:
        async def find(collections: Collections) -> list[Row]:
            found = collections.deletions.find({"due_at": {"$lt": to_micros(before)}})
            return await found.sort("due_at", ASCENDING).limit(limit).to_list(None)

        return [plan_from(named(row)) for row in await self._database.read(find)]
