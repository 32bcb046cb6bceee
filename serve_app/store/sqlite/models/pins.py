"""The pairs of models that accounts stay on."""

from datetime import date
from uuid import UUID

from serve_app.domain.model_pairs import Pin
from serve_app.store.rows.codec import from_micros, to_micros
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3

_PUT = """
    INSERT INTO pins (account_id, pair, last_day, since)
    SELECT id, :pair, :last_day, :since FROM accounts WHERE id = :account
    ON CONFLICT (account_id) DO UPDATE SET
        pair = excluded.pair, last_day = excluded.last_day, since = excluded.since
"""
_OF_ACCOUNT = "SELECT * FROM pins WHERE account_id = ?"
_EVERY = "SELECT * FROM pins ORDER BY since, account_id"
_REMOVE = "DELETE FROM pins WHERE account_id = ?"


class SqlitePins:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, pin: Pin) -> bool:
        values = {
            "account": str(pin.account_id),
            "pair": pin.pair,
            "last_day": pin.last_day.isoformat(),
            "since": to_micros(pin.since),
        }
        return await self._database.write(lambda c: c.execute(_PUT, values).rowcount == 1)

    async def of_account(self, account_id: UUID) -> Pin | None:
        row = await self._database.read(lambda c: c.execute(_OF_ACCOUNT, (str(account_id),)).fetchone())
        return None if row is None else _pin_from(row)

    async def list_all(self) -> list[Pin]:
        return [_pin_from(row) for row in await self._database.read(lambda c: c.execute(_EVERY).fetchall())]

    async def remove(self, account_id: UUID) -> bool:
        return await self._database.write(lambda c: c.execute(_REMOVE, (str(account_id),)).rowcount == 1)


def _pin_from(row: sqlite3.Row) -> Pin:
    since = from_micros(row["since"])
    return Pin(UUID(row["account_id"]), row["pair"], date.fromisoformat(row["last_day"]), since)
