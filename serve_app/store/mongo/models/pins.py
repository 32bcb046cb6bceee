"""The pairs of models that accounts stay on."""

from datetime import date
from uuid import UUID

from serve_app.domain.model_pairs import Pin
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.rows.codec import from_micros, to_micros

_EVERY: Row = {"_id": {"$gt": ""}}


class MongoPins:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, pin: Pin) -> bool:
        this = {"_id": str(pin.account_id)}
        values = {"pair": pin.pair, "last_day": pin.last_day.isoformat(), "since": to_micros(pin.since)}

        async def put(collections: Collections) -> bool:
            # No pin may outlive its account.
            if await collections.accounts.find_one(this, {"_id": 1}) is None:
                return False
            await collections.pins.update_one(this, {"$set": values}, upsert=True)
            return True

        return await self._database.write(put)

    async def of_account(self, account_id: UUID) -> Pin | None:
        row = await self._database.read(lambda collections: collections.pins.find_one({"_id": str(account_id)}))
        return None if row is None else _pin_from(row)

    async def list_all(self) -> list[Pin]:
        # Few: operators and owners make them, one by one.
        rows = await self._database.read(lambda collections: collections.pins.find(_EVERY).to_list(None))
        return sorted(map(_pin_from, rows), key=lambda pin: (pin.since, str(pin.account_id)))

    async def remove(self, account_id: UUID) -> bool:
        async def remove(collections: Collections) -> bool:
            return (await collections.pins.delete_one({"_id": str(account_id)})).deleted_count == 1

        return await self._database.write(remove)


def _pin_from(row: Row) -> Pin:
    return Pin(UUID(row["_id"]), row["pair"], date.fromisoformat(row["last_day"]), from_micros(row["since"]))
