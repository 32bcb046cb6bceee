"""Who did what."""

from uuid import UUID

from pymongo import DESCENDING

from serve_app.domain.audit import AuditEntry
from serve_app.domain.query import ListPage, page_of
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row, named
from serve_app.store.rows.people import audit_from, audit_row


class MongoAuditLog:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, entry: AuditEntry) -> None:
        row = audit_row(entry)
        row["_id"] = row.pop("id")
        await self._database.write(lambda collections: collections.audit.insert_one(row))

    async def page(self, account_id: UUID | None, limit: int, after: UUID | None = None) -> ListPage[AuditEntry]:
        query: Row = {"account_id": account_id and str(account_id)}
        if after is not None:
            query["_id"] = {"$lt": str(after)}

        async def find(collections: Collections) -> list[Row]:
            return await collections.audit.find(query).sort("_id", DESCENDING).limit(limit + 1).to_list(None)

        return page_of([audit_from(named(row)) for row in await self._database.read_confirmed(find)], limit)

    async def of_target(self, account_id: UUID, target: str, limit: int) -> list[AuditEntry]:
        query = {"account_id": str(account_id), "target": target}

        async def find(collections: Collections) -> list[Row]:
            return await collections.audit.find(query).sort("_id", DESCENDING).limit(limit).to_list(None)

        return [audit_from(named(row)) for row in await self._database.read_confirmed(find)]
