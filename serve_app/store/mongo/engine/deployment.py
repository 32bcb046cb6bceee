"""Which deployment a database belongs to."""

from uuid import UUID

from serve_app.domain.ids import new_id
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row

COLLECTION = "deployment"
_THIS = {"_id": "deployment"}


class MongoDeploymentId:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self) -> UUID:
        async def find(collections: Collections) -> Row:
            return await collections[COLLECTION].find_one(_THIS) or {}

        async def make(collections: Collections) -> Row:
            given = {"$setOnInsert": {"id": str(new_id())}}
            await collections[COLLECTION].update_one(_THIS, given, upsert=True)
            return await find(collections)

        found = await self._database.read(find) or await self._database.write(make)
        return UUID(found["id"])
