"""Files that came by mail, and the mails that the service writes by itself."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from pymongo.errors import DuplicateKeyError

from serve_app.domain.inbound_mail import AUTOMATIC_LIFE, MailDocument
from serve_app.store.codec import to_micros
from serve_app.store.mail_rows import document_from, document_row
from serve_app.store.mongo.database import Database
from serve_app.store.mongo.expiry import purge_at
from serve_app.store.mongo.types import Collections, Row


class MongoMailDocuments:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def claim(self, document: MailDocument, since: datetime) -> MailDocument:
        row = document_row(document)
        # The id makes it unique; an account's notes are few, so it needs no further index.
        row["_id"] = f"{row['account_id']}:{row['sha256']}"

        async def claim(collections: Collections) -> Row:
            notes = collections.mail_documents
            await notes.delete_one({"_id": row["_id"], "received_at": {"$lt": to_micros(since)}})
            try:
                await notes.insert_one(row)
            except DuplicateKeyError:
                return await notes.find_one({"_id": row["_id"]}) or row
            return row

        return document_from(await self._database.write(claim))

    async def forget(self, account_id: UUID, invoice_id: UUID) -> None:
        query = {"account_id": str(account_id), "invoice_id": str(invoice_id)}
        await self._database.write(lambda collections: collections.mail_documents.delete_many(query))


class MongoAutomaticMails:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def take(self, account_id: UUID, key: str, now: datetime, limits: Sequence[tuple[timedelta, int]]) -> bool:
        return await self._database.write(lambda collections: _take(collections, account_id, key, now, limits))


async def _take(
    collections: Collections, account_id: UUID, key: str, now: datetime, limits: Sequence[tuple[timedelta, int]]
) -> bool:
    """Adds the time to those of earlier mails, if these have not changed since they were looked at."""
    counts, id = collections.automatic_mails, f"{account_id}:{key}"
    while True:
        row = await counts.find_one({"_id": id})
        times = [] if row is None else [at for at in row["times"] if at > to_micros(now - AUTOMATIC_LIFE)]
        if any(sum(at > to_micros(now - span) for at in times) >= most for span, most in limits):
            return False
        new = {
            "account_id": str(account_id),
            "times": [*times, to_micros(now)],
            "newest": to_micros(now),
            "purge_at": purge_at(AUTOMATIC_LIFE),
        }
        if row is None:
            try:
                await counts.insert_one({"_id": id, "version": 0, **new})
                return True
            except DuplicateKeyError:
                continue
        as_read = {"_id": id, "version": row["version"]}
        if (await counts.update_one(as_read, {"$set": new, "$inc": {"version": 1}})).matched_count:
            return True
