"""Deletions that can still be undone."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from serve_app.domain.deletion import PlannedDeletion
from serve_app.store.rows.codec import to_micros
from serve_app.store.rows.deletions import fields_of, plan_from
from serve_app.store.sqlite.engine.connection import Database

# No plan may outlive its account.
_ADD = """
    INSERT INTO deletions (id, account_id, invoices, actor, due_at, is_begun)
    SELECT :id, :account_id, :invoices, :actor, :due_at, :is_begun
    WHERE EXISTS (SELECT 1 FROM accounts WHERE id = :account_id)
"""
_OPEN = "SELECT * FROM deletions WHERE account_id = ? ORDER BY id DESC"
_UNDO = "DELETE FROM deletions WHERE id = ? AND account_id = ? AND is_begun = 0"
_BEGIN = "UPDATE deletions SET is_begun = 1 WHERE id = ?"
_END = "DELETE FROM deletions WHERE id = ?"
_DUE = "SELECT * FROM deletions WHERE due_at < ? ORDER BY due_at LIMIT ?"


class SqliteDeletions:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, plan: PlannedDeletion) -> None:
        values = {"id": str(plan.id), **fields_of(plan)}
        await self._database.write(lambda c: c.execute(_ADD, values).rowcount)

    async def open(self, account_id: UUID) -> Sequence[PlannedDeletion]:
        rows = await self._database.read(lambda c: c.execute(_OPEN, (str(account_id),)).fetchall())
        return [plan_from(row) for row in rows]

    async def undo(self, account_id: UUID, plan_id: UUID) -> bool:
        values = (str(plan_id), str(account_id))
        return await self._database.write(lambda c: c.execute(_UNDO, values).rowcount == 1)

    async def begin(self, plan_id: UUID) -> bool:
        return await self._database.write(lambda c: c.execute(_BEGIN, (str(plan_id),)).rowcount == 1)

    async def end(self, plan_id: UUID) -> None:
        await self._database.write(lambda c: c.execute(_END, (str(plan_id),)).rowcount)

    async def due(self, before: datetime, limit: int) -> Sequence[PlannedDeletion]:
        values = (to_micros(before), limit)
        rows = await self._database.read(lambda c: c.execute(_DUE, values).fetchall())
        return [plan_from(row) for row in rows]
