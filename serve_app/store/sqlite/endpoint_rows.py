"""From endpoints to rows and back."""

import json
from typing import Any
from uuid import UUID

from serve_app.domain.event import EventType
from serve_app.domain.webhook import EndpointSecret, PauseReason, WebhookEndpoint
from serve_app.store.codec import from_micros, optional_micros, optional_moment, to_micros
from serve_app.store.sqlite.driver import sqlite3

_OF_ACCOUNT = "SELECT * FROM endpoints WHERE account_id = ? ORDER BY id"


def endpoints_of(connection: sqlite3.Connection, account_id: str) -> list[WebhookEndpoint]:
    """Part of a read or write: the account's endpoints, oldest first."""
    return [endpoint_from(row) for row in connection.execute(_OF_ACCOUNT, (account_id,))]


def endpoint_from(row: sqlite3.Row) -> WebhookEndpoint:
    """The endpoint of a full row."""
    return WebhookEndpoint(
        id=UUID(row["id"]),
        account_id=UUID(row["account_id"]),
        url=row["url"],
        types=tuple(EventType(type) for type in json.loads(row["types"])),
        secrets=tuple(EndpointSecret(sealed, optional_moment(end)) for sealed, end in json.loads(row["secrets"])),
        created_at=from_micros(row["created_at"]),
        description=row["description"],
        paused_reason=None if row["paused_reason"] is None else PauseReason(row["paused_reason"]),
        is_owner_untold=bool(row["is_owner_untold"]),
        failing_since=optional_moment(row["failing_since"]),
        is_slow=bool(row["is_slow"]),
        revision=row["revision"],
    )


def values_of(endpoint: WebhookEndpoint) -> dict[str, Any]:
    """The columns of an endpoint, without those of its lane."""
    return {
        "id": str(endpoint.id),
        "account_id": str(endpoint.account_id),
        "url": endpoint.url,
        "types": json.dumps(endpoint.types),
        "secrets": json.dumps([[one.sealed, optional_micros(one.expires_at)] for one in endpoint.secrets]),
        "created_at": to_micros(endpoint.created_at),
        "description": endpoint.description,
        "paused_reason": endpoint.paused_reason,
        "is_owner_untold": endpoint.is_owner_untold,
        "failing_since": optional_micros(endpoint.failing_since),
        "is_slow": endpoint.is_slow,
        "revision": endpoint.revision,
    }
