"""Files and pictures that came by mail, and the mails that the service writes by itself."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from pymongo import ReturnDocument
from pymongo.errors import DuplicateKeyError

from serve_app.domain.inbound_mail import AUTOMATIC_LIFE, LOGO_MAILS, SAME_FILE_WINDOW, MailDocument
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.mongo.retention.expiry import purge_at
from serve_app.store.rows.codec import to_micros
from serve_app.store.rows.mails import document_from, document_row


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


class MongoMailPictures:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def note(self, account_id: UUID, sender: str, sha256: str, mail_id: UUID, now: datetime) -> int:
        return await self._database.write(
            lambda collections: _note_picture(collections, account_id, f"{account_id}:{sender}:{sha256}", mail_id, now)
        )


async def _note_picture(collections: Collections, account_id: UUID, id: str, mail_id: UUID, now: datetime) -> int:
    pictures = collections.mail_pictures
    await pictures.delete_one({"_id": id, "newest": {"$lte": to_micros(now - SAME_FILE_WINDOW)}})
    times = {"newest": to_micros(now), "purge_at": purge_at(SAME_FILE_WINDOW)}
    # Once it is known to be a logo, nobody needs to know in which mails it came.
    logo = {"_id": id, f"mails.{LOGO_MAILS - 1}": {"$exists": True}}
    if (await pictures.update_one(logo, {"$set": times})).matched_count:
        return LOGO_MAILS
    change = {"$set": {"account_id": str(account_id), **times}, "$addToSet": {"mails": str(mail_id)}}
    try:
        row = await pictures.find_one_and_update({"_id": id}, change, upsert=True, return_document=ReturnDocument.AFTER)
    except DuplicateKeyError:
        # Another mail has just inserted it.
        row = await pictures.find_one_and_update({"_id": id}, change, return_document=ReturnDocument.AFTER)
    return min(len(row["mails"]) if row else 0, LOGO_MAILS)


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
