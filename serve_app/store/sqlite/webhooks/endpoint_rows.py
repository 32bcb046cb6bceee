"""From endpoints to rows and back."""

import json
from typing import Any

from serve_app.domain.webhook import WebhookEndpoint
from serve_app.store.rows import webhooks as webhook_rows
from serve_app.store.rows.codec import optional_micros, to_micros
from serve_app.store.sqlite.engine.driver import sqlite3

_OF_ACCOUNT = "SELECT * FROM endpoints WHERE account_id = ? ORDER BY id"


def endpoints_of(connection: sqlite3.Connection, account_id: str) -> list[WebhookEndpoint]:
    """Part of a read or write: the account's endpoints, oldest first."""
    return [endpoint_from(row) for row in connection.execute(_OF_ACCOUNT, (account_id,))]


def endpoint_from(row: sqlite3.Row) -> WebhookEndpoint:
    """The endpoint of a full row."""
    return webhook_rows.endpoint_from(
        row, json.loads(row["types"]), json.loads(row["secrets"]), json.loads(row["signing_keys"])
    )


def values_of(endpoint: WebhookEndpoint) -> dict[str, Any]:
    """The columns of an endpoint, without those of its lane."""
    return {
        "id": str(endpoint.id),
        "account_id": str(endpoint.account_id),
        "url": endpoint.url,
        "types": json.dumps(endpoint.types),
        "secrets": json.dumps([[secret.sealed, optional_micros(secret.expires_at)] for secret in endpoint.secrets]),
        "signing_keys": json.dumps(
            [[key.sealed, optional_micros(key.expires_at), key.public_key] for key in endpoint.signing_keys]
        ),
        "created_at": to_micros(endpoint.created_at),
        "description": endpoint.description,
        "paused_reason": endpoint.paused_reason,
        "is_owner_untold": endpoint.is_owner_unnotified,
        "failing_since": optional_micros(endpoint.failing_since),
        "is_slow": endpoint.is_slow,
        "revision": endpoint.revision,
    }
