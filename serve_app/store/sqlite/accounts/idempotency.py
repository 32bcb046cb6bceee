"""The keys of requests that must not be done twice."""

from typing import Any

from serve_app.domain.idempotency import IdempotencyRecord, StoredAnswer
from serve_app.store.rows.codec import to_micros
from serve_app.store.rows.columns import idempotency_record_from
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3

_GET = "SELECT * FROM idempotency WHERE account_id = ? AND key = ?"
_PUT = """
    INSERT OR REPLACE INTO idempotency (account_id, key, invoice_id, holder, created_at, held_since, fingerprint)
    VALUES (:account_id, :key, :invoice_id, :holder, :created_at, :held_since, :fingerprint)
"""
_ANSWER = """
    UPDATE idempotency SET status = ?, body = ? WHERE account_id = ? AND key = ? AND holder = ? AND status IS NULL
"""
_RELEASE = "DELETE FROM idempotency WHERE account_id = ? AND key = ? AND holder = ? AND status IS NULL"


class SqliteIdempotency:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def hold(self, record: IdempotencyRecord) -> IdempotencyRecord:
        def hold(connection: sqlite3.Connection) -> IdempotencyRecord:
            row = connection.execute(_GET, (str(record.account_id), record.key)).fetchone()
            present = None if row is None else idempotency_record_from(row)
            held = record if present is None else present.taken_over_by(record)
            if held is None:
                return present or record
            connection.execute(_PUT, _values_of(held))
            return held

        return await self._database.write(hold)

    async def answer(self, record: IdempotencyRecord, answer: StoredAnswer) -> bool:
        values = (answer.status, answer.body, str(record.account_id), record.key, str(record.holder))
        return await self._database.write(lambda c: c.execute(_ANSWER, values).rowcount == 1)

    async def release(self, record: IdempotencyRecord) -> bool:
        values = (str(record.account_id), record.key, str(record.holder))
        return await self._database.write(lambda c: c.execute(_RELEASE, values).rowcount == 1)


def _values_of(record: IdempotencyRecord) -> dict[str, Any]:
    return {
        "account_id": str(record.account_id),
        "key": record.key,
        "invoice_id": str(record.invoice_id),
        "holder": str(record.holder),
        "created_at": to_micros(record.created_at),
        "held_since": to_micros(record.held_since),
        "fingerprint": record.fingerprint,
    }
