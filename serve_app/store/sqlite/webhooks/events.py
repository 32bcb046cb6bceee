"""The event log, and the outbox that feeds it."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from serve_app.domain.clock import Clock
from serve_app.domain.event import EventType, LoggedEvent, Spread
from serve_app.domain.ids import first_id_at
from serve_app.domain.query import EventQuery, ListPage, page_of
from serve_app.store.rows.codec import to_micros
from serve_app.store.rows.columns import event_from
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.invoices.filters import event_conditions, newest
from serve_app.store.sqlite.retention.erased_ids import was_erased
from serve_app.store.sqlite.webhooks.deliveries import add_deliveries

_PENDING = "SELECT id, account_id, outbox, trace FROM invoices WHERE outbox != '[]' ORDER BY id LIMIT ?"
_LOG = """
    INSERT INTO events (id, account_id, invoice_id, type, created_at, payload)
    VALUES (:id, :account_id, :invoice_id, :type, :created_at, :payload)
    ON CONFLICT DO NOTHING
"""
_CLEAR = "UPDATE invoices SET outbox = '[]' WHERE id = ?"
_OF_INVOICE = "SELECT * FROM events WHERE invoice_id = ? AND account_id = ? AND NOT is_test ORDER BY id DESC LIMIT ?"
_GET = "SELECT * FROM events WHERE id = ? AND account_id = ? AND NOT is_test"

# The ids of events are in the order of time.
_FAILURES = """
    SELECT code, count(*) AS failures FROM (
        SELECT payload ->> '$.data.invoice.failure.code' AS code FROM events
        WHERE id >= :first AND created_at >= :since AND type = :type AND NOT is_test ORDER BY id DESC LIMIT :limit
    ) GROUP BY code
"""


class SqliteOutbox:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def spread_pending(self, limit: int) -> Spread:
        # Called often and mostly with nothing to do, and a write costs a disk sync: look before writing.
        if not await self._database.read(lambda c: c.execute(_PENDING, (1,)).fetchall()):
            return Spread(0, 0)
        return await self._database.write(lambda c: _spread(c, limit, to_micros(self._clock())))


class SqliteEvents:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, account_id: UUID, event_id: str) -> LoggedEvent | None:
        row = await self._database.read(lambda c: c.execute(_GET, (event_id, str(account_id))).fetchone())
        return None if row is None else event_from(row)

    async def of_invoice(self, account_id: UUID, invoice_id: UUID, limit: int) -> list[LoggedEvent]:
        values = (str(invoice_id), str(account_id), limit)
        rows = await self._database.read(lambda c: c.execute(_OF_INVOICE, values).fetchall())
        return [event_from(row) for row in rows]

    async def is_or_was(self, account_id: UUID, event_id: str) -> bool:
        def known(connection: sqlite3.Connection) -> bool:
            found = connection.execute(_GET, (event_id, str(account_id))).fetchone() is not None
            return found or was_erased(connection, account_id, event_id)

        return await self._database.read(known)

    async def failures(self, since: datetime, limit: int) -> Mapping[str, int]:
        first = f"evt_{first_id_at(since)}"
        values = {"first": first, "since": to_micros(since), "type": EventType.FAILED, "limit": limit}
        rows = await self._database.rows(_FAILURES, values, is_search=True)
        return {row["code"]: row["failures"] for row in rows}

    async def page(
        self, account_id: UUID, query: EventQuery, limit: int, after: str | None = None
    ) -> ListPage[LoggedEvent]:
        conditions, values = event_conditions(query)
        if after is not None:
            conditions.append("id < :after")
        values |= {"account": str(account_id), "limit": limit + 1, "after": after}
        rows = await self._database.rows(newest("events", conditions), values, is_search=query != EventQuery())
        return page_of([event_from(row) for row in rows], limit)


def _spread(connection: sqlite3.Connection, limit: int, now: int) -> Spread:
    deliveries = 0
    rows = connection.execute(_PENDING, (limit,)).fetchall()
    for row in rows:
        for entry in json.loads(row["outbox"]):
            deliveries += _log(connection, entry, row, now)
        connection.execute(_CLEAR, (row["id"],))
    return Spread(len(rows), deliveries)


def log_event(connection: sqlite3.Connection, event: LoggedEvent, row: sqlite3.Row) -> None:
    """Part of a write: log an event about the row's invoice at once, and create its deliveries."""
    now = to_micros(event.created_at)
    entry = {"id": event.id, "type": event.type, "created_at": now, "payload": event.payload}
    _log(connection, entry, row, now)


def _log(connection: sqlite3.Connection, entry: dict[str, Any], row: sqlite3.Row, now: int) -> int:
    """Returns how many endpoints want the event."""
    event = entry | {"account_id": row["account_id"], "invoice_id": row["id"], "trace": row["trace"]}
    connection.execute(_LOG, event)
    return add_deliveries(connection, event, now)
