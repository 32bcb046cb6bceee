"""Mails that came in. Each write changes one document, and only if its revision is the one that was read."""

import re
from datetime import datetime, timedelta
from uuid import UUID

from pymongo import ASCENDING, DESCENDING, ReturnDocument
from pymongo.errors import DuplicateKeyError

from serve_app.domain.due import Due
from serve_app.domain.folding import folded
from serve_app.domain.inbound_mail import DayLimits, HeldFor, InboundMail, MailQuery, MailState
from serve_app.domain.query import ListPage, page_of
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row, named
from serve_app.store.rows.codec import optional_moment, to_micros
from serve_app.store.rows.mails import mail_from, mail_row

_HIDDEN = {"state": {"$nin": [str(MailState.ARRIVING), str(MailState.PENDING_DELETION)]}}
_WRITTEN = ("state", "held_for", "due_at", "care_at", "claims", "problems", "words", "document", "invoices")


class MongoMails:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def reserve(self, mail: InboundMail, since: datetime, limits: DayLimits) -> InboundMail | None:
        row = await self._database.write(lambda collections: _reserve(collections, _row(mail), since, limits))
        return None if row is None else _mail_from(row)

    async def has_room(self, address_id: UUID, size: int, since: datetime, limits: DayLimits) -> bool:
        return await self._database.read(
            lambda collections: _has_room(collections, str(address_id), size, since, limits)
        )

    async def save(self, mail: InboundMail) -> InboundMail | None:
        row = _row(mail)
        as_read = {"_id": row["_id"], "account_id": row["account_id"], "revision": row["revision"]}
        change = {"$set": {name: row[name] for name in _WRITTEN}, "$inc": {"revision": 1}}
        return await self._change(as_read, change)

    async def claim_due(self, lease: timedelta, after: UUID | None = None) -> InboundMail | None:
        async def claim(collections: Collections) -> Row | None:
            now = await self._database.now()
            due: Row = {"due_at": {"$gt": 0, "$lte": to_micros(now)}}
            change = {"$set": {"due_at": to_micros(now + lease)}, "$inc": {"claims": 1, "revision": 1}}
            # Looked for first: most looks find nothing, and the write names the account.
            while (next := await _next_due(collections, due, str(after or ""))) is not None:
                row: Row | None = await collections.mails.find_one_and_update(
                    due | next, change, return_document=ReturnDocument.AFTER
                )
                if row is not None:
                    return row
            return None

        row = await self._database.write(claim)
        return None if row is None else _mail_from(row)

    async def due(self) -> Due:
        async def look(collections: Collections) -> Due:
            due = {"due_at": {"$gt": 0, "$lte": to_micros(await self._database.now())}}
            count = {"_id": None, "number": {"$sum": 1}, "since": {"$min": "$due_at"}}
            groups = await collections.mails.aggregate([{"$match": due}, {"$group": count}]).to_list(None)
            return Due(groups[0]["number"], optional_moment(groups[0]["since"])) if groups else Due(0, None)

        return await self._database.read(look)

    async def renew(self, claim: InboundMail, lease: timedelta) -> bool:
        async def renew(collections: Collections) -> bool:
            until = to_micros(await self._database.now() + lease)
            as_claimed = {"_id": str(claim.id), "account_id": str(claim.account_id), "revision": claim.revision}
            return bool((await collections.mails.update_one(as_claimed, {"$set": {"due_at": until}})).matched_count)

        return await self._database.write(renew)

    async def due_for_cleanup(self, now: datetime, limit: int) -> list[InboundMail]:
        return await self._many({"care_at": {"$gt": 0, "$lte": to_micros(now)}}, ("care_at", ASCENDING), limit)

    async def remove(self, mail: InboundMail) -> bool:
        own = {"account_id": str(mail.account_id)}
        pending = own | {"_id": str(mail.id), "state": str(MailState.PENDING_DELETION)}

        async def remove(collections: Collections) -> bool:
            # Last, so that a crash leaves a row to be found.
            if await collections.mails.find_one(pending, {"_id": 1}) is not None:
                await collections.mail_documents.delete_many(own | {"mail_id": str(mail.id)})
            return bool((await collections.mails.delete_one(pending)).deleted_count)

        return await self._database.write(remove)

    async def get(self, account_id: UUID, mail_id: UUID) -> InboundMail | None:
        found = await self._many({"_id": str(mail_id), "account_id": str(account_id), **_HIDDEN})
        return found[0] if found else None

    async def page(
        self, account_id: UUID, query: MailQuery, limit: int, after: UUID | None = None
    ) -> ListPage[InboundMail]:
        where: Row = {"$and": [{"account_id": str(account_id)}, _HIDDEN]}
        for name, value in (("state", query.state), ("held_for", query.held_for), ("address_id", query.address_id)):
            if value is not None:
                where[name] = str(value)
        if query.words:
            where["words"] = {"$regex": re.escape(folded(query.words))}
        if query.has_problems:
            where["problems"] = {"$gt": 0}
        if query.awaits_answer:
            where |= {"state": str(MailState.DONE), "due_at": {"$gt": 0}}
        if query.outcome is not None:
            where["document.parts.outcome"] = str(query.outcome)
        if after is not None:
            where["_id"] = {"$lt": str(after)}
        return page_of(await self._many(where, ("_id", DESCENDING), limit + 1), limit)

    async def of_invoice(self, account_id: UUID, invoice_id: UUID) -> list[InboundMail]:
        return await self._many({"invoices": str(invoice_id), "account_id": str(account_id), **_HIDDEN})

    async def of_account(self, account_id: UUID, limit: int) -> list[InboundMail]:
        return await self._many({"account_id": str(account_id)}, ("_id", ASCENDING), limit)

    async def accounts_with_held(self, limit: int, after: UUID | None = None) -> list[UUID]:
        pipeline: list[Row] = [
            {"$match": {"held_for": str(HeldFor.SENDER), "account_id": {"$gt": str(after or "")}}},
            {"$group": {"_id": "$account_id"}},
            {"$sort": {"_id": 1}},
            {"$limit": limit},
        ]

        async def find(collections: Collections) -> list[Row]:
            return await collections.mails.aggregate(pipeline).to_list(None)

        return [UUID(row["_id"]) for row in await self._database.read(find)]

    async def _change(self, as_read: Row, change: Row) -> InboundMail | None:
        async def save(collections: Collections) -> Row | None:
            row: Row | None = await collections.mails.find_one_and_update(
                as_read, change, return_document=ReturnDocument.AFTER
            )
            return row

        row = await self._database.write(save)
        return None if row is None else _mail_from(row)

    async def _many(self, query: Row, order: tuple[str, int] = ("_id", ASCENDING), limit: int = 0) -> list[InboundMail]:
        """What no failover takes back: people, and what they repeat after a 503, rely on it. A write that is based on
        something older changes nothing."""

        async def find(collections: Collections) -> list[Row]:
            return await collections.mails.find(query).sort(*order).limit(limit).to_list(None)

        return [_mail_from(row) for row in await self._database.read_confirmed(find)]


async def _next_due(collections: Collections, due: Row, after: str) -> Row | None:
    """The id and the account of the mail whose turn it is."""
    order = [("account_id", ASCENDING), ("due_at", ASCENDING), ("_id", ASCENDING)]
    for part in ({"$gt": after}, {"$lte": after}):
        found: Row | None = await collections.mails.find_one(due | {"account_id": part}, {"account_id": 1}, sort=order)
        if found is not None:
            return found
    return None


async def _reserve(collections: Collections, row: Row, since: datetime, limits: DayLimits) -> Row | None:
    known = await _take_over(collections, row)
    if known is not None:
        return known
    if not await _has_room(collections, row["address_id"], row["size"], since, limits):
        return None
    try:
        await collections.mails.insert_one(row)
    except DuplicateKeyError:
        # The same mail arrived a moment ago.
        return await _take_over(collections, row)
    return row


async def _take_over(collections: Collections, row: Row) -> Row | None:
    """The row that has this fingerprint already; if an interrupted call left it, this one continues it."""
    same = {"account_id": row["account_id"], "address_id": row["address_id"], "fingerprint": row["fingerprint"]}
    taken: Row | None = await collections.mails.find_one_and_update(
        {**same, "state": str(MailState.ARRIVING)},
        {"$set": {"care_at": row["care_at"]}, "$inc": {"revision": 1}},
        return_document=ReturnDocument.AFTER,
    )
    return taken or await collections.mails.find_one(same)


async def _has_room(collections: Collections, address_id: str, size: int, since: datetime, limits: DayLimits) -> bool:
    pipeline: list[Row] = [
        {"$match": {"address_id": address_id, "received_at": {"$gte": to_micros(since)}}},
        {"$group": {"_id": None, "mails": {"$sum": 1}, "size": {"$sum": "$size"}}},
    ]
    sums = await collections.mails.aggregate(pipeline).to_list(None)
    today = sums[0] if sums else {"mails": 0, "size": 0}
    return bool(today["mails"] < limits.mails and today["size"] + size <= limits.size)


def _row(mail: InboundMail) -> Row:
    row = mail_row(mail)
    row["_id"] = row.pop("id")
    return row | {"invoices": sorted({str(part.invoice_id) for part in mail.parts if part.invoice_id})}


def _mail_from(row: Row) -> InboundMail:
    # Rows of before the field have none.
    return mail_from({"problems": 0} | named(row), row["document"])
