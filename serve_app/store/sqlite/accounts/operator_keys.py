"""The keys of operators."""

from datetime import datetime
from uuid import UUID

from serve_app.domain.operator_key import OperatorKey
from serve_app.store.rows.codec import to_micros
from serve_app.store.rows.operator_keys import operator_key_from, operator_key_row
from serve_app.store.sqlite.engine.connection import Database

_ADD = """
    INSERT INTO operator_keys (id, name, prefix, scope, hash, created_at, revoked_at)
    VALUES (:id, :name, :prefix, :scope, :hash, :created_at, :revoked_at)
"""
_FIND = "SELECT * FROM operator_keys WHERE hash = ? AND revoked_at IS NULL"
_REVOKE = "UPDATE operator_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL"


class SqliteOperatorKeys:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, key: OperatorKey) -> None:
        row = operator_key_row(key)
        await self._database.write(lambda c: c.execute(_ADD, row))

    async def find(self, key_hash: str) -> OperatorKey | None:
        row = await self._database.read(lambda c: c.execute(_FIND, (key_hash,)).fetchone())
        return None if row is None else operator_key_from(row)

    async def list_all(self) -> list[OperatorKey]:
        query = "SELECT * FROM operator_keys ORDER BY id DESC"
        return [operator_key_from(row) for row in await self._database.read(lambda c: c.execute(query).fetchall())]

    async def revoke(self, key_id: UUID, now: datetime) -> bool:
        values = (to_micros(now), str(key_id))
        return await self._database.write(lambda c: c.execute(_REVOKE, values).rowcount == 1)
