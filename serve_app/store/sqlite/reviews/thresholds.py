"""Thresholds of `high` that rose for an account."""

from collections.abc import Mapping
from uuid import UUID

from serve_app.domain.invoice import Field
from serve_app.domain.quality import Threshold
from serve_app.store.rows.codec import from_micros, to_micros
from serve_app.store.sqlite.engine.connection import Database

_OF_ACCOUNT = "SELECT field, step, since FROM thresholds WHERE account_id = ?"
_RISE = """
    INSERT INTO thresholds (account_id, field, step, since)
    SELECT :account, :field, :step, :since WHERE EXISTS (SELECT 1 FROM accounts WHERE id = :account)
    ON CONFLICT DO UPDATE SET step = excluded.step, since = excluded.since WHERE excluded.step > step
"""
_RESET = "DELETE FROM thresholds WHERE account_id = ? AND field = ?"


class SqliteThresholds:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_account(self, account_id: UUID) -> Mapping[Field, Threshold]:
        rows = await self._database.read(lambda c: c.execute(_OF_ACCOUNT, (str(account_id),)).fetchall())
        return {Field(row["field"]): Threshold(row["step"], from_micros(row["since"])) for row in rows}

    async def rise(self, account_id: UUID, field: Field, threshold: Threshold) -> bool:
        values = {"account": str(account_id), "field": str(field), "step": threshold.step}
        values["since"] = to_micros(threshold.since)
        return await self._database.write(lambda c: c.execute(_RISE, values).rowcount == 1)

    async def reset(self, account_id: UUID, field: Field) -> bool:
        values = (str(account_id), str(field))
        return await self._database.write(lambda c: c.execute(_RESET, values).rowcount == 1)
