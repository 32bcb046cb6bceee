"""Links and mails that sign a person in, once."""

from datetime import datetime
from uuid import UUID

from serve_app.domain.sign_in import MAX_TRIES, MailSignIn, SignInLink
from serve_app.store.rows.codec import to_micros
from serve_app.store.rows.people import link_row, mail_row
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3

_ADD_LINK = "INSERT INTO sign_in_links (hash, person_id, expires_at) VALUES (:hash, :person_id, :expires_at)"
_TAKE_LINK = "DELETE FROM sign_in_links WHERE hash = ? AND expires_at > ? RETURNING person_id"
_ADD_MAIL = """
    INSERT INTO mail_sign_ins (browser_hash, link_hash, code_hash, person_id, tries, expires_at)
    VALUES (:browser_hash, :link_hash, :code_hash, :person_id, :tries, :expires_at)
"""
_TAKE_MAIL = """
    DELETE FROM mail_sign_ins
    WHERE browser_hash = :browser AND :proof IN (link_hash, code_hash) AND tries < :tries AND expires_at > :now
    RETURNING person_id
"""
_COUNT_TRY = "UPDATE mail_sign_ins SET tries = tries + 1 WHERE browser_hash = :browser"


class SqliteSignIns:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add_link(self, link: SignInLink) -> None:
        row = link_row(link)
        await self._database.write(lambda c: c.execute(_ADD_LINK, row))

    async def take_link(self, hash: str, now: datetime) -> UUID | None:
        values = (hash, to_micros(now))
        return await self._database.write(lambda c: _person_of(c.execute(_TAKE_LINK, values).fetchall()))

    async def add_mail(self, mail: MailSignIn) -> None:
        row = mail_row(mail)
        await self._database.write(lambda c: c.execute(_ADD_MAIL, row))

    async def take_mail(self, browser_hash: str, proof_hash: str, now: datetime) -> UUID | None:
        values = {"browser": browser_hash, "proof": proof_hash, "tries": MAX_TRIES, "now": to_micros(now)}

        def take(connection: sqlite3.Connection) -> UUID | None:
            taken = connection.execute(_TAKE_MAIL, values).fetchall()
            if not taken:
                connection.execute(_COUNT_TRY, values)
            return _person_of(taken)

        return await self._database.write(take)


def _person_of(rows: list[sqlite3.Row]) -> UUID | None:
    return UUID(rows[0]["person_id"]) if rows and rows[0]["person_id"] else None
