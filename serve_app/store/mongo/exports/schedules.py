"""Schedules of exports."""

from datetime import datetime
from uuid import UUID

from pymongo import ASCENDING

from serve_app.domain.export_schedule import ExportSchedule
from serve_app.store.mongo.engine.claims import claim_due
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row, named
from serve_app.store.rows.codec import to_micros
from serve_app.store.rows.export_schedules import schedule_from, schedule_row


class MongoExportSchedules:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, schedule: ExportSchedule) -> bool:
        row = schedule_row(schedule)

        async def add(collections: Collections) -> bool:
            # No schedule may outlive its account.
            if await collections.accounts.find_one({"_id": row["account_id"]}, {"_id": 1}) is None:
                return False
            this = {"_id": str(schedule.id), "account_id": row["account_id"]}
            await collections.export_schedules.update_one(this, {"$setOnInsert": row}, upsert=True)
            return True

        return await self._database.write(add)

    async def of_account(self, account_id: UUID) -> list[ExportSchedule]:
        async def find(collections: Collections) -> list[Row]:
            found = collections.export_schedules.find({"account_id": str(account_id)}).sort("_id", ASCENDING)
            return await found.to_list(None)

        return [schedule_from(named(row)) for row in await self._database.read(find)]

    async def set_due(self, account_id: UUID, schedule_id: UUID, due_at: datetime | None) -> bool:
        return await self._changes(_this(account_id, schedule_id), {"due_at": due_at and to_micros(due_at)})

    async def remove(self, account_id: UUID, schedule_id: UUID) -> bool:
        async def remove(collections: Collections) -> bool:
            return (await collections.export_schedules.delete_one(_this(account_id, schedule_id))).deleted_count == 1

        return await self._database.write(remove)

    async def claim_due(self, now: datetime, until: datetime) -> ExportSchedule | None:
        row = await self._database.write(lambda collections: claim_due(collections, "export_schedules", {}, now, until))
        return None if row is None else schedule_from(named(row))

    async def record_run(self, claimed: ExportSchedule, due_at: datetime, ran_at: datetime, problem: str) -> bool:
        this = _this(claimed.account_id, claimed.id) | {"due_at": schedule_row(claimed)["due_at"]}
        found = {"due_at": to_micros(due_at), "ran_at": to_micros(ran_at), "problem": problem}
        return await self._changes(this, found)

    async def _changes(self, this: Row, values: Row) -> bool:
        async def update(collections: Collections) -> bool:
            return (await collections.export_schedules.update_one(this, {"$set": values})).matched_count == 1

        return await self._database.write(update)


def _this(account_id: UUID, schedule_id: UUID) -> Row:
    return {"_id": str(schedule_id), "account_id": str(account_id)}
