"""Connections to the APIs of other programs."""

from uuid import UUID

from serve_app.domain.ledger_connection import Ledger, LedgerConnection
from serve_app.store.rows.ledger_connections import connection_from, connection_row
from serve_app.store.sqlite.engine.connection import Database

_SET = """
    INSERT INTO ledger_connections
    SELECT id, :ledger, :settings, :sealed, :changed_at FROM accounts WHERE id = :account_id
    ON CONFLICT DO UPDATE SET settings = :settings, sealed = :sealed, changed_at = :changed_at
"""
_THIS = "WHERE account_id = ? AND ledger = ?"
_GET = f"SELECT * FROM ledger_connections {_THIS}"  # noqa: S608 - a constant
_REMOVE = f"DELETE FROM ledger_connections {_THIS}"  # noqa: S608
_REPLACE = f"UPDATE ledger_connections SET sealed = ? {_THIS} AND sealed = ?"  # noqa: S608
_ALL = "SELECT * FROM ledger_connections ORDER BY account_id, ledger"


class SqliteLedgerConnections:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def set(self, connection: LedgerConnection) -> bool:
        values = connection_row(connection)
        return await self._database.write(lambda c: c.execute(_SET, values).rowcount == 1)

    async def get(self, account_id: UUID, ledger: Ledger) -> LedgerConnection | None:
        this = str(account_id), str(ledger)
        row = await self._database.read(lambda c: c.execute(_GET, this).fetchone())
        return None if row is None else connection_from(row)

    async def remove(self, account_id: UUID, ledger: Ledger) -> bool:
        this = str(account_id), str(ledger)
        return await self._database.write(lambda c: c.execute(_REMOVE, this).rowcount == 1)

    async def replace_secret(self, known: LedgerConnection, sealed: str) -> bool:
        values = sealed, str(known.account_id), str(known.ledger), known.sealed
        return await self._database.write(lambda c: c.execute(_REPLACE, values).rowcount == 1)

    async def list_all(self) -> list[LedgerConnection]:
        return [connection_from(row) for row in await self._database.read(lambda c: c.execute(_ALL).fetchall())]
