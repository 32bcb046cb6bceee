"""Accounts and their keys."""

from datetime import datetime
from uuid import UUID

from serve_app.domain.account import Account, ApiKey, Caller, Plan
from serve_app.domain.query import ListPage, page_of
from serve_app.store.codec import from_micros, optional_micros, to_micros
from serve_app.store.rows import account_from, key_from
from serve_app.store.sqlite.connection import Database

_CALLER = """
    SELECT api_keys.*, accounts.plan, accounts.email, accounts.created_at AS owner_since
    FROM api_keys JOIN accounts ON accounts.id = api_keys.account_id
    WHERE api_keys.hash = ? AND api_keys.revoked_at IS NULL
"""
_ALL = "SELECT * FROM accounts WHERE :after IS NULL OR id < :after ORDER BY id DESC LIMIT :limit"


class SqliteAccounts:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, account: Account) -> None:
        values = (str(account.id), account.plan, to_micros(account.created_at), account.email)
        query = "INSERT INTO accounts (id, plan, created_at, email) VALUES (?, ?, ?, ?)"
        await self._database.write(lambda c: c.execute(query, values))

    async def get(self, account_id: UUID) -> Account | None:
        query = "SELECT * FROM accounts WHERE id = ?"
        row = await self._database.read(lambda c: c.execute(query, (str(account_id),)).fetchone())
        return None if row is None else account_from(row)

    async def page(self, limit: int, after: UUID | None = None) -> ListPage[Account]:
        values = {"after": after and str(after), "limit": limit + 1}
        rows = await self._database.read(lambda c: c.execute(_ALL, values).fetchall())
        return page_of([account_from(row) for row in rows], limit)

    async def set_plan(self, account_id: UUID, plan: Plan) -> bool:
        query, values = "UPDATE accounts SET plan = ? WHERE id = ?", (plan, str(account_id))
        return await self._database.write(lambda c: c.execute(query, values).rowcount == 1)

    async def set_email(self, account_id: UUID, email: str | None) -> bool:
        query, values = "UPDATE accounts SET email = ? WHERE id = ?", (email, str(account_id))
        return await self._database.write(lambda c: c.execute(query, values).rowcount == 1)


class SqliteKeys:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, key: ApiKey) -> None:
        values = (
            *(str(key.id), str(key.account_id), key.name, key.prefix, key.scope, key.hash),
            *(to_micros(key.created_at), optional_micros(key.revoked_at)),
        )
        await self._database.write(lambda c: c.execute("INSERT INTO api_keys VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values))

    async def find_caller(self, key_hash: str) -> Caller | None:
        row = await self._database.read(lambda c: c.execute(_CALLER, (key_hash,)).fetchone())
        if row is None:
            return None
        owner = Account(UUID(row["account_id"]), Plan(row["plan"]), from_micros(row["owner_since"]), row["email"])
        return Caller(owner, key_from(row))

    async def of_account(self, account_id: UUID) -> list[ApiKey]:
        query = "SELECT * FROM api_keys WHERE account_id = ? ORDER BY id DESC"
        rows = await self._database.read(lambda c: c.execute(query, (str(account_id),)).fetchall())
        return [key_from(row) for row in rows]

    async def revoke(self, account_id: UUID, key_id: UUID, now: datetime) -> bool:
        query = "UPDATE api_keys SET revoked_at = ? WHERE account_id = ? AND id = ? AND revoked_at IS NULL"
        values = (to_micros(now), str(account_id), str(key_id))
        return await self._database.write(lambda c: c.execute(query, values).rowcount == 1)
