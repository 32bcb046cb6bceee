"""Approval mails counted per account, recipient and day."""

from datetime import datetime
from uuid import UUID

from serve_app.domain.approval_mail import MailLimit, MailLimits
from serve_app.store.rows.codec import to_micros
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3

_OF_ACCOUNT = "SELECT ifnull(sum(mails), 0) FROM approval_mails WHERE account_id = ? AND day = ?"
_TO_RECIPIENT = "SELECT ifnull(sum(mails), 0) FROM approval_mails WHERE account_id = ? AND day = ? AND recipient = ?"
_TAKE = """
    INSERT INTO approval_mails (account_id, day, recipient, mails) VALUES (?, ?, ?, 1)
    ON CONFLICT (account_id, day, recipient) DO UPDATE SET mails = mails + 1
"""
_GIVE_BACK = """
    UPDATE approval_mails SET mails = mails - 1 WHERE account_id = ? AND day = ? AND recipient = ? AND mails > 0
"""


class SqliteApprovalMails:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def take(self, account_id: UUID, recipient: str, day: datetime, limits: MailLimits) -> MailLimit | None:
        values = (str(account_id), to_micros(day), recipient)

        def take(connection: sqlite3.Connection) -> MailLimit | None:
            if connection.execute(_TO_RECIPIENT, values).fetchone()[0] >= limits.per_recipient:
                return MailLimit.RECIPIENT
            if connection.execute(_OF_ACCOUNT, values[:2]).fetchone()[0] >= limits.per_account:
                return MailLimit.ACCOUNT
            connection.execute(_TAKE, values)
            return None

        return await self._database.write(take)

    async def refund(self, account_id: UUID, recipient: str, day: datetime) -> None:
        values = (str(account_id), to_micros(day), recipient)
        await self._database.write(lambda c: c.execute(_GIVE_BACK, values).rowcount)
