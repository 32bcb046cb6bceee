"""The event log."""

import json
import sqlite3
from uuid import UUID

from serve_app.domain.event import Event
from serve_app.store.sqlite.codec import to_micros
from serve_app.store.sqlite.connection import Database

_PENDING = "SELECT id, account_id, outbox FROM invoices WHERE outbox != '[]' ORDER BY id LIMIT ?"
_LOG = "INSERT INTO events (id, account_id, type, created_at, payload) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
_CLEAR = "UPDATE invoices SET outbox = '[]' WHERE id = ?"
_NEWEST = "SELECT payload FROM events WHERE account_id = ? ORDER BY id DESC LIMIT ?"


class SqliteEvents:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def spread_pending(self, limit: int) -> int:
        # Asked for often and mostly in vain, and a write costs a sync of the disk: look before writing.
        if not await self._database.read(lambda c: c.execute(_PENDING, (1,)).fetchall()):
            return 0
        return await self._database.write(lambda c: _spread(c, limit))

    async def newest(self, account_id: UUID, limit: int) -> list[Event]:
        rows = await self._database.read(lambda c: c.execute(_NEWEST, (str(account_id), limit)).fetchall())
        return [Event.model_validate_json(row["payload"]) for row in rows]


def _spread(connection: sqlite3.Connection, limit: int) -> int:
    rows = connection.execute(_PENDING, (limit,)).fetchall()
    for row in rows:
        for payload in json.loads(row["outbox"]):
            event = Event.model_validate(payload)
            values = (event.id, row["account_id"], event.type, to_micros(event.created_at), event.model_dump_json())
            connection.execute(_LOG, values)
        connection.execute(_CLEAR, (row["id"],))
    return len(rows)
