"""Files and pictures that came by mail, and the mails that the service writes by itself."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from serve_app.domain.inbound_mail import LOGO_MAILS, SAME_FILE_WINDOW, MailDocument
from serve_app.store.rows.codec import to_micros
from serve_app.store.rows.mails import document_from, document_row
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3

_FIND = "SELECT * FROM mail_documents WHERE account_id = ? AND sha256 = ? AND received_at >= ?"
_NOTE = """
    INSERT OR REPLACE INTO mail_documents (account_id, sha256, mail_id, path, invoice_id, received_at)
    VALUES (:account_id, :sha256, :mail_id, :path, :invoice_id, :received_at)
"""
_FORGET = "DELETE FROM mail_documents WHERE account_id = ? AND invoice_id = ?"
_SEEN_IN = """
    SELECT mail_id FROM mail_pictures WHERE account_id = ? AND sender = ? AND sha256 = ? AND at > ? LIMIT ?
"""
_SEE = """
    INSERT INTO mail_pictures (account_id, sender, sha256, mail_id, at) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET at = excluded.at
"""
_COUNT = "SELECT count(*) FROM automatic_mails WHERE account_id = ? AND key = ? AND at > ?"
_TAKE = "INSERT INTO automatic_mails (account_id, key, at) VALUES (?, ?, ?)"


class SqliteMailDocuments:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def claim(self, document: MailDocument, since: datetime) -> MailDocument:
        values = (str(document.account_id), document.sha256, to_micros(since))

        def claim(connection: sqlite3.Connection) -> MailDocument:
            found = connection.execute(_FIND, values).fetchone()
            if found is not None:
                return document_from(found)
            connection.execute(_NOTE, document_row(document))
            return document

        return await self._database.write(claim)

    async def forget(self, account_id: UUID, invoice_id: UUID) -> None:
        values = (str(account_id), str(invoice_id))
        await self._database.write(lambda c: c.execute(_FORGET, values).rowcount)


class SqliteMailPictures:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def note(self, account_id: UUID, sender: str, sha256: str, mail_id: UUID, now: datetime) -> int:
        picture = (str(account_id), sender, sha256)

        def note(connection: sqlite3.Connection) -> int:
            connection.execute(_SEE, (*picture, str(mail_id), to_micros(now)))
            seen = (*picture, to_micros(now - SAME_FILE_WINDOW), LOGO_MAILS)
            return len(connection.execute(_SEEN_IN, seen).fetchall())

        return await self._database.write(note)


class SqliteAutomaticMails:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def take(self, account_id: UUID, key: str, now: datetime, limits: Sequence[tuple[timedelta, int]]) -> bool:
        def take(connection: sqlite3.Connection) -> bool:
            for span, most in limits:
                values = (str(account_id), key, to_micros(now - span))
                if connection.execute(_COUNT, values).fetchone()[0] >= most:
                    return False
            connection.execute(_TAKE, (str(account_id), key, to_micros(now)))
            return True

        return await self._database.write(take)
