"""Counters: extractions per month, requests per minute."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from serve_app.domain.errors import QuotaReached
from serve_app.domain.usage import UsageSums
from serve_app.store.rows.codec import from_micros, to_micros
from serve_app.store.rows.columns import usage_from
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3

_USED = "SELECT used FROM quotas WHERE account_id = ? AND month = ?"
_BY_MONTH = "SELECT month, used FROM quotas WHERE account_id = ? AND month >= ?"
_TAKE = """
    INSERT INTO quotas (account_id, month, used) VALUES (?, ?, 1)
    ON CONFLICT (account_id, month) DO UPDATE SET used = used + 1
"""
_USAGE = "SELECT * FROM usage_months WHERE account_id = ? AND month >= ?"
_ADD_USAGE = """
    INSERT INTO usage_months (account_id, month, pages, ocr_pages, cpu_ms, gpu_ms) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (account_id, month) DO UPDATE SET
        pages = pages + excluded.pages, ocr_pages = ocr_pages + excluded.ocr_pages,
        cpu_ms = cpu_ms + excluded.cpu_ms, gpu_ms = gpu_ms + excluded.gpu_ms
"""
_GIVE_BACK = "UPDATE quotas SET used = used - 1 WHERE account_id = ? AND month = ?"
# A delayed request that belongs to an older window counts in the current one: the count of its own window is gone, and
# it must not bring the old window back.
_COUNT = """
    INSERT INTO rate_windows (key_id, window, requests) VALUES (?, ?, 1)
    ON CONFLICT (key_id) DO UPDATE SET
        requests = CASE WHEN excluded.window > window THEN 1 ELSE requests + 1 END,
        window = max(window, excluded.window)
    RETURNING requests
"""


_REQUESTS = "SELECT requests FROM rate_windows WHERE key_id = ? AND window >= ?"


class SqliteQuotas:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def used(self, account_id: UUID, month: datetime) -> int:
        return await self._database.read(lambda c: _used(c, str(account_id), month))

    async def by_month(self, account_id: UUID, since: datetime) -> Mapping[datetime, int]:
        values = (str(account_id), to_micros(since))
        rows = await self._database.read(lambda c: c.execute(_BY_MONTH, values).fetchall())
        return {from_micros(row["month"]): row["used"] for row in rows}

    async def usage_by_month(self, account_id: UUID, since: datetime) -> Mapping[datetime, UsageSums]:
        values = (str(account_id), to_micros(since))
        rows = await self._database.read(lambda c: c.execute(_USAGE, values).fetchall())
        return {from_micros(row["month"]): usage_from(row) for row in rows}


class SqliteRateWindows:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def count(self, key_id: UUID, window: datetime) -> int:
        values = (str(key_id), to_micros(window))
        return await self._database.note(lambda c: int(c.execute(_COUNT, values).fetchone()[0]))

    async def requests(self, key_id: UUID, window: datetime) -> int:
        values = (str(key_id), to_micros(window))
        row = await self._database.read(lambda c: c.execute(_REQUESTS, values).fetchone())
        return 0 if row is None else int(row["requests"])


def take_unit(connection: sqlite3.Connection, account_id: str, month: datetime, limit: int | None) -> None:
    """Part of a write: take one unit of the month's quota; raises `monthly_quota_reached` at the limit."""
    if limit is not None and _used(connection, account_id, month) >= limit:
        raise QuotaReached(limit)
    connection.execute(_TAKE, (account_id, to_micros(month)))


def add_usage(connection: sqlite3.Connection, account_id: str, month: datetime, usage: UsageSums) -> None:
    """Part of a write: count what a reading took."""
    connection.execute(_ADD_USAGE, (account_id, to_micros(month), *usage))


def give_back_unit(connection: sqlite3.Connection, account_id: str, month: int) -> None:
    """Part of a write: undo `take_unit`; `month` in microseconds, as stored."""
    connection.execute(_GIVE_BACK, (account_id, month))


def _used(connection: sqlite3.Connection, account_id: str, month: datetime) -> int:
    row = connection.execute(_USED, (account_id, to_micros(month))).fetchone()
    return 0 if row is None else int(row[0])
