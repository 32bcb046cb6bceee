"""Fields that accounts add, and what people said about them."""

from uuid import UUID

from pymongo import DESCENDING

from serve_app.domain.own_field import OwnField
from serve_app.domain.own_field_example import OwnFieldExample
from serve_app.store.base.charts import ExamplesState
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.rows.codec import optional_moment
from serve_app.store.rows.own_fields import own_field_from, own_field_text


class MongoOwnFields:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_account(self, account_id: UUID) -> list[OwnField]:
        async def find(collections: Collections) -> list[Row]:
            return await collections.own_fields.find({"account_id": str(account_id)}).sort("_id").to_list(None)

        return [own_field_from(row["document"]) for row in await self._database.read(find)]

    async def put(self, account_id: UUID, field: OwnField) -> bool:
        values: Row = {"account_id": str(account_id), "name": field.name, "document": own_field_text(field)}

        async def put(collections: Collections) -> bool:
            # No field may outlive its account.
            if await collections.accounts.find_one({"_id": str(account_id)}, {"_id": 1}) is None:
                return False
            await collections.own_fields.replace_one({"_id": _id_of(account_id, field.name)}, values, upsert=True)
            return True

        return await self._database.write(put)

    async def remove(self, account_id: UUID, name: str) -> bool:
        async def remove(collections: Collections) -> bool:
            return (await collections.own_fields.delete_one({"_id": _id_of(account_id, name)})).deleted_count == 1

        return await self._database.write(remove)


class MongoOwnFieldExamples:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def newest(self, account_id: UUID, limit: int) -> list[OwnFieldExample]:
        return [OwnFieldExample.decoded(row["own_field_example"]) for row in await self._newest(account_id, limit)]

    async def state(self, account_id: UUID) -> ExamplesState:
        rows = await self._newest(account_id, 1)
        where = _decided(account_id)
        count = await self._database.read(lambda collections: collections.invoices.count_documents(where))
        return ExamplesState(count, optional_moment(rows[0]["own_fields_at"]) if rows else None)

    async def _newest(self, account_id: UUID, limit: int) -> list[Row]:
        async def find(collections: Collections) -> list[Row]:
            found = collections.invoices.find(_decided(account_id), {"own_field_example": 1, "own_fields_at": 1})
            return await found.sort([("own_fields_at", DESCENDING), ("_id", DESCENDING)]).limit(limit).to_list(None)

        return await self._database.read(find)


def _decided(account_id: UUID) -> Row:
    return {"account_id": str(account_id), "own_fields_at": {"$gt": 0}}


def _id_of(account_id: UUID, name: str) -> str:
    return f"{account_id}/{name}"
