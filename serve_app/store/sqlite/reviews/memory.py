"""What confirmed invoices write_example about their vendors."""

import json
from collections.abc import Collection
from uuid import UUID

from serve_app.domain.memory import Keys, StoredExample, VendorExample
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3

_SET = "UPDATE invoices SET lesson = ? WHERE id = ?"
_ADD_KEY = "INSERT INTO lesson_keys (account_id, key, invoice_id) VALUES (?, ?, ?)"
_END_KEYS = "DELETE FROM lesson_keys WHERE invoice_id = ?"
_EXAMPLES = """
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

    async def examples(self, account_id: UUID, keys: Keys, limit: int) -> list[StoredExample]:
        values = {"account": str(account_id), "keys": json.dumps(keys), "limit": limit}
        rows = await self._database.read(lambda c: c.execute(_EXAMPLES, values).fetchall())
        return [
            StoredExample(UUID(row["id"]), VendorExample.decoded(row["lesson"]))
            for row in rows
            if row["lesson"] is not None
        ]

    async def forget(self, account_id: UUID, invoice_ids: Collection[UUID]) -> int:
        values = {"account": str(account_id), "ids": json.dumps([str(id) for id in invoice_ids])}

        def forget(connection: sqlite3.Connection) -> int:
            rows = connection.execute(_OF_ACCOUNT, values).fetchall()
            for row in rows:
                write_example(connection, row, None)
            return len(rows)

        return await self._database.write(forget)


def write_example(connection: sqlite3.Connection, row: sqlite3.Row, example: VendorExample | None) -> None:
    """Part of a write: let the invoice of a row write_example this and nothing else."""
    if example is None and row["lesson"] is None:
        return
    connection.execute(_SET, (None if example is None else example.encoded(), row["id"]))
    connection.execute(_END_KEYS, (row["id"],))
    for key in () if example is None else example.keys:
        connection.execute(_ADD_KEY, (row["account_id"], key, row["id"]))
