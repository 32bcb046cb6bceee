"""Everybody who can sign in."""

from uuid import UUID

from pymongo import ASCENDING
from pymongo.errors import DuplicateKeyError

from serve_app.domain.person import Identity, Person, address_key
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.errors import defer_on_failure
from serve_app.store.mongo.engine.types import Collections, Row, named
from serve_app.store.rows.people import person_from, person_row


class MongoPeople:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, person: Person) -> bool:
        row = person_row(person)
        row["_id"] = row.pop("id")
        return await self._database.write(lambda collections: _add(collections, row))

    async def get(self, person_id: UUID) -> Person | None:
        return await self._one({"_id": str(person_id)})

    async def find(self, email: str) -> Person | None:
        return await self._one({"email_key": address_key(email)})

    async def of_identity(self, identity: Identity) -> Person | None:
        return await self._one(_held(identity))

    async def bind(self, person_id: UUID, identity: Identity) -> bool:
        async def bind(collections: Collections) -> bool:
            row = await collections.people.find_one({"_id": str(person_id)})
            if row is None:
                return False
            known = row.get("identity")
            if known is not None and known.startswith(f"{identity.issuer} "):
                return {"identity": known} == _held(identity)
            try:
                # No match: another sign-in was faster.
                this = {"_id": row["_id"], "identity": known}
                bound = await collections.people.update_one(this, {"$set": _held(identity)})
            except DuplicateKeyError:
                return False
            return bound.matched_count == 1

        return await self._database.write(bind)

    async def _one(self, query: Row) -> Person | None:
        row = await self._database.read(lambda collections: collections.people.find_one(query))
        return None if row is None else person_from(named(row))

    async def update(self, person_id: UUID, name: str, *, is_operator: bool) -> bool:
        change = {"$set": {"name": name, "is_operator": int(is_operator)}}

        async def update(collections: Collections) -> bool:
            updated = await collections.people.update_one({"_id": str(person_id)}, change)
            if not is_operator:
                with defer_on_failure("erasing a person without accounts"):
                    await erase_unneeded(collections, str(person_id))
            return updated.matched_count == 1

        return await self._database.write(update)

    async def operators(self) -> list[Person]:
        async def find(collections: Collections) -> list[Row]:
            return await collections.people.find({"is_operator": 1}).sort("_id", ASCENDING).to_list(None)

        return [person_from(named(row)) for row in await self._database.read(find)]


async def erase_unneeded(collections: Collections, person_id: str, apart_from: str | None = None) -> tuple[int, int]:
    """Erase a person who belongs to no account apart from one, and is no operator; returns how many people and sessions
    that were. The person goes last, so that the call can be repeated."""
    elsewhere = {"members.person_id": person_id, "_id": {"$ne": apart_from}}
    row = await collections.people.find_one({"_id": person_id, "is_operator": 0})
    if row is None or await collections.accounts.find_one(elsewhere, {"_id": 1}) is not None:
        return 0, 0
    for name in ("sign_in_links", "mail_sign_ins"):
        await collections[name].delete_many({"person_id": person_id})
    sessions = (await collections.sessions.delete_many({"person_id": person_id})).deleted_count
    return (await collections.people.delete_one({"_id": person_id})).deleted_count, sessions


def _held(identity: Identity) -> Row:
    # No URL has a space.
    return {"identity": f"{identity.issuer} {identity.subject}"}


async def _add(collections: Collections, row: Row) -> bool:
    try:
        await collections.people.insert_one(row)
    except DuplicateKeyError:
        return False
    return True
