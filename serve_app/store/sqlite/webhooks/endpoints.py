"""Webhook endpoints."""

from dataclasses import replace
from typing import Any
from uuid import UUID

from serve_app.domain.clock import Clock
from serve_app.domain.webhook import WebhookEndpoint
from serve_app.store.base.webhooks import TooManyEndpoints, UrlTaken
from serve_app.store.rows.codec import to_micros
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.webhooks.endpoint_rows import endpoint_from, endpoints_of, values_of
from serve_app.store.sqlite.webhooks.lanes import make_due

_ADD = """
    INSERT INTO endpoints (
        id, account_id, url, types, secrets, created_at, description, paused_reason, is_owner_untold, failing_since,
        is_slow, revision, signing_keys
    ) VALUES (
        :id, :account_id, :url, :types, :secrets, :created_at, :description, :paused_reason, :is_owner_untold,
        :failing_since, :is_slow, :revision, :signing_keys
    )
"""
_COUNT = "SELECT count(*) FROM endpoints WHERE account_id = :account_id"
# Endpoints of an earlier version may share a URL; everything else of theirs can be changed.
_TAKES_URL = """
    SELECT EXISTS (SELECT 1 FROM endpoints WHERE account_id = :account_id AND url = :url AND id != :id)
        AND NOT EXISTS (SELECT 1 FROM endpoints WHERE id = :id AND url = :url)
"""
_GET = "SELECT * FROM endpoints WHERE id = ? AND account_id = ?"
_ANY = "SELECT 1 FROM endpoints LIMIT 1"
_EVERY = "SELECT * FROM endpoints WHERE id > ? ORDER BY id LIMIT ?"
_UNNOTIFIED = "SELECT * FROM endpoints WHERE is_owner_untold ORDER BY id LIMIT ?"
_REPLACE = """
    UPDATE endpoints SET url = :url, types = :types, secrets = :secrets, signing_keys = :signing_keys,
        description = :description, paused_reason = :paused_reason, is_owner_untold = :is_owner_untold,
        failing_since = :failing_since, is_slow = :is_slow, revision = revision + 1
    WHERE id = :id AND account_id = :account_id AND revision = :revision
"""
_ABANDON = """
    UPDATE deliveries SET state = 'abandoned', abandoned_reason = 'endpoint_paused', next_attempt_at = NULL
    WHERE endpoint_id = ? AND state = 'pending'
"""
_REMOVE_TESTS = """
    DELETE FROM events WHERE is_test AND id IN (SELECT event_id FROM deliveries WHERE endpoint_id = ?)
"""


class SqliteEndpoints:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def add(self, endpoint: WebhookEndpoint, *, at_most: int) -> None:
        values = values_of(endpoint)

        def write(connection: sqlite3.Connection) -> None:
            _check_url(connection, values)
            if connection.execute(_COUNT, values).fetchone()[0] >= at_most:
                raise TooManyEndpoints
            connection.execute(_ADD, values)

        await self._database.write(write)

    async def get(self, account_id: UUID, endpoint_id: UUID) -> WebhookEndpoint | None:
        values = (str(endpoint_id), str(account_id))
        row = await self._database.read(lambda c: c.execute(_GET, values).fetchone())
        return None if row is None else endpoint_from(row)

    async def of_account(self, account_id: UUID) -> list[WebhookEndpoint]:
        return await self._database.read(lambda c: endpoints_of(c, str(account_id)))

    async def exist(self) -> bool:
        return await self._database.read(lambda c: c.execute(_ANY).fetchone() is not None)

    async def list_all(self, *, after: UUID | None, limit: int) -> list[WebhookEndpoint]:
        values = (str(after or ""), limit)
        rows = await self._database.read(lambda c: c.execute(_EVERY, values).fetchall())
        return [endpoint_from(row) for row in rows]

    async def with_unnotified_owner(self, limit: int) -> list[WebhookEndpoint]:
        rows = await self._database.read(lambda c: c.execute(_UNNOTIFIED, (limit,)).fetchall())
        return [endpoint_from(row) for row in rows]

    async def replace(self, endpoint: WebhookEndpoint) -> WebhookEndpoint | None:
        values = values_of(endpoint)

        def write(connection: sqlite3.Connection) -> bool:
            _check_url(connection, values)
            if connection.execute(_REPLACE, values).rowcount == 0:
                return False
            if endpoint.is_active:
                make_due(connection, str(endpoint.id), to_micros(self._clock()))
            else:
                connection.execute(_ABANDON, (str(endpoint.id),))
            return True

        changed = await self._database.write(write)
        return replace(endpoint, revision=endpoint.revision + 1) if changed else None

    async def remove(self, account_id: UUID, endpoint_id: UUID) -> bool:
        def remove(connection: sqlite3.Connection) -> bool:
            key = (str(endpoint_id),)
            if connection.execute(_GET, (*key, str(account_id))).fetchone() is None:
                return False
            connection.execute(_REMOVE_TESTS, key)
            for table in ("deliveries", "endpoint_hours"):
                connection.execute(f"DELETE FROM {table} WHERE endpoint_id = ?", key)  # noqa: S608
            return connection.execute("DELETE FROM endpoints WHERE id = ?", key).rowcount == 1

        return await self._database.write(remove)


def _check_url(connection: sqlite3.Connection, values: dict[str, Any]) -> None:
    if connection.execute(_TAKES_URL, values).fetchone()[0]:
        raise UrlTaken
