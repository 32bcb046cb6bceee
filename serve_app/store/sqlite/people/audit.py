"""Who did what."""

from uuid import UUID

from serve_app.domain.audit import AuditEntry
from serve_app.domain.query import ListPage, page_of
from serve_app.store.rows.people import audit_from, audit_row
from serve_app.store.sqlite.engine.connection import Database

_ADD = """
    INSERT INTO audit (id, account_id, at, actor_kind, actor_id, actor_name, action, target, details)
    VALUES (:id, :account_id, :at, :actor_kind, :actor_id, :actor_name, :action, :target, :details)
"""
_PAGE = """
    SELECT * FROM audit WHERE account_id IS :account AND (:after IS NULL OR id < :after) ORDER BY id DESC LIMIT :limit
"""
_OF_TARGET = "SELECT * FROM audit WHERE account_id = ? AND target = ? ORDER BY id DESC LIMIT ?"


class SqliteAuditLog:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, entry: AuditEntry) -> None:
        row = audit_row(entry)
        await self._database.write(lambda c: c.execute(_ADD, row))

    async def page(self, account_id: UUID | None, limit: int, after: UUID | None = None) -> ListPage[AuditEntry]:
        values = {"account": account_id and str(account_id), "after": after and str(after), "limit": limit + 1}
        rows = await self._database.read(lambda c: c.execute(_PAGE, values).fetchall())
        return page_of([audit_from(row) for row in rows], limit)

    async def of_target(self, account_id: UUID, target: str, limit: int) -> list[AuditEntry]:
        values = (str(account_id), target, limit)
        rows = await self._database.read(lambda c: c.execute(_OF_TARGET, values).fetchall())
        return [audit_from(row) for row in rows]
