"""What confirmed invoices teach about their vendors."""

import json
from collections.abc import Collection
from uuid import UUID

from serve_app.domain.memory import Keys, Lesson, Taught
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3

_SET = "UPDATE invoices SET lesson = ? WHERE id = ?"
_ADD_KEY = "INSERT INTO lesson_keys (account_id, key, invoice_id) VALUES (?, ?, ?)"
_END_KEYS = "DELETE FROM lesson_keys WHERE invoice_id = ?"
_LESSONS = """
    SELECT id, lesson FROM invoices WHERE id IN (
        SELECT invoice_id FROM lesson_keys
        WHERE account_id = :account AND key IN (SELECT value FROM json_each(:keys))
    ) ORDER BY reviewed_at DESC, id DESC LIMIT :limit
"""
_OF_ACCOUNT = """
    SELECT id, account_id, lesson FROM invoices
    WHERE account_id = :account AND id IN (SELECT value FROM json_each(:ids)) AND lesson IS NOT NULL
"""


class SqliteMemory:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def lessons(self, account_id: UUID, keys: Keys, limit: int) -> list[Taught]:
        values = {"account": str(account_id), "keys": json.dumps(keys), "limit": limit}
        rows = await self._database.read(lambda c: c.execute(_LESSONS, values).fetchall())
        return [Taught(UUID(row["id"]), Lesson.decoded(row["lesson"])) for row in rows if row["lesson"] is not None]

    async def forget(self, account_id: UUID, invoice_ids: Collection[UUID]) -> int:
        values = {"account": str(account_id), "ids": json.dumps([str(id) for id in invoice_ids])}

        def forget(connection: sqlite3.Connection) -> int:
            rows = connection.execute(_OF_ACCOUNT, values).fetchall()
            for row in rows:
                teach(connection, row, None)
            return len(rows)

        return await self._database.write(forget)


def teach(connection: sqlite3.Connection, row: sqlite3.Row, lesson: Lesson | None) -> None:
    """Part of a write: let the invoice of a row teach this and nothing else."""
    if lesson is None and row["lesson"] is None:
        return
    connection.execute(_SET, (None if lesson is None else lesson.encoded(), row["id"]))
    connection.execute(_END_KEYS, (row["id"],))
    for key in () if lesson is None else lesson.keys:
        connection.execute(_ADD_KEY, (row["account_id"], key, row["id"]))
