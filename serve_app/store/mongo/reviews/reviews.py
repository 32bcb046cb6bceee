"""What people say about invoices."""

from datetime import datetime
from uuid import UUID

from pymongo import ASCENDING, ReturnDocument

from serve_app.domain.errors import NotComplete, ReviewChanged
from serve_app.domain.ids import first_id_at
from serve_app.domain.invoice import Status
from serve_app.domain.record import InvoiceRecord
from serve_app.store.base.reviews import NewReview
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.errors import defer_on_failure
from serve_app.store.mongo.engine.indexes import UNSEEN
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.mongo.invoices.codec import record_from
from serve_app.store.mongo.invoices.finish import reviewed
from serve_app.store.mongo.queue.follow_ups import FollowUps
from serve_app.store.mongo.reviews.memory import fields_of_example
from serve_app.store.rows.charts import coding_fields
from serve_app.store.rows.codec import to_micros
from serve_app.store.rows.own_fields import own_example_fields

_HIDDEN = {"outbox": 0}


class MongoReviews:
    def __init__(self, database: Database, follow_ups: FollowUps) -> None:
        self._database = database
        self._follow_ups = follow_ups

    async def save(self, account_id: UUID, invoice_id: UUID, new: NewReview) -> InvoiceRecord | None:
        this = {"_id": str(invoice_id), "account_id": str(account_id)}

        async def save(collections: Collections) -> InvoiceRecord | None:
            while (row := await collections.invoices.find_one(this)) is not None:
                _check(row, new.over)
                change = await reviewed(collections, self._follow_ups, row, new)
                change["$set"] |= fields_of_example(new.example) | coding_fields(new) | own_example_fields(new)
                # Retry if the invoice, for instance its tag, was changed since it was read.
                saved: Row | None = await collections.invoices.find_one_and_update(
                    this | {"revision": row["revision"]}, change, return_document=ReturnDocument.AFTER
                )
                if saved is not None:
                    return await self._settled(collections, saved)
            return None

        return await self._database.write(save)

    async def decided(
        self, account_id: UUID, limit: int, after: tuple[datetime, UUID] | None = None
    ) -> list[InvoiceRecord]:
        at, id = (to_micros(after[0]), str(after[1])) if after else (0, "")
        later = [{"reviewed_at": {"$gt": at}}, {"reviewed_at": at, "_id": {"$gt": id}}]
        where: Row = {"account_id": str(account_id), "reviewed_at": {"$gte": at}, "$or": later}

        async def find(collections: Collections) -> list[Row]:
            found = collections.invoices.find(where, _HIDDEN).sort([("reviewed_at", ASCENDING), ("_id", ASCENDING)])
            return await found.limit(limit).to_list(None)

        return [record_from(row) for row in await self._database.read_confirmed(find)]

    async def unseen(self, account_id: UUID, since: datetime, at_most: int) -> int:
        where: Row = {"account_id": str(account_id), "_id": {"$gte": str(first_id_at(since))}, **UNSEEN}
        steps: list[Row] = [{"$match": where}, {"$limit": at_most}, {"$count": "number"}]

        async def count(collections: Collections) -> int:
            counted = await collections.invoices.aggregate(steps).to_list(None)
            return int(counted[0]["number"]) if counted else 0

        return await self._database.read(count)

    async def _settled(self, collections: Collections, row: Row) -> InvoiceRecord:
        """The record once its vendors and duplicates follow; if that is cut short, another process does it."""
        with defer_on_failure("what follows from a review"):
            await self._follow_ups.settle(collections, row)
            row = await collections.invoices.find_one({"_id": row["_id"], "account_id": row["account_id"]}) or row
        return record_from(row)


def _check(row: Row, over: int) -> None:
    if row["status"] != Status.COMPLETE:
        raise NotComplete
    if record_from(row).review_revision != over:
        raise ReviewChanged
