"""Schedules of exports."""

from datetime import datetime
from typing import Protocol
from uuid import UUID

from serve_app.domain.export_schedule import ExportSchedule


class ExportSchedules(Protocol):
    """Deleting an account deletes its schedules."""

    async def add(self, schedule: ExportSchedule) -> bool:
        """False if the account does not exist."""
        ...

    async def of_account(self, account_id: UUID) -> list[ExportSchedule]:
        """The oldest first."""
        ...

    async def set_due(self, account_id: UUID, schedule_id: UUID, due_at: datetime | None) -> bool:
        """When it runs next; None: it is paused. False if the account has no such schedule."""
        ...

    async def remove(self, account_id: UUID, schedule_id: UUID) -> bool:
        """False if the account has no such schedule. Its exports stay."""
        ...

    async def claim_due(self, now: datetime, until: datetime) -> ExportSchedule | None:
        """A schedule of any account that is due; due again at `until`, unless this run is recorded. None if there is
        none."""
        ...

    async def record_run(self, claimed: ExportSchedule, due_at: datetime, ran_at: datetime, problem: str) -> bool:
        """The outcome of a claimed run, and when the next one is due. False if the schedule was claimed again, paused
        or removed meanwhile."""
        ...
