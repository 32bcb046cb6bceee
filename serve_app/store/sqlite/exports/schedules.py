"""Schedules of exports."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from serve_app.domain.export_schedule import ExportSchedule
from serve_app.store.rows.codec import to_micros
from serve_app.store.rows.export_schedules import schedule_from, schedule_row
from serve_app.store.sqlite.engine.connection import Database

_ADD = """
    INSERT INTO export_schedules
    SELECT :id, id, :format, :settings, :cadence, :hour, :place, :created_at, :created_by, :due_at, :ran_at, :problem
    FROM accounts WHERE id = :account_id
"""
_LIST = "SELECT * FROM export_schedules WHERE account_id = ? ORDER BY id"
_SET_DUE = "UPDATE export_schedules SET due_at = ? WHERE id = ? AND account_id = ?"
_REMOVE = "DELETE FROM export_schedules WHERE id = ? AND account_id = ?"
_DUE = "SELECT id FROM export_schedules WHERE due_at <= :now ORDER BY due_at LIMIT 1"
_CLAIM = f"UPDATE export_schedules SET due_at = :until WHERE id = ({_DUE}) RETURNING *"  # noqa: S608
_RECORD = """
    UPDATE export_schedules SET due_at = :due_at, ran_at = :ran_at, problem = :problem
    WHERE id = :id AND account_id = :account AND due_at = :claimed
"""


class SqliteExportSchedules:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, schedule: ExportSchedule) -> bool:
        return await self._changes(_ADD, {"id": str(schedule.id), **schedule_row(schedule)})

    async def of_account(self, account_id: UUID) -> list[ExportSchedule]:
        rows = await self._database.read(lambda c: c.execute(_LIST, (str(account_id),)).fetchall())
        return [schedule_from(row) for row in rows]

    async def set_due(self, account_id: UUID, schedule_id: UUID, due_at: datetime | None) -> bool:
        return await self._changes(_SET_DUE, (due_at and to_micros(due_at), str(schedule_id), str(account_id)))

    async def remove(self, account_id: UUID, schedule_id: UUID) -> bool:
        return await self._changes(_REMOVE, (str(schedule_id), str(account_id)))

    async def claim_due(self, now: datetime, until: datetime) -> ExportSchedule | None:
        values = {"now": to_micros(now), "until": to_micros(until)}
        # Mostly there is none, and a write costs a disk sync.
        if await self._database.read(lambda c: c.execute(_DUE, values).fetchone()) is None:
            return None
        row = await self._database.write(lambda c: c.execute(_CLAIM, values).fetchone())
        return None if row is None else schedule_from(row)

    async def record_run(self, claimed: ExportSchedule, due_at: datetime, ran_at: datetime, problem: str) -> bool:
        this = {"id": str(claimed.id), "account": str(claimed.account_id), "claimed": schedule_row(claimed)["due_at"]}
        found = {"due_at": to_micros(due_at), "ran_at": to_micros(ran_at), "problem": problem}
        return await self._changes(_RECORD, this | found)

    async def _changes(self, statement: str, values: Mapping[str, Any] | tuple[Any, ...]) -> bool:
        return await self._database.write(lambda c: c.execute(statement, values).rowcount == 1)
