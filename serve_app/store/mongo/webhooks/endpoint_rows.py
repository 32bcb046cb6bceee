"""From endpoints to documents and back. Fields that documents of an earlier version lack get their defaults."""

from pymongo import ASCENDING

from serve_app.domain.webhook import WebhookEndpoint
from serve_app.store.mongo.engine.types import Collections, Row, named
from serve_app.store.rows import webhooks as webhook_rows
from serve_app.store.rows.codec import optional_micros, to_micros

_DEFAULTS: Row = {"description": "", "is_owner_untold": False, "is_slow": False}


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
        "secrets": [
            {"sealed": secret.sealed, "expires_at": optional_micros(secret.expires_at)} for secret in endpoint.secrets
        ],
        "signing_keys": [
            {"sealed": key.sealed, "expires_at": optional_micros(key.expires_at), "public_key": key.public_key}
            for key in endpoint.signing_keys
        ],
        "created_at": to_micros(endpoint.created_at),
        "description": endpoint.description,
        "paused_reason": None if endpoint.paused_reason is None else str(endpoint.paused_reason),
        "is_owner_untold": endpoint.is_owner_unnotified,
        "failing_since": optional_micros(endpoint.failing_since),
        "is_slow": endpoint.is_slow,
    }


def endpoint_from(row: Row) -> WebhookEndpoint:
    """The endpoint of a full row."""
    secrets = ((secret["sealed"], secret["expires_at"]) for secret in row["secrets"])
    keys = ((key["sealed"], key["expires_at"], key["public_key"]) for key in row.get("signing_keys", ()))
    return webhook_rows.endpoint_from(_DEFAULTS | named(row), row["types"], secrets, keys)
