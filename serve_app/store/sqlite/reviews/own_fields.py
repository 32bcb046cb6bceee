"""Fields that accounts add, and what people said about them."""

from uuid import UUID

from serve_app.domain.own_field import OwnField
from serve_app.domain.own_field_example import OwnFieldExample
from serve_app.store.base.charts import ExamplesState
from serve_app.store.rows.codec import optional_moment
from serve_app.store.rows.own_fields import own_field_from, own_field_text
from serve_app.store.sqlite.engine.connection import Database

_OF_ACCOUNT = "SELECT document FROM own_fields WHERE account_id = ? ORDER BY name"
_PUT = """
    INSERT INTO own_fields (account_id, name, document)
    SELECT id, :name, :document FROM accounts WHERE id = :account
    ON CONFLICT (account_id, name) DO UPDATE SET document = excluded.document
"""
_REMOVE = "DELETE FROM own_fields WHERE account_id = ? AND name = ?"
_NEWEST = """
    SELECT own_field_example FROM invoices INDEXED BY invoices_with_own_fields
    WHERE account_id = :account AND own_fields_at IS NOT NULL ORDER BY own_fields_at DESC, id DESC LIMIT :limit
"""
_STATE = """
    SELECT count(*) AS number, max(own_fields_at) AS at FROM invoices INDEXED BY invoices_with_own_fields
    WHERE account_id = ? AND own_fields_at IS NOT NULL
"""


class SqliteOwnFields:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_account(self, account_id: UUID) -> list[OwnField]:
        rows = await self._database.read(lambda c: c.execute(_OF_ACCOUNT, (str(account_id),)).fetchall())
        return [own_field_from(row["document"]) for row in rows]

    async def put(self, account_id: UUID, field: OwnField) -> bool:
        values = {"account": str(account_id), "name": field.name, "document": own_field_text(field)}
        return await self._database.write(lambda c: c.execute(_PUT, values).rowcount == 1)

    async def remove(self, account_id: UUID, name: str) -> bool:
        values = (str(account_id), name)
        return await self._database.write(lambda c: c.execute(_REMOVE, values).rowcount == 1)


class SqliteOwnFieldExamples:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def newest(self, account_id: UUID, limit: int) -> list[OwnFieldExample]:
        values = {"account": str(account_id), "limit": limit}
        rows = await self._database.read(lambda c: c.execute(_NEWEST, values).fetchall())
        return [OwnFieldExample.decoded(row["own_field_example"]) for row in rows]

    async def state(self, account_id: UUID) -> ExamplesState:
        row = await self._database.read(lambda c: c.execute(_STATE, (str(account_id),)).fetchone())
        return ExamplesState(row["number"], optional_moment(row["at"]))
