"""Which deployment a database belongs to."""

from uuid import UUID

from pymongo import ReturnDocument

from serve_app.domain.ids import new_id
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections

COLLECTION = "deployment"
_THIS = {"_id": "deployment"}


class MongoDeploymentId:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self) -> UUID:
        async def make(collections: Collections) -> str:
            given = {"$setOnInsert": {"id": str(new_id())}}
            row = await collections[COLLECTION].find_one_and_update(
                _THIS, given, upsert=True, return_document=ReturnDocument.AFTER
            )
            return str(row["id"])

        found = await self._database.read(lambda collections: collections[COLLECTION].find_one(_THIS))
        return UUID(found["id"] if found else await self._database.write(make))
