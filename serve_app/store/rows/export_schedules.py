"""Rows of schedules of exports, the same in both stores."""

import json
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from serve_app.domain.export import ExportFormat
from serve_app.domain.export_schedule import Cadence, ExportSchedule
from serve_app.store.rows.codec import from_micros, optional_moment, to_micros


def schedule_row(schedule: ExportSchedule) -> dict[str, Any]:
    """The columns, without the id."""
    return {
        "account_id": str(schedule.account_id),
        "format": str(schedule.format),
        "settings": json.dumps(schedule.settings, ensure_ascii=False),
        "cadence": str(schedule.cadence),
        "hour": schedule.hour,
        "place": schedule.place,
        "created_at": to_micros(schedule.created_at),
        "created_by": schedule.created_by,
        "due_at": schedule.due_at and to_micros(schedule.due_at),
        "ran_at": schedule.ran_at and to_micros(schedule.ran_at),
        "problem": schedule.problem,
    }


def schedule_from(row: Mapping[str, Any]) -> ExportSchedule:
    return ExportSchedule(
        id=UUID(row["id"]),
        account_id=UUID(row["account_id"]),
        format=ExportFormat(row["format"]),
        settings=json.loads(row["settings"]),
        cadence=Cadence(row["cadence"]),
        hour=row["hour"],
        place=row["place"],
        created_at=from_micros(row["created_at"]),
        created_by=row["created_by"],
        due_at=optional_moment(row["due_at"]),
        ran_at=optional_moment(row["ran_at"]),
        problem=row["problem"],
    )
