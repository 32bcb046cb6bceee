"""Approval mails counted per account, recipient and day: one document for each day of an account."""

from datetime import datetime
from uuid import UUID

from pymongo.errors import DuplicateKeyError

from serve_app.domain.approval_mail import COUNT_LIFE, MailLimit, MailLimits
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.mongo.retention.expiry import purge_at
from serve_app.store.rows.codec import to_micros


class MongoApprovalMails:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def take(self, account_id: UUID, recipient: str, day: datetime, limits: MailLimits) -> MailLimit | None:
        row = {
            "_id": _id_of(account_id, day),
            "account_id": str(account_id),
            "day": to_micros(day),
            "purge_at": purge_at(COUNT_LIFE),
        }
        return await self._database.write(lambda collections: _take(collections, row, recipient, limits))

    async def refund(self, account_id: UUID, recipient: str, day: datetime) -> None:
        query = {"_id": _id_of(account_id, day), f"to.{recipient}": {"$gt": 0}}
        change = {"$inc": {"mails": -1, f"to.{recipient}": -1}}
        await self._database.write(lambda collections: collections.approval_mails.update_one(query, change))


async def _take(collections: Collections, row: Row, recipient: str, limits: MailLimits) -> MailLimit | None:
    """Counts only below both limits, in one step. If nothing matched, a limit is reached or the document is missing."""
    counts, to = collections.approval_mails, f"to.{recipient}"
    # $not: also if nothing was sent to the recipient yet.
    room = {"mails": {"$lt": limits.per_account}, to: {"$not": {"$gte": limits.per_recipient}}}
    while True:
        taken = await counts.update_one({"_id": row["_id"], **room}, {"$inc": {"mails": 1, to: 1}})
        if taken.matched_count:
            return None
        present: Row | None = await counts.find_one({"_id": row["_id"]})
        if present is None:
            await _start(collections, row)
        elif present["to"].get(recipient, 0) >= limits.per_recipient:
            return MailLimit.RECIPIENT
        elif present["mails"] >= limits.per_account:
            return MailLimit.ACCOUNT


async def _start(collections: Collections, row: Row) -> None:
    try:
        await collections.approval_mails.insert_one({**row, "mails": 0, "to": {}})
    except DuplicateKeyError:
        # Another process was faster.
        return


def _id_of(account_id: UUID, day: datetime) -> str:
    return f"{account_id}:{to_micros(day)}"
