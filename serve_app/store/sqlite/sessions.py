"""Signed-in browsers."""

from datetime import datetime
from uuid import UUID

from serve_app.domain.session import WebSession
from serve_app.store.codec import to_micros
from serve_app.store.rows import session_from
from serve_app.store.sqlite.connection import Database


class SqliteSessions:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, session: WebSession) -> None:
        times = to_micros(session.created_at), to_micros(session.expires_at)
        values = (session.hash, str(session.account_id), *times)
        await self._database.write(lambda c: c.execute("INSERT INTO sessions VALUES (?, ?, ?, ?)", values))

    async def find(self, hash: str, now: datetime) -> WebSession | None:
        query, values = "SELECT * FROM sessions WHERE hash = ? AND expires_at > ?", (hash, to_micros(now))
        row = await self._database.read(lambda c: c.execute(query, values).fetchone())
        return None if row is None else session_from(row)

    async def remove(self, hash: str) -> None:
        await self._database.write(lambda c: c.execute("DELETE FROM sessions WHERE hash = ?", (hash,)))

    async def remove_of_account(self, account_id: UUID) -> int:
        query = "DELETE FROM sessions WHERE account_id = ?"
        return await self._database.write(lambda c: c.execute(query, (str(account_id),)).rowcount)
