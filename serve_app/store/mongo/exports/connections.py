"""Connections to the APIs of other programs. Their ids begin with the account's."""

from uuid import UUID

from serve_app.domain.ledger_connection import Ledger, LedgerConnection
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.rows.ledger_connections import connection_from, connection_row


class MongoLedgerConnections:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def set(self, connection: LedgerConnection) -> bool:
        row = connection_row(connection)

        async def put(collections: Collections) -> bool:
            # No connection may outlive its account.
            if await collections.accounts.find_one({"_id": row["account_id"]}, {"_id": 1}) is None:
                return False
            this = _this(connection.account_id, connection.ledger)
            await collections.ledger_connections.replace_one(this, row, upsert=True)
            return True

        return await self._database.write(put)

    async def get(self, account_id: UUID, ledger: Ledger) -> LedgerConnection | None:
        this = _this(account_id, ledger)
        row = await self._database.read(lambda collections: collections.ledger_connections.find_one(this))
        return None if row is None else connection_from(row)

    async def remove(self, account_id: UUID, ledger: Ledger) -> bool:
        async def remove(collections: Collections) -> bool:
            return (await collections.ledger_connections.delete_one(_this(account_id, ledger))).deleted_count == 1

        return await self._database.write(remove)

    async def replace_secret(self, known: LedgerConnection, sealed: str) -> bool:
        this = _this(known.account_id, known.ledger) | {"sealed": known.sealed}

        async def replace(collections: Collections) -> bool:
            return (
                await collections.ledger_connections.update_one(this, {"$set": {"sealed": sealed}})
            ).matched_count == 1

        return await self._database.write(replace)

    async def list_all(self) -> list[LedgerConnection]:
        async def find(collections: Collections) -> list[Row]:
            return await collections.ledger_connections.find({"_id": {"$gt": ""}}).to_list(None)

        return [connection_from(row) for row in await self._database.read(find)]


def _this(account_id: UUID, ledger: Ledger) -> Row:
    return {"_id": f"{account_id}/{ledger}"}
