"""Private mail addresses."""

from uuid import UUID

from pymongo import DESCENDING

from serve_app.domain.mail_address import MailAddress
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row, named
from serve_app.store.rows.mails import address_from, address_row


class MongoMailAddresses:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, address: MailAddress) -> None:
        row = address_row(address)
        row["_id"] = row.pop("id")
        await self._database.write(lambda collections: collections.mail_addresses.insert_one(row))

    async def find(self, local: str) -> MailAddress | None:
        return await self._one({"local": local})

    async def get(self, account_id: UUID, address_id: UUID) -> MailAddress | None:
        return await self._one({"_id": str(address_id), "account_id": str(account_id)})

    async def of_account(self, account_id: UUID) -> list[MailAddress]:
        query = {"account_id": str(account_id)}

        async def find(collections: Collections) -> list[Row]:
            return await collections.mail_addresses.find(query).sort("_id", DESCENDING).to_list(None)

        return [_address_from(row) for row in await self._database.read(find)]

    async def save(self, address: MailAddress) -> bool:
        row = address_row(address)
        as_read = {"_id": row["id"], "account_id": row["account_id"], "revision": row["revision"]}
        change = {"$set": {name: row[name] for name in ("ends_at", "document")}, "$inc": {"revision": 1}}
        saved = await self._database.write(lambda collections: collections.mail_addresses.update_one(as_read, change))
        return bool(saved.matched_count)

    async def _one(self, query: Row) -> MailAddress | None:
        row = await self._database.read(lambda collections: collections.mail_addresses.find_one(query))
        return None if row is None else _address_from(row)


def _address_from(row: Row) -> MailAddress:
    return address_from(named(row), row["document"])
