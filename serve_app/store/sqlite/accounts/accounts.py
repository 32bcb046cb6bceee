"""Accounts and their keys."""

import json
from collections.abc import Collection
from datetime import date, datetime
from uuid import UUID

from serve_app.domain.account import Account, AccountLimits, ApiKey, Caller, Plan
from serve_app.domain.query import ListPage, page_of
from serve_app.domain.target_precision import TargetPrecision
from serve_app.store.rows.codec import optional_micros, to_micros
from serve_app.store.rows.columns import account_from, account_row, key_from, limits_text
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3

_CALLER = """
    SELECT api_keys.*, accounts.plan, accounts.email, accounts.target_precision, accounts.limits,
        accounts.suspended_at, accounts.created_at AS owner_since, plans.limits AS plan_limits
    FROM api_keys JOIN accounts ON accounts.id = api_keys.account_id LEFT JOIN plans ON plans.name = accounts.plan
    WHERE api_keys.hash = ? AND (api_keys.revoked_at IS NULL OR api_keys.revoked_at > ?)
"""
_ADD = """
    INSERT INTO accounts (id, plan, created_at, email, target_precision, limits, suspended_at)
    VALUES (:id, :plan, :created_at, :email, :target_precision, :limits, :suspended_at)
"""
_ADD_KEY = """
    INSERT INTO api_keys (id, account_id, name, prefix, scope, hash, created_at, revoked_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
"""
_REVOKE = """
    UPDATE api_keys SET revoked_at = :now
    WHERE account_id = :account AND id = :key AND (revoked_at IS NULL OR revoked_at > :now)
"""
_END = "UPDATE api_keys SET revoked_at = ? WHERE account_id = ? AND id = ? AND revoked_at IS NULL"
_NOTE_USE = """
    UPDATE api_keys SET last_used_on = :day
    WHERE id IN (SELECT value FROM json_each(:keys)) AND ifnull(last_used_on, '') < :day
"""
_ACCOUNT = """
    SELECT accounts.*, plans.limits AS plan_limits
    FROM accounts LEFT JOIN plans ON plans.name = accounts.plan WHERE accounts.id = ?
"""
# The version of the id says that it is a sandbox.
_ALL = """
    SELECT accounts.*, plans.limits AS plan_limits FROM accounts LEFT JOIN plans ON plans.name = accounts.plan
    WHERE (:after IS NULL OR id < :after) AND substr(id, 15, 1) != '8'
    ORDER BY id DESC LIMIT :limit
"""


class SqliteAccounts:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, account: Account) -> None:
        values = account_row(account)
        await self._database.write(lambda c: c.execute(_ADD, values))

    async def ensure(self, account: Account) -> None:
        values = account_row(account)
        await self._database.write(lambda c: c.execute(f"{_ADD} ON CONFLICT (id) DO NOTHING", values))

    async def get(self, account_id: UUID) -> Account | None:
        return await self._database.read(lambda c: find_account(c, str(account_id)))

    async def page(self, limit: int, after: UUID | None = None) -> ListPage[Account]:
        values = {"after": after and str(after), "limit": limit + 1}
        rows = await self._database.read(lambda c: c.execute(_ALL, values).fetchall())
        return page_of([account_from(row) for row in rows], limit)

    async def set_plan(self, account_id: UUID, plan: Plan) -> bool:
        query, values = "UPDATE accounts SET plan = ? WHERE id = ?", (plan.name, str(account_id))
        return await self._database.write(lambda c: c.execute(query, values).rowcount == 1)

    async def set_email(self, account_id: UUID, email: str | None) -> bool:
        query, values = "UPDATE accounts SET email = ? WHERE id = ?", (email, str(account_id))
        return await self._database.write(lambda c: c.execute(query, values).rowcount == 1)

    async def set_limits(self, account_id: UUID, limits: AccountLimits) -> bool:
        query, values = "UPDATE accounts SET limits = ? WHERE id = ?", (limits_text(limits), str(account_id))
        return await self._database.write(lambda c: c.execute(query, values).rowcount == 1)

    async def set_suspended(self, account_id: UUID, since: datetime | None) -> bool:
        query, values = "UPDATE accounts SET suspended_at = ? WHERE id = ?", (optional_micros(since), str(account_id))
        return await self._database.write(lambda c: c.execute(query, values).rowcount == 1)

    async def set_target_precision(self, account_id: UUID, target: TargetPrecision | None) -> bool:
        query, values = "UPDATE accounts SET target_precision = ? WHERE id = ?", (target, str(account_id))
        return await self._database.write(lambda c: c.execute(query, values).rowcount == 1)


def find_account(connection: sqlite3.Connection, account_id: str) -> Account | None:
    """Part of a read or write: the account with its plan."""
    row = connection.execute(_ACCOUNT, (account_id,)).fetchone()
    return None if row is None else account_from(row)


class SqliteKeys:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, key: ApiKey) -> None:
        await self._database.write(lambda c: c.execute(_ADD_KEY, _values_of(key)))

    async def find_caller(self, key_hash: str, now: datetime) -> Caller | None:
        values = (key_hash, to_micros(now))
        row = await self._database.read(lambda c: c.execute(_CALLER, values).fetchone())
        if row is None:
            return None
        owner = {"id": row["account_id"], "created_at": row["owner_since"]}
        return Caller(account_from(dict(row) | owner), key_from(row))

    async def of_account(self, account_id: UUID) -> list[ApiKey]:
        query = "SELECT * FROM api_keys WHERE account_id = ? ORDER BY id DESC"
        rows = await self._database.read(lambda c: c.execute(query, (str(account_id),)).fetchall())
        return [key_from(row) for row in rows]

    async def revoke(self, account_id: UUID, key_id: UUID, now: datetime) -> bool:
        values = {"now": to_micros(now), "account": str(account_id), "key": str(key_id)}
        return await self._database.write(lambda c: c.execute(_REVOKE, values).rowcount == 1)

    async def replace(self, key_id: UUID, new: ApiKey, end: datetime) -> bool:
        values = (to_micros(end), str(new.account_id), str(key_id))

        def replace(connection: sqlite3.Connection) -> bool:
            if connection.execute(_END, values).rowcount != 1:
                return False
            connection.execute(_ADD_KEY, _values_of(new))
            return True

        return await self._database.write(replace)

    async def note_use(self, key_ids: Collection[UUID], day: date) -> None:
        values = {"day": day.isoformat(), "keys": json.dumps([str(id) for id in key_ids])}
        await self._database.note(lambda c: c.execute(_NOTE_USE, values).rowcount)


def _values_of(key: ApiKey) -> tuple[object, ...]:
    return (
        *(str(key.id), str(key.account_id), key.name, key.prefix, key.scope, key.hash),
        *(to_micros(key.created_at), optional_micros(key.revoked_at)),
    )
