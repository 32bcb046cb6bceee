"""The log of calls to the API: a ring of slots for each account."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from serve_app.domain.api_call import RING, ApiCall, ApiCallQuery
from serve_app.domain.query import ListPage, page_of
from serve_app.store.rows.columns import call_fields, call_from, calls_by_account
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3

# Adds nothing for an account that was erased meanwhile.
_COUNT = """
    INSERT INTO call_counts (account_id, calls) SELECT id, :calls FROM accounts WHERE id = :account
    ON CONFLICT (account_id) DO UPDATE SET calls = calls + excluded.calls
    RETURNING calls
"""
_ADD = """
    INSERT OR REPLACE INTO calls
        (account_id, slot, id, request_id, at, method, path, status, code, milliseconds, key_id)
    VALUES
        (:account_id, :slot, :id, :request_id, :at, :method, :path, :status, :code, :milliseconds, :key_id)
"""
_PAGE = """
    SELECT * FROM calls WHERE account_id = :account
        AND (:after IS NULL OR id < :after)
        AND (:status_class IS NULL OR status / 100 = :status_class)
        AND (:key_id IS NULL OR key_id = :key_id)
        AND (:request_id IS NULL OR request_id = :request_id)
    ORDER BY id DESC LIMIT :limit
"""


class SqliteCalls:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, calls: Collection[ApiCall]) -> None:
        await self._database.note(lambda connection: _add_all(connection, calls))

    async def page(
        self, account_id: UUID, query: ApiCallQuery, limit: int, after: UUID | None = None
    ) -> ListPage[ApiCall]:
        values: dict[str, Any] = {
            "account": str(account_id),
            "after": after and str(after),
            "status_class": query.status_class,
            "key_id": query.key_id and str(query.key_id),
            "request_id": query.request_id,
            "limit": limit + 1,
        }
        rows = await self._database.rows(_PAGE, values, is_search=True)
        return page_of([call_from(row) for row in rows], limit)


def _add_all(connection: sqlite3.Connection, calls: Collection[ApiCall]) -> None:
    for account_id, own in calls_by_account(calls).items():
        counted = connection.execute(_COUNT, {"account": str(account_id), "calls": len(own)}).fetchall()
        if counted:
            first = counted[0]["calls"] - len(own)
            rows = (call_fields(call) | {"slot": (first + number) % RING} for number, call in enumerate(own, 1))
            connection.executemany(_ADD, rows)
