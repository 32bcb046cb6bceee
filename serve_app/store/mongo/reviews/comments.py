"""What people say to each other about invoices."""

from uuid import UUID

from pymongo import DESCENDING

from serve_app.domain.comment import Comment
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.rows.codec import from_micros, to_micros


class MongoComments:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, comment: Comment) -> bool:
        invoice = {"_id": str(comment.invoice_id), "account_id": str(comment.account_id)}

        async def add(collections: Collections) -> bool:
            row = _row_of(comment)
            this = {"_id": row["_id"], "account_id": row["account_id"]}
            if await collections.invoices.find_one(invoice, {"_id": 1}) is None:
                return False
            await collections.comments.update_one(this, {"$setOnInsert": row}, upsert=True)
            if await collections.invoices.find_one(invoice, {"_id": 1}) is not None:
                return True
            # The invoice was erased meanwhile, perhaps before its comments were looked for.
            await collections.comments.delete_one(this)
            return False

        return await self._database.write(add)

    async def of_invoice(self, account_id: UUID, invoice_id: UUID, limit: int) -> list[Comment]:
        where = {"account_id": str(account_id), "invoice_id": str(invoice_id)}
        return (await self._newest(where, limit))[::-1]

    async def mentioning(self, account_id: UUID, person_id: UUID, limit: int) -> list[Comment]:
        return await self._newest({"account_id": str(account_id), "mentions": str(person_id)}, limit)

    async def _newest(self, where: Row, limit: int) -> list[Comment]:
        async def find(collections: Collections) -> list[Row]:
            return await collections.comments.find(where).sort([("_id", DESCENDING)]).limit(limit).to_list(None)

        return [_comment_from(row) for row in await self._database.read(find)]


def _row_of(comment: Comment) -> Row:
    return {
        "_id": str(comment.id),
        "account_id": str(comment.account_id),
        "invoice_id": str(comment.invoice_id),
        "at": to_micros(comment.at),
        "person_id": str(comment.person_id),
        "author": comment.author,
        "text": comment.text,
        "mentions": [str(id) for id in comment.mentions],
    }


def _comment_from(row: Row) -> Comment:
    return Comment(
        id=UUID(row["_id"]),
        account_id=UUID(row["account_id"]),
        invoice_id=UUID(row["invoice_id"]),
        at=from_micros(row["at"]),
        person_id=UUID(row["person_id"]),
        author=row["author"],
        text=row["text"],
        mentions=tuple(UUID(id) for id in row["mentions"]),
    )
