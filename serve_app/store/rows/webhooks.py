"""Webhook endpoints and deliveries as both stores decode them."""

from collections.abc import Iterable
from uuid import UUID

from serve_app.domain.event import EventType
from serve_app.domain.webhook import (
    AbandonReason,
    Attempt,
    Delivery,
    DeliveryState,
    EndpointSecret,
    PauseReason,
    WebhookEndpoint,
)
from serve_app.store.rows.codec import from_micros, optional_moment
from serve_app.store.rows.columns import Fields

_PAUSE_REASONS = frozenset(PauseReason)
_ABANDON_REASONS = frozenset(AbandonReason)


def delivery_from(row: Fields, attempts: Iterable[Attempt]) -> Delivery:
    """The delivery of a full row and its attempts."""
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
        trace=row["trace"],
        attempts=tuple(attempts),
        abandoned_reason=_abandon_reason(row["abandoned_reason"]),
    )


def endpoint_from(
    row: Fields,
    types: Iterable[str],
    secrets: Iterable[tuple[str, int | None]],
    signing_keys: Iterable[tuple[str, int | None, str]],
) -> WebhookEndpoint:
    """The endpoint of a full row, the event types that it wants, its secrets: each sealed, and when it ends, and its
    private keys: the same, and the public key."""
    return WebhookEndpoint(
        id=UUID(row["id"]),
        account_id=UUID(row["account_id"]),
        url=row["url"],
        types=tuple(EventType(type) for type in types),
        secrets=tuple(EndpointSecret(sealed, optional_moment(end)) for sealed, end in secrets),
        created_at=from_micros(row["created_at"]),
        description=row["description"],
        paused_reason=_pause_reason(row["paused_reason"]),
        is_owner_unnotified=bool(row["is_owner_untold"]),
        failing_since=optional_moment(row["failing_since"]),
        is_slow=bool(row["is_slow"]),
        revision=row["revision"],
        signing_keys=tuple(
            EndpointSecret(sealed, optional_moment(end), public) for sealed, end, public in signing_keys
        ),
    )


def _abandon_reason(text: str | None) -> AbandonReason | None:
    """Earlier versions stored free text."""
    if text is None:
        return None
    return AbandonReason(text) if text in _ABANDON_REASONS else AbandonReason.ENDPOINT_PAUSED


def _pause_reason(text: str | None) -> PauseReason | None:
    """Earlier versions stored free text."""
    if text is None:
        return None
    return PauseReason(text) if text in _PAUSE_REASONS else PauseReason.BY_HAND
