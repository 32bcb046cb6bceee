"""Webhook endpoints."""

import json
import sqlite3
from dataclasses import replace
from typing import Any
from uuid import UUID

from serve_app.domain.event import EventType
from serve_app.domain.webhook import EndpointSecret, WebhookEndpoint
from serve_app.store.codec import from_micros, optional_micros, optional_moment, to_micros
from serve_app.store.sqlite.connection import Database

_ADD = """
    INSERT INTO endpoints (id, account_id, url, types, secrets, created_at, paused_reason, failing_since, revision)
    VALUES (:id, :account_id, :url, :types, :secrets, :created_at, :paused_reason, :failing_since, :revision)
"""
_GET = "SELECT * FROM endpoints WHERE id = ? AND account_id = ?"
_OF_ACCOUNT = "SELECT * FROM endpoints WHERE account_id = ? ORDER BY id"
_REPLACE = """
    UPDATE endpoints SET url = :url, types = :types, secrets = :secrets, paused_reason = :paused_reason,
        failing_since = :failing_since, revision = revision + 1
    WHERE id = :id AND account_id = :account_id AND revision = :revision
"""


class SqliteEndpoints:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, endpoint: WebhookEndpoint) -> None:
        await self._database.write(lambda c: c.execute(_ADD, _values_of(endpoint)))

    async def get(self, account_id: UUID, endpoint_id: UUID) -> WebhookEndpoint | None:
        values = (str(endpoint_id), str(account_id))
        row = await self._database.read(lambda c: c.execute(_GET, values).fetchone())
        return None if row is None else endpoint_from(row)

    async def of_account(self, account_id: UUID) -> list[WebhookEndpoint]:
        return await self._database.read(lambda c: endpoints_of(c, str(account_id)))

    async def replace(self, endpoint: WebhookEndpoint) -> WebhookEndpoint | None:
        changed = await self._database.write(lambda c: c.execute(_REPLACE, _values_of(endpoint)).rowcount == 1)
        return replace(endpoint, revision=endpoint.revision + 1) if changed else None

    async def remove(self, account_id: UUID, endpoint_id: UUID) -> bool:
        def remove(connection: sqlite3.Connection) -> bool:
            values = (str(endpoint_id), str(account_id))
            connection.execute("DELETE FROM deliveries WHERE endpoint_id = ? AND account_id = ?", values)
            return connection.execute("DELETE FROM endpoints WHERE id = ? AND account_id = ?", values).rowcount == 1

        return await self._database.write(remove)


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
        paused_reason=row["paused_reason"],
        failing_since=optional_moment(row["failing_since"]),
        revision=row["revision"],
    )


def _values_of(endpoint: WebhookEndpoint) -> dict[str, Any]:
    return {
        "id": str(endpoint.id),
        "account_id": str(endpoint.account_id),
        "url": endpoint.url,
        "types": json.dumps(endpoint.types),
        "secrets": json.dumps([[one.sealed, optional_micros(one.expires_at)] for one in endpoint.secrets]),
        "created_at": to_micros(endpoint.created_at),
        "paused_reason": endpoint.paused_reason,
        "failing_since": optional_micros(endpoint.failing_since),
        "revision": endpoint.revision,
    }
