"""From deliveries and attempts to rows and back."""

import json
from typing import Any
from uuid import UUID

from serve_app.domain.event import EventType
from serve_app.domain.webhook import AbandonReason, Attempt, Delivery, DeliveryState
from serve_app.store.codec import from_micros, optional_moment, to_micros
from serve_app.store.sqlite.driver import sqlite3


def attempt_json(attempt: Attempt) -> str:
    """An attempt as stored in the list of attempts."""
    return json.dumps([to_micros(attempt.at), attempt.seconds, attempt.status, attempt.error, attempt.body])


def _attempt_from(values: list[Any]) -> Attempt:
    at, seconds, status, error, body = values
    return Attempt(from_micros(at), seconds, status, error, body)


def delivery_from(row: sqlite3.Row) -> Delivery:
    """The delivery of a full row."""
    return Delivery(
        id=UUID(row["id"]),
        account_id=UUID(row["account_id"]),
        endpoint_id=UUID(row["endpoint_id"]),
        event_id=row["event_id"],
        event_type=EventType(row["event_type"]),
        created_at=from_micros(row["created_at"]),
        state=DeliveryState(row["state"]),
        next_attempt_at=optional_moment(row["next_attempt_at"]),
        claims=row["claims"],
        step=row["step"],
        attempts=tuple(_attempt_from(values) for values in json.loads(row["attempts"])),
        abandoned_reason=None if row["abandoned_reason"] is None else AbandonReason(row["abandoned_reason"]),
    )
