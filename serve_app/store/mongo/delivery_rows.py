"""From deliveries and attempts to documents and back."""

from typing import Any
from uuid import UUID

from serve_app.domain.event import EventType
from serve_app.domain.ids import new_id
from serve_app.domain.webhook import AbandonReason, Attempt, Delivery, DeliveryState
from serve_app.store.codec import from_micros, optional_moment, to_micros
from serve_app.store.mongo.types import Row

PENDING, DELIVERED, ABANDONED = (str(state) for state in DeliveryState)
PAUSED: Row = {
    "state": ABANDONED,
    "abandoned_reason": str(AbandonReason.ENDPOINT_PAUSED),
    "next_attempt_at": None,
}
"""The fields of a delivery whose endpoint was paused."""
_REASONS = frozenset(AbandonReason)


def new_delivery(event: Row, endpoint_id: str) -> Row:
    """A delivery of the event in this row, due at once."""
    return {
        "_id": str(new_id()),
        "account_id": event["account_id"],
        "endpoint_id": endpoint_id,
        "event_id": event["_id"],
        "event_type": event["type"],
        "created_at": event["created_at"],
        **{"state": PENDING, "next_attempt_at": 0, "claims": 0, "step": 0, "attempts": [], "abandoned_reason": None},
    }


def attempt_row(attempt: Attempt) -> Row:
    """An attempt as stored in the list of attempts."""
    values: dict[str, Any] = {"seconds": attempt.seconds, "status": attempt.status, "error": attempt.error}
    return {"at": to_micros(attempt.at), **values, "body": attempt.body}


def delivery_from(row: Row) -> Delivery:
    """The delivery of a full row."""
    return Delivery(
        id=UUID(row["_id"]),
        account_id=UUID(row["account_id"]),
        endpoint_id=UUID(row["endpoint_id"]),
        event_id=row["event_id"],
        event_type=EventType(row["event_type"]),
        created_at=from_micros(row["created_at"]),
        state=DeliveryState(row["state"]),
        next_attempt_at=optional_moment(row["next_attempt_at"]),
        claims=row["claims"],
        step=row["step"],
        attempts=tuple(Attempt(**one | {"at": from_micros(one["at"])}) for one in row["attempts"]),
        abandoned_reason=_reason_from(row["abandoned_reason"]),
    )


def _reason_from(text: str | None) -> AbandonReason | None:
    """An earlier version stored free text."""
    if text is None:
        return None
    return AbandonReason(text) if text in _REASONS else AbandonReason.ENDPOINT_PAUSED
