"""Signed-in browsers."""

from datetime import datetime
from uuid import UUID

from serve_app.domain.session import WebSession
from serve_app.store.codec import to_micros
from serve_app.store.mongo.database import Database
from serve_app.store.mongo.expiry import purge_at
from serve_app.store.rows import session_from


class MongoSessions:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, session: WebSession) -> None:
        row = {
            "_id": session.hash,
            "account_id": str(session.account_id),
            "created_at": to_micros(session.created_at),
            "expires_at": to_micros(session.expires_at),
            "purge_at": purge_at(session.expires_at - session.created_at),
        }
        await self._database.write(lambda collections: collections.sessions.insert_one(row))

    async def find(self, hash: str, now: datetime) -> WebSession | None:
        query = {"_id": hash, "expires_at": {"$gt": to_micros(now)}}
        row = await self._database.read(lambda collections: collections.sessions.find_one(query))
        return None if row is None else session_from({**row, "hash": row["_id"]})

    async def remove(self, hash: str) -> None:
        await self._database.write(lambda collections: collections.sessions.delete_one({"_id": hash}))

    async def remove_of_account(self, account_id: UUID) -> int:
        query = {"account_id": str(account_id)}
        removed = await self._database.write(lambda collections: collections.sessions.delete_many(query))
        return removed.deleted_count
