"""Who belongs to which account. The members are in the account's own document, so that one step can tell whether an
owner stays."""

from uuid import UUID

from pymongo import ASCENDING

from serve_app.domain.erased import Erased
from serve_app.domain.person import Changed, Member, Membership, Role
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.errors import defer_on_failure
from serve_app.store.mongo.engine.types import Collections, Row, named
from serve_app.store.mongo.people.people import erase_unneeded
from serve_app.store.rows.people import membership_from, membership_row, person_from


class MongoMemberships:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, membership: Membership) -> bool:
        row = membership_row(membership)
        place = {"_id": str(membership.account_id), "members.person_id": {"$ne": row["person_id"]}}
        added = await self._database.write(
            lambda collections: collections.accounts.update_one(place, {"$push": {"members": row}})
        )
        return added.matched_count == 1

    async def set_role(self, account_id: UUID, person_id: UUID, role: Role) -> Changed:
        return await self._database.write(lambda collections: _change(collections, account_id, person_id, role))

    async def remove(self, account_id: UUID, person_id: UUID) -> Changed:
        return await self._database.write(lambda collections: _remove(collections, account_id, person_id))

    async def remove_all(self, account_id: UUID) -> Erased:
        return await self._database.write_at_length(lambda collections: remove_members(collections, str(account_id)))

    async def of_account(self, account_id: UUID) -> list[Member]:
        return await self._database.read(lambda collections: _members(collections, account_id))

    async def of_person(self, person_id: UUID) -> list[Membership]:
        async def find(collections: Collections) -> list[Row]:
            found = collections.accounts.find({"members.person_id": str(person_id)}, {"members": 1})
            return await found.sort("_id", ASCENDING).to_list(None)

        return [
            membership_from({**member, "account_id": row["_id"]})
            for row in await self._database.read(find)
            for member in row["members"]
            if member["person_id"] == str(person_id)
        ]


async def remove_members(collections: Collections, account_id: str) -> Erased:
    """Remove everybody from the account, and erase those whom nothing else keeps: those first, so that an interrupted
    call leaves nobody behind whom a repeated one does not find."""
    this = {"_id": account_id}
    erased = Erased(sessions=(await collections.sessions.delete_many({"account_id": account_id})).deleted_count)
    for member in await members_of(collections, account_id):
        people, sessions = await erase_unneeded(collections, member["person_id"], account_id)
        await collections.accounts.update_one(this, {"$pull": {"members": {"person_id": member["person_id"]}}})
        erased += Erased(people=people, sessions=sessions)
    return erased


async def members_of(collections: Collections, account_id: str) -> list[Row]:
    """The members in the account's document; none if there is no such account."""
    row = await collections.accounts.find_one({"_id": account_id}, {"members": 1}) or {}
    return list(row.get("members", []))


async def _remove(collections: Collections, account_id: UUID, person_id: UUID) -> Changed:
    changed = await _change(collections, account_id, person_id, None)
    if changed is Changed.DONE:
        with defer_on_failure("a person's saved views"):
            await collections.saved_views.delete_many({"account_id": str(account_id), "person_id": str(person_id)})
        with defer_on_failure("erasing a person without accounts"):
            await erase_unneeded(collections, str(person_id), str(account_id))
    return changed


async def _change(collections: Collections, account_id: UUID, person_id: UUID, role: Role | None) -> Changed:
    """Give the member this role, or remove it; tried again if somebody else changed the members meanwhile."""
    while True:
        members = await members_of(collections, str(account_id))
        this = [member for member in members if member["person_id"] == str(person_id)]
        others = [member for member in members if member["person_id"] != str(person_id)]
        if not this:
            return Changed.NO_MEMBER
        is_demoted = this[0]["role"] == Role.OWNER and role is not Role.OWNER
        if is_demoted and not any(member["role"] == Role.OWNER for member in others):
            return Changed.LAST_OWNER
        kept = [] if role is None else [{**this[0], "role": str(role)}]
        query = {"_id": str(account_id), "members": members}
        changed = await collections.accounts.update_one(query, {"$set": {"members": others + kept}})
        if changed.matched_count:
            return Changed.DONE


async def _members(collections: Collections, account_id: UUID) -> list[Member]:
    members = await members_of(collections, str(account_id))
    query = {"_id": {"$in": [member["person_id"] for member in members]}}
    people = {row["_id"]: person_from(named(row)) for row in await collections.people.find(query).to_list(None)}
    found = [membership_from({**member, "account_id": str(account_id)}) for member in members]
    found.sort(key=lambda membership: (membership.since, membership.person_id))
    return [
        Member(people[str(membership.person_id)], membership.role, membership.since)
        for membership in found
        # One may be in the middle of its removal.
        if str(membership.person_id) in people
    ]
