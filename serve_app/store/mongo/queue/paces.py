"""How fast dispatchers work."""

from datetime import datetime

from serve_app.domain.pace import Pace
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row, named
from serve_app.store.rows.codec import to_micros
from serve_app.store.rows.paces import costs_of, pace_from


class MongoPaces:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def note(self, pace: Pace) -> None:
        values: Row = {"at": to_micros(pace.at), "costs": costs_of(pace.costs), "speed": pace.speed}

        async def note(collections: Collections) -> None:
            await collections.paces.update_one({"_id": pace.worker}, {"$set": values}, upsert=True)

        await self._database.write(note)

    async def since(self, moment: datetime) -> list[Pace]:
        async def find(collections: Collections) -> list[Row]:
            return await collections.paces.find({"at": {"$gte": to_micros(moment)}}).sort("_id", 1).to_list(None)

        rows = await self._database.read(find)
        return [pace_from(named(row), row["costs"]) for row in rows]
