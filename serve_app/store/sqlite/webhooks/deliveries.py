"""Deliveries of events to endpoints: leased rows."""

import json
from collections.abc import Collection, Mapping
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from serve_app.domain.clock import Clock
from serve_app.domain.due import Due
from serve_app.domain.endpoint_health import AttemptCount, counted
from serve_app.domain.event import EventType, LoggedEvent
from serve_app.domain.ids import new_id
from serve_app.domain.query import DeliveryQuery, ListPage, page_of
from serve_app.domain.webhook import AbandonReason, Attempt, Delivery, Payload
from serve_app.store.base.webhooks import EndpointChanged, EndpointPaused
from serve_app.store.rows.codec import optional_moment, to_micros
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.invoices.filters import delivery_conditions, newest
from serve_app.store.sqlite.webhooks.delivery_rows import attempt_json, delivery_from
from serve_app.store.sqlite.webhooks.endpoint_rows import endpoints_of
from serve_app.store.sqlite.webhooks.lanes import make_due

_ADD = """
    INSERT INTO deliveries (id, account_id, endpoint_id, event_id, event_type, created_at, trace, next_attempt_at)
    VALUES (:id, :account_id, :endpoint_id, :event_id, :event_type, :created_at, :trace, 0)
    ON CONFLICT DO NOTHING
"""
_ADD_TEST = """
    INSERT INTO events (id, account_id, invoice_id, type, created_at, payload, is_test)
    VALUES (:id, :account_id, '', :type, :created_at, :payload, 1)
"""
_PAUSED_REASON = "SELECT paused_reason FROM endpoints WHERE id = ? AND account_id = ?"
_AS_READ = "EXISTS (SELECT 1 FROM endpoints WHERE id = :endpoint AND revision = :revision)"
_CLAIM = f"""
    UPDATE deliveries SET claims = claims + 1, next_attempt_at = :lease
    WHERE id IN (
        SELECT id FROM deliveries WHERE endpoint_id = :endpoint AND state = 'pending' AND next_attempt_at <= :now
        ORDER BY next_attempt_at, id LIMIT :limit
    ) AND (:revision IS NULL OR {_AS_READ})
    RETURNING *
"""  # noqa: S608
_CLAIM_AGAIN = f"""
    UPDATE deliveries SET claims = claims + 1, next_attempt_at = :lease
    WHERE id = :id AND claims = :claims AND step = :step + 1 AND state = 'pending' AND {_AS_READ}
    RETURNING *
"""  # noqa: S608
_PAYLOADS = "SELECT id, payload, is_test FROM events WHERE id IN (SELECT value FROM json_each(?))"
# One statement for all: between statements, threads of the process wait for each other.
_DELIVERED = """
    UPDATE deliveries SET state = 'delivered', next_attempt_at = NULL, abandoned_reason = NULL, step = step + 1,
        attempts = json_insert(attempts, '$[#]', json(one.value ->> 2))
    FROM json_each(:arrived) AS one
    WHERE deliveries.id = one.value ->> 0 AND claims = one.value ->> 1 AND state != 'delivered'
    RETURNING deliveries.id
"""
# A delivery abandoned while the attempt was in progress stays abandoned. The step shows whether the attempt is already
# recorded, by a write whose answer was lost.
_FAILED = """
    UPDATE deliveries SET step = step + 1, attempts = json_insert(attempts, '$[#]', json(:attempt)),
        next_attempt_at = CASE state WHEN 'pending' THEN :next END,
        abandoned_reason = CASE state WHEN 'pending' THEN :reason ELSE abandoned_reason END,
        state = CASE WHEN :next IS NULL THEN 'abandoned' ELSE state END
    WHERE id = :id AND claims = :claims AND step = :step AND state != 'delivered'
"""
_COUNT = """
    INSERT INTO endpoint_hours (endpoint_id, hour, bucket, attempts, arrived)
    VALUES (:endpoint, :hour, :bucket, :attempts, :arrived)
    ON CONFLICT DO UPDATE SET attempts = attempts + excluded.attempts, arrived = arrived + excluded.arrived
"""
_COUNTS = """
    SELECT bucket, sum(attempts) AS attempts, sum(arrived) AS arrived FROM endpoint_hours
    WHERE endpoint_id = ? AND hour >= ? GROUP BY bucket
"""
_HAND_BACK = "UPDATE deliveries SET next_attempt_at = 0 WHERE id = :id AND claims = :claims AND state = 'pending'"
_RESET = """
    UPDATE deliveries SET state = 'pending', next_attempt_at = 0, step = 0, abandoned_reason = NULL, claims = claims + 1
"""
_REDELIVER = f"{_RESET} WHERE id = ? AND account_id = ? RETURNING *"
_ENDPOINT_OF = """
    SELECT paused_reason FROM endpoints WHERE id = (SELECT endpoint_id FROM deliveries WHERE id = ? AND account_id = ?)
"""
_REDELIVER_ABANDONED = f"""
    {_RESET} WHERE account_id = ? AND endpoint_id = ? AND state = 'abandoned' AND created_at >= ?
"""
_DUE = """
    SELECT (SELECT count(*) FROM deliveries WHERE state = 'pending' AND next_attempt_at <= :now) AS number,
        (SELECT min(due_at) FROM endpoints
            WHERE paused_reason IS NULL AND due_at IS NOT NULL AND due_at <= :now AND NOT is_held) AS since
"""
_GET = "SELECT * FROM deliveries WHERE id = ? AND account_id = ?"


class SqliteDeliveries:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def claim_due(
        self, endpoint_id: UUID, lease: timedelta, limit: int, revision: int | None = None
    ) -> list[Delivery]:
        now = self._clock()
        values = {
            "now": to_micros(now),
            "lease": to_micros(now + lease),
            "endpoint": str(endpoint_id),
            "limit": limit,
            "revision": revision,
        }
        return [delivery_from(row) for row in await self._database.write(lambda c: _claim(c, values))]

    async def claim_again(self, delivery: Delivery, lease: timedelta, revision: int) -> Delivery | None:
        values = {
            "id": str(delivery.id),
            "claims": delivery.claims,
            "step": delivery.step,
            "lease": to_micros(self._clock() + lease),
            "endpoint": str(delivery.endpoint_id),
            "revision": revision,
        }

        def claim(connection: sqlite3.Connection) -> list[sqlite3.Row]:
            rows = connection.execute(_CLAIM_AGAIN, values).fetchall()
            if not rows:
                _check_revision(connection, values)
            return rows

        rows = await self._database.write(claim)
        return delivery_from(rows[0]) if rows else None

    async def payloads(self, deliveries: Collection[Delivery]) -> Mapping[str, Payload]:
        event_ids = (json.dumps([delivery.event_id for delivery in deliveries]),)
        rows = await self._database.read(lambda c: c.execute(_PAYLOADS, event_ids).fetchall())
        return {row["id"]: Payload(row["payload"], bool(row["is_test"])) for row in rows}

    async def delivered(self, claim: Delivery, attempt: Attempt) -> bool:
        return await self._delivered([(claim, attempt)]) == 1

    async def all_delivered(self, arrived: Collection[tuple[Delivery, Attempt]]) -> None:
        await self._delivered(arrived)

    async def _delivered(self, arrived: Collection[tuple[Delivery, Attempt]]) -> int:
        rows = [(str(claim.id), claim.claims, attempt_json(attempt)) for claim, attempt in arrived]
        values = {"arrived": json.dumps(rows)}

        def write(connection: sqlite3.Connection) -> int:
            recorded = {row["id"] for row in connection.execute(_DELIVERED, values).fetchall()}
            _count(connection, [pair for pair in arrived if str(pair[0].id) in recorded])
            return len(recorded)

        return await self._database.write(write)

    async def retry(self, claim: Delivery, attempt: Attempt, delay: timedelta) -> bool:
        due = to_micros(self._clock() + delay)
        return await self._failed(claim, attempt, due, next=due, reason=None)

    async def abandon(self, claim: Delivery, attempt: Attempt, reason: AbandonReason) -> bool:
        return await self._failed(claim, attempt, None, next=None, reason=reason)

    async def hand_back(self, claim: Delivery) -> bool:
        return await self._write(_HAND_BACK, claim, to_micros(self._clock()))

    async def _failed(self, claim: Delivery, attempt: Attempt, due: int | None, **more: Any) -> bool:
        return await self._write(_FAILED, claim, due, attempt, attempt=attempt_json(attempt), **more)

    async def _write(
        self, query: str, claim: Delivery, due: int | None = None, made: Attempt | None = None, **more: Any
    ) -> bool:
        values = {"id": str(claim.id), "claims": claim.claims, "step": claim.step} | more

        def write(connection: sqlite3.Connection) -> bool:
            is_ours = connection.execute(query, values).rowcount == 1
            if is_ours and made is not None:
                _count(connection, [(claim, made)])
            if is_ours and due is not None:
                # Another worker, or none, may hold the lane by now.
                make_due(connection, str(claim.endpoint_id), due)
            return is_ours

        return await self._database.write(write)

    async def add_test(self, event: LoggedEvent, endpoint_id: UUID) -> Delivery | None:
        def add(connection: sqlite3.Connection) -> sqlite3.Row | None:
            own = connection.execute(_PAUSED_REASON, (str(endpoint_id), str(event.account_id))).fetchone()
            if own is None:
                return None
            _check_active(own)
            values = {
                "id": event.id,
                "account_id": str(event.account_id),
                "type": event.type,
                "created_at": to_micros(event.created_at),
                "payload": event.payload,
            }
            connection.execute(_ADD_TEST, values)
            added = _add(connection, values, str(endpoint_id), to_micros(self._clock()))
            row: sqlite3.Row = connection.execute(_GET, (added, values["account_id"])).fetchone()
            return row

        row = await self._database.write(add)
        return None if row is None else delivery_from(row)

    async def redeliver(self, account_id: UUID, delivery_id: UUID) -> Delivery | None:
        def redeliver(connection: sqlite3.Connection) -> list[sqlite3.Row]:
            this = (str(delivery_id), str(account_id))
            _check_active(connection.execute(_ENDPOINT_OF, this).fetchone())
            rows = connection.execute(_REDELIVER, this).fetchall()
            for row in rows:
                make_due(connection, row["endpoint_id"], to_micros(self._clock()))
            return rows

        rows = await self._database.write(redeliver)
        return delivery_from(rows[0]) if rows else None

    async def redeliver_abandoned(self, account_id: UUID, since: datetime, endpoint_id: UUID | None = None) -> int:
        def redeliver(connection: sqlite3.Connection) -> int:
            active = [endpoint for endpoint in endpoints_of(connection, str(account_id)) if endpoint.is_active]
            count = 0
            for endpoint in active:
                if endpoint_id in (None, endpoint.id):
                    values = (str(account_id), str(endpoint.id), to_micros(since))
                    count += connection.execute(_REDELIVER_ABANDONED, values).rowcount
                    make_due(connection, str(endpoint.id), to_micros(self._clock()))
            return count

        return await self._database.write(redeliver)

    async def due(self) -> Due:
        (row,) = await self._database.rows(_DUE, {"now": to_micros(self._clock())}, is_search=True)
        return Due(row["number"], optional_moment(row["since"]))

    async def attempts_since(self, endpoint_id: UUID, since: datetime) -> list[AttemptCount]:
        values = (str(endpoint_id), to_micros(since))
        rows = await self._database.read(lambda c: c.execute(_COUNTS, values).fetchall())
        return [AttemptCount(row["bucket"], row["attempts"], row["arrived"]) for row in rows]

    async def get(self, account_id: UUID, delivery_id: UUID) -> Delivery | None:
        values = (str(delivery_id), str(account_id))
        row = await self._database.read(lambda c: c.execute(_GET, values).fetchone())
        return None if row is None else delivery_from(row)

    async def page(
        self, account_id: UUID, query: DeliveryQuery, limit: int, after: UUID | None = None
    ) -> ListPage[Delivery]:
        conditions, values = delivery_conditions(query)
        if after is not None:
            conditions.append("id < :after")
        values |= {"account": str(account_id), "limit": limit + 1, "after": str(after)}
        rows = await self._database.rows(newest("deliveries", conditions), values, is_search=query != DeliveryQuery())
        return page_of([delivery_from(row) for row in rows], limit)


def _count(connection: sqlite3.Connection, recorded: Collection[tuple[Delivery, Attempt]]) -> None:
    """Part of a write: count the attempts for the health of their endpoints."""
    for endpoint_id in {claim.endpoint_id for claim, _ in recorded}:
        hours = counted(attempt for claim, attempt in recorded if claim.endpoint_id == endpoint_id)
        values = [
            {"endpoint": str(endpoint_id), "hour": to_micros(hour), **asdict(count)}
            for hour, counts in hours.items()
            for count in counts
        ]
        connection.executemany(_COUNT, values)


def _claim(connection: sqlite3.Connection, values: Mapping[str, Any]) -> list[sqlite3.Row]:
    rows = connection.execute(_CLAIM, values).fetchall()
    if not rows and values["revision"] is not None:
        _check_revision(connection, values)
    return rows


def _check_revision(connection: sqlite3.Connection, values: Mapping[str, Any]) -> None:
    if not connection.execute(f"SELECT {_AS_READ}", values).fetchone()[0]:
        raise EndpointChanged


def _check_active(endpoint: sqlite3.Row | None) -> None:
    if endpoint is not None and endpoint["paused_reason"] is not None:
        raise EndpointPaused


def add_deliveries(connection: sqlite3.Connection, event: Mapping[str, Any], now: int) -> int:
    """Part of a write: add a delivery of the event, given by its columns, for every endpoint that wants it and has none
    yet; due from `now` on. Returns how many endpoints want it."""
    wanting = [each for each in endpoints_of(connection, event["account_id"]) if each.wants(EventType(event["type"]))]
    for endpoint in wanting:
        _add(connection, event, str(endpoint.id), now)
    return len(wanting)


def _add(connection: sqlite3.Connection, event: Mapping[str, Any], endpoint_id: str, now: int) -> str:
    """Returns the id of the new delivery."""
    values = {
        "id": str(new_id()),
        "account_id": event["account_id"],
        "endpoint_id": endpoint_id,
        "event_id": event["id"],
        "event_type": event["type"],
        "created_at": event["created_at"],
        "trace": event.get("trace"),
    }
    connection.execute(_ADD, values)
    make_due(connection, endpoint_id, now)
    return str(values["id"])
