"""From deliveries and attempts to documents and back."""

from typing import Any

from serve_app.domain.ids import new_id
from serve_app.domain.webhook import AbandonReason, Attempt, Delivery, DeliveryState
from serve_app.store.mongo.engine.types import Row, named
from serve_app.store.rows import webhooks as webhook_rows
from serve_app.store.rows.codec import from_micros, to_micros

PENDING, DELIVERED, ABANDONED = (str(state) for state in DeliveryState)
PAUSED: Row = {
    "state": ABANDONED,
    "abandoned_reason": str(AbandonReason.ENDPOINT_PAUSED),
    "next_attempt_at": None,
}
"""The fields of a delivery whose endpoint was paused."""


def new_delivery(event: Row, endpoint_id: str) -> Row:
    """A delivery of the event in this row, due at once."""
    return {
        "_id": str(new_id()),
        "account_id": event["account_id"],
        "endpoint_id": endpoint_id,
        "event_id": event["_id"],
        "event_type": event["type"],
        "created_at": event["created_at"],
        "trace": event.get("trace"),
        **{"state": PENDING, "next_attempt_at": 0, "claims": 0, "step": 0, "attempts": [], "abandoned_reason": None},
    }


def attempt_row(attempt: Attempt) -> Row:
    """An attempt as stored in the list of attempts."""
    values: dict[str, Any] = {"seconds": attempt.seconds, "status": attempt.status, "error": attempt.error}
    headers = None if attempt.headers is None else dict(attempt.headers)
    return {"at": to_micros(attempt.at), **values, "body": attempt.body, "headers": headers}


def delivery_from(row: Row) -> Delivery:
    """The delivery of a full row."""
    attempts = (Attempt(**attempt | {"at": from_micros(attempt["at"])}) for attempt in row["attempts"])
    return webhook_rows.delivery_from({"trace": None, **named(row)}, attempts)
