"""What confirmed invoices teach about their vendors: it is kept in their rows."""

from collections.abc import Collection
from uuid import UUID

from pymongo import DESCENDING

from serve_app.domain.memory import Keys, StoredExample, VendorExample
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row


class MongoMemory:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def examples(self, account_id: UUID, keys: Keys, limit: int) -> list[StoredExample]:
        if not keys:
            return []
        where = {"account_id": str(account_id), "lesson_keys": {"$in": list(keys)}}

        async def find(collections: Collections) -> list[Row]:
            found = collections.invoices.find(where, {"lesson": 1})
            return await found.sort([("reviewed_at", DESCENDING), ("_id", DESCENDING)]).limit(limit).to_list(None)

        rows = await self._database.read(find)
        return [
            StoredExample(UUID(row["_id"]), VendorExample.decoded(row["lesson"])) for row in rows if row.get("lesson")
        ]

    async def forget(self, account_id: UUID, invoice_ids: Collection[UUID]) -> int:
        those = {
            "_id": {"$in": [str(id) for id in invoice_ids]},
            "account_id": str(account_id),
            "lesson": {"$ne": None},
        }

        async def forget(collections: Collections) -> int:
            change = {"$set": fields_of_example(None), "$inc": {"revision": 1}}
            return (await collections.invoices.update_many(those, change)).modified_count

        return await self._database.write(forget)


def fields_of_example(example: VendorExample | None) -> Row:
    """The fields of a row that teaches this."""
    if example is None:
        return {"lesson": None, "lesson_keys": None}
    return {"lesson": example.encoded(), "lesson_keys": list(example.keys)}
