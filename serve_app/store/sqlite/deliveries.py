"""Deliveries of events to endpoints: leased rows."""

import json
import sqlite3
from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

from serve_app.domain.clock import Clock
from serve_app.domain.event import EventType
from serve_app.domain.ids import new_id
from serve_app.domain.query import Page, page_of
from serve_app.domain.webhook import Attempt, Delivery, DeliveryState
from serve_app.store.codec import from_micros, optional_moment, to_micros
from serve_app.store.sqlite.connection import Database
from serve_app.store.sqlite.endpoints import endpoints_of
from serve_app.store.sqlite.filters import newest

_ADD = """
    INSERT INTO deliveries (id, account_id, endpoint_id, event_id, event_type, created_at, next_attempt_at)
    VALUES (:id, :account_id, :endpoint_id, :event_id, :event_type, :created_at, 0)
    ON CONFLICT DO NOTHING
"""
_CLAIM = """
    UPDATE deliveries SET claims = claims + 1, next_attempt_at = :lease
    WHERE id = (
        SELECT id FROM deliveries WHERE state = 'pending' AND next_attempt_at <= :now
        ORDER BY next_attempt_at, id LIMIT 1
    )
    RETURNING *
"""
_ATTEMPTED = """
    UPDATE deliveries SET state = :state, next_attempt_at = :next, step = step + 1, abandoned_reason = :reason,
        attempts = CASE WHEN :attempt IS NULL THEN attempts ELSE json_insert(attempts, '$[#]', json(:attempt)) END
    WHERE id = :id AND claims = :claims AND state = 'pending'
"""
_ABANDON_PENDING = """
    UPDATE deliveries SET state = 'abandoned', abandoned_reason = ?, next_attempt_at = NULL
    WHERE endpoint_id = ? AND state = 'pending'
"""
_REDELIVER = """
    UPDATE deliveries SET state = 'pending', next_attempt_at = 0, step = 0, abandoned_reason = NULL, claims = claims + 1
    WHERE id = ? AND account_id = ? RETURNING *
"""
_GET = "SELECT * FROM deliveries WHERE id = ? AND account_id = ?"


class SqliteDeliveries:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def claim_due(self, lease: timedelta) -> Delivery | None:
        now = self._clock()
        values = {"now": to_micros(now), "lease": to_micros(now + lease)}
        rows = await self._database.write(lambda c: c.execute(_CLAIM, values).fetchall())
        return _delivery_from(rows[0]) if rows else None

    async def delivered(self, claim: Delivery, attempt: Attempt) -> bool:
        return await self._attempted(claim, attempt, DeliveryState.DELIVERED)

    async def retry(self, claim: Delivery, attempt: Attempt, delay: timedelta) -> bool:
        due = to_micros(self._clock() + delay)
        return await self._attempted(claim, attempt, DeliveryState.PENDING, next_attempt_at=due)

    async def abandon(self, claim: Delivery, attempt: Attempt | None, reason: str) -> bool:
        return await self._attempted(claim, attempt, DeliveryState.ABANDONED, reason=reason)

    async def _attempted(
        self,
        claim: Delivery,
        attempt: Attempt | None,
        state: DeliveryState,
        next_attempt_at: int | None = None,
        reason: str | None = None,
    ) -> bool:
        values = {
            "id": str(claim.id),
            "claims": claim.claims,
            "state": state,
            "next": next_attempt_at,
            "reason": reason,
            "attempt": None if attempt is None else _attempt_json(attempt),
        }
        return await self._database.write(lambda c: c.execute(_ATTEMPTED, values).rowcount == 1)

    async def abandon_pending(self, endpoint_id: UUID, reason: str) -> int:
        return await self._database.write(lambda c: c.execute(_ABANDON_PENDING, (reason, str(endpoint_id))).rowcount)

    async def redeliver(self, account_id: UUID, delivery_id: UUID) -> Delivery | None:
        values = (str(delivery_id), str(account_id))
        rows = await self._database.write(lambda c: c.execute(_REDELIVER, values).fetchall())
        return _delivery_from(rows[0]) if rows else None

    async def get(self, account_id: UUID, delivery_id: UUID) -> Delivery | None:
        values = (str(delivery_id), str(account_id))
        row = await self._database.read(lambda c: c.execute(_GET, values).fetchone())
        return None if row is None else _delivery_from(row)

    async def page(
        self,
        account_id: UUID,
        limit: int,
        after: UUID | None = None,
        endpoint_id: UUID | None = None,
        event_id: str | None = None,
        state: DeliveryState | None = None,
    ) -> Page[Delivery]:
        wanted = {"endpoint_id": endpoint_id and str(endpoint_id), "event_id": event_id, "state": state}
        conditions = [f"{name} = :{name}" for name, value in wanted.items() if value is not None]
        if after is not None:
            conditions.append("id < :after")
        values = wanted | {"account": str(account_id), "limit": limit + 1, "after": str(after)}
        rows = await self._database.read(lambda c: c.execute(newest("deliveries", conditions), values).fetchall())
        return page_of([_delivery_from(row) for row in rows], limit)


def add_deliveries(connection: sqlite3.Connection, event: Mapping[str, Any]) -> None:
    """Part of a write: a delivery of the event, by its columns, for every endpoint that wants it and has none yet."""
    for endpoint in endpoints_of(connection, event["account_id"]):
        if endpoint.wants(EventType(event["type"])):
            values = {
                "id": str(new_id()),
                "account_id": event["account_id"],
                "endpoint_id": str(endpoint.id),
                "event_id": event["id"],
                "event_type": event["type"],
                "created_at": event["created_at"],
            }
            connection.execute(_ADD, values)


def _attempt_json(attempt: Attempt) -> str:
    return json.dumps([to_micros(attempt.at), attempt.seconds, attempt.status, attempt.error, attempt.body])


def _attempt_from(values: list[Any]) -> Attempt:
    at, seconds, status, error, body = values
    return Attempt(from_micros(at), seconds, status, error, body)


def _delivery_from(row: sqlite3.Row) -> Delivery:
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
        abandoned_reason=row["abandoned_reason"],
    )
