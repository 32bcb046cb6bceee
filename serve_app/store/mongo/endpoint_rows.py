"""From endpoints to documents and back. Fields that documents of an earlier version lack get their defaults."""

from uuid import UUID

from pymongo import ASCENDING

from serve_app.domain.event import EventType
from serve_app.domain.webhook import EndpointSecret, PauseReason, WebhookEndpoint
from serve_app.store.codec import from_micros, optional_micros, optional_moment, to_micros
from serve_app.store.mongo.types import Collections, Row

_REASONS = frozenset(PauseReason)


async def endpoints_of(collections: Collections, account_id: str) -> list[WebhookEndpoint]:
    """The account's endpoints, oldest first."""
    rows = await collections.endpoints.find({"account_id": account_id}).sort("_id", ASCENDING).to_list(None)
    return [endpoint_from(row) for row in rows]


def fields_of(endpoint: WebhookEndpoint) -> Row:
    """The fields of an endpoint, without its id, its revision and those of its lane."""
    return {
        "account_id": str(endpoint.account_id),
        "url": endpoint.url,
        "types": [str(type) for type in endpoint.types],
        "secrets": [{"sealed": one.sealed, "expires_at": optional_micros(one.expires_at)} for one in endpoint.secrets],
        "created_at": to_micros(endpoint.created_at),
        "description": endpoint.description,
        "paused_reason": None if endpoint.paused_reason is None else str(endpoint.paused_reason),
        "is_owner_untold": endpoint.is_owner_untold,
        "failing_since": optional_micros(endpoint.failing_since),
        "is_slow": endpoint.is_slow,
    }


def endpoint_from(row: Row) -> WebhookEndpoint:
    """The endpoint of a full row."""
    return WebhookEndpoint(
        id=UUID(row["_id"]),
        account_id=UUID(row["account_id"]),
        url=row["url"],
        types=tuple(EventType(type) for type in row["types"]),
        secrets=tuple(EndpointSecret(one["sealed"], optional_moment(one["expires_at"])) for one in row["secrets"]),
        created_at=from_micros(row["created_at"]),
        description=row.get("description", ""),
        paused_reason=_reason_from(row["paused_reason"]),
        is_owner_untold=row.get("is_owner_untold", False),
        failing_since=optional_moment(row["failing_since"]),
        is_slow=row.get("is_slow", False),
        revision=row["revision"],
    )


def _reason_from(text: str | None) -> PauseReason | None:
    """An earlier version stored free text."""
    if text is None:
        return None
    return PauseReason(text) if text in _REASONS else PauseReason.BY_HAND
