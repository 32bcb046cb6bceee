"""Links and mails that sign a person in, once."""

from datetime import datetime
from uuid import UUID

from serve_app.domain.sign_in import LINK_LIFE, MAIL_LIFE, MAX_TRIES, MailSignIn, SignInLink
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.mongo.retention.expiry import purge_at
from serve_app.store.rows.codec import to_micros
from serve_app.store.rows.people import link_row, mail_row


class MongoSignIns:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add_link(self, link: SignInLink) -> None:
        row = link_row(link) | {"purge_at": purge_at(LINK_LIFE)}
        row["_id"] = row.pop("hash")
        await self._database.write(lambda collections: collections.sign_in_links.insert_one(row))

    async def take_link(self, hash: str, now: datetime) -> UUID | None:
        query = {"_id": hash, "expires_at": {"$gt": to_micros(now)}}
        row = await self._database.write(lambda collections: collections.sign_in_links.find_one_and_delete(query))
        return _person_of(row)

    async def add_mail(self, mail: MailSignIn) -> None:
        row = mail_row(mail) | {"purge_at": purge_at(MAIL_LIFE)}
        row["_id"] = row.pop("browser_hash")
        await self._database.write(lambda collections: collections.mail_sign_ins.insert_one(row))

    async def take_mail(self, browser_hash: str, proof_hash: str, now: datetime) -> UUID | None:
        query = {
            "_id": browser_hash,
            "expires_at": {"$gt": to_micros(now)},
            "tries": {"$lt": MAX_TRIES},
            "$or": [{"link_hash": proof_hash}, {"code_hash": proof_hash}],
        }

        async def take(collections: Collections) -> UUID | None:
            taken = await collections.mail_sign_ins.find_one_and_delete(query)
            if taken is None:
                await collections.mail_sign_ins.update_one({"_id": browser_hash}, {"$inc": {"tries": 1}})
            return _person_of(taken)

        return await self._database.write(take)


def _person_of(row: Row | None) -> UUID | None:
    return UUID(row["person_id"]) if row is not None and row["person_id"] else None
