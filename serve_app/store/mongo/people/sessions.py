"""Signed-in browsers."""

from datetime import datetime
from uuid import UUID

from pymongo import DESCENDING

from serve_app.domain.person import Role
from serve_app.domain.session import Visit, WebSession
from serve_app.store.mongo.accounts.accounts import account_of, find_account
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row, named
from serve_app.store.mongo.retention.expiry import purge_at
from serve_app.store.rows.codec import to_micros
from serve_app.store.rows.people import person_from, session_from, session_row


class MongoSessions:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, session: WebSession) -> None:
        row = _row_of(session)
        await self._database.write(lambda collections: collections.sessions.insert_one(row))

    async def find(self, hash: str, now: datetime) -> Visit | None:
        query = {"_id": hash, "expires_at": {"$gt": to_micros(now)}}
        return await self._database.read(lambda collections: _find(collections, query))

    async def touch(self, session: WebSession) -> None:
        row = _row_of(session)
        change = {"$set": {name: row[name] for name in ("seen_at", "expires_at", "purge_at")}}
        older = {"_id": session.hash, "seen_at": {"$lt": row["seen_at"]}}
        await self._database.write(lambda collections: collections.sessions.update_one(older, change))

    async def set_account(self, hash: str, account_id: UUID) -> None:
        change = {"$set": {"account_id": str(account_id)}}
        await self._database.write(lambda collections: collections.sessions.update_one({"_id": hash}, change))

    async def of_person(self, person_id: UUID, now: datetime) -> list[WebSession]:
        query = {"person_id": str(person_id), "expires_at": {"$gt": to_micros(now)}}

        async def find(collections: Collections) -> list[Row]:
            found = collections.sessions.find(query)
            return await found.sort([("seen_at", DESCENDING), ("id", DESCENDING)]).to_list(None)

        return [_session_from(row) for row in await self._database.read(find)]

    async def remove(self, person_id: UUID, session_id: UUID) -> bool:
        query = {"person_id": str(person_id), "id": str(session_id)}
        removed = await self._database.write(lambda collections: collections.sessions.delete_one(query))
        return removed.deleted_count == 1

    async def remove_of_person(self, person_id: UUID) -> int:
        query = {"person_id": str(person_id)}
        removed = await self._database.write(lambda collections: collections.sessions.delete_many(query))
        return removed.deleted_count


async def _find(collections: Collections, query: Row) -> Visit | None:
    row = await collections.sessions.find_one(query)
    person = None if row is None else await collections.people.find_one({"_id": row["person_id"]})
    if row is None or person is None:
        return None
    account = await find_account(collections, row["account_id"])
    members = [] if account is None else account.get("members", [])
    roles = [Role(member["role"]) for member in members if member["person_id"] == row["person_id"]]
    if account is None or not roles:
        return Visit(_session_from(row), person_from(named(person)), None, None)
    return Visit(_session_from(row), person_from(named(person)), account_of(account), roles[0])


def _row_of(session: WebSession) -> Row:
    row = session_row(session)
    row["_id"] = row.pop("hash")
    return row | {"purge_at": purge_at(session.expires_at - session.seen_at)}


def _session_from(row: Row) -> WebSession:
    return session_from({**row, "hash": row["_id"]})
