"""Lists of invoices that people want to come back to."""

from contextlib import suppress
from uuid import UUID

from pymongo import ASCENDING
from pymongo.errors import DuplicateKeyError

from serve_app.domain.saved_view import SavedView
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row


class MongoSavedViews:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, view: SavedView) -> None:
        account, person = str(view.account_id), str(view.person_id)
        this = {"_id": str(view.id), "account_id": account, "person_id": person}
        member = {"_id": account, "members.person_id": person}

        async def put(collections: Collections) -> None:
            if await collections.accounts.find_one(member, {"_id": 1}) is None:
                return
            # The id may be another person's.
            with suppress(DuplicateKeyError):
                change = {"$set": {"name": view.name, "state": view.state}}
                await collections.saved_views.update_one(this, change, upsert=True)

        await self._database.write(put)

    async def remove(self, account_id: UUID, person_id: UUID, view_id: UUID) -> bool:
        this = {"_id": str(view_id), "account_id": str(account_id), "person_id": str(person_id)}

        async def remove(collections: Collections) -> bool:
            return (await collections.saved_views.delete_one(this)).deleted_count == 1

        return await self._database.write(remove)

    async def of_person(self, account_id: UUID, person_id: UUID) -> list[SavedView]:
        these = {"account_id": str(account_id), "person_id": str(person_id)}

        async def find(collections: Collections) -> list[Row]:
            return await collections.saved_views.find(these).sort([("_id", ASCENDING)]).to_list(None)

        return [_view_from(row) for row in await self._database.read(find)]


def _view_from(row: Row) -> SavedView:
    return SavedView(
        id=UUID(row["_id"]),
        account_id=UUID(row["account_id"]),
        person_id=UUID(row["person_id"]),
        name=row["name"],
        state=row["state"],
    )
