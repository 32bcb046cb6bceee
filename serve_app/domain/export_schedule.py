"""Exports that the service makes by itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any
from uuid import UUID

from serve_app.domain.export import ExportFormat

MAX_SCHEDULES = 20
"""Of one account."""


class Cadence(StrEnum):
    """How often: each day, on Mondays, or on the first of each month."""

    DAILY = "daily"
    WEEKLY = "weekly"
    MONTHLY = "monthly"


@dataclass(frozen=True, slots=True)
class ExportSchedule:
    """At `hour` (UTC), what is ready and in no export yet is exported and delivered to `place`. The next run is at
    `due_at`; None: it is paused. `problem` is why the last run, at `ran_at`, made no export although it should have."""

    id: UUID
    account_id: UUID
    format: ExportFormat
    settings: Mapping[str, Any]
    cadence: Cadence
    hour: int
    place: str
    created_at: datetime
    created_by: str
    due_at: datetime | None
    ran_at: datetime | None = None
    problem: str = ""


def next_run(cadence: Cadence, hour: int, after: datetime) -> datetime:
    """The first moment of the cadence that is later."""
    at = after.replace(hour=hour, minute=0, second=0, microsecond=0)
    while at <= after or not _is_of(cadence, at):
        at += timedelta(days=1)
    return at


def _is_of(cadence: Cadence, at: datetime) -> bool:
    match cadence:
        case Cadence.DAILY:
            return True
        case Cadence.WEEKLY:
            return at.weekday() == 0
        case Cadence.MONTHLY:
            return at.day == 1
