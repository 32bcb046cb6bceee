"""Signed-in browsers."""

from datetime import datetime
from uuid import UUID

from serve_app.domain.person import Person, Role
from serve_app.domain.session import Visit, WebSession
from serve_app.store.rows.codec import from_micros, to_micros
from serve_app.store.rows.columns import account_from
from serve_app.store.rows.people import session_from, session_row
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3

_ADD = """
    INSERT INTO sessions
        (id, hash, person_id, account_id, created_at, seen_at, authenticated_at, expires_at, user_agent)
    VALUES (:id, :hash, :person_id, :account_id, :created_at, :seen_at, :authenticated_at, :expires_at, :user_agent)
"""
_FIND = """
    SELECT sessions.*, people.email, people.name, people.is_operator, people.created_at AS person_since,
        memberships.role, accounts.plan, accounts.email AS account_email, accounts.created_at AS account_since,
        accounts.target_precision, accounts.limits, accounts.suspended_at, plans.limits AS plan_limits
    FROM sessions JOIN people ON people.id = sessions.person_id
    LEFT JOIN memberships
        ON memberships.account_id = sessions.account_id AND memberships.person_id = sessions.person_id
    LEFT JOIN accounts ON accounts.id = memberships.account_id LEFT JOIN plans ON plans.name = accounts.plan
    WHERE sessions.hash = ? AND sessions.expires_at > ?
"""
_TOUCH = "UPDATE sessions SET seen_at = :seen_at, expires_at = :expires_at WHERE hash = :hash AND seen_at < :seen_at"
_SET_ACCOUNT = "UPDATE sessions SET account_id = ? WHERE hash = ?"
_OF_PERSON = "SELECT * FROM sessions WHERE person_id = ? AND expires_at > ? ORDER BY seen_at DESC, id DESC"
_REMOVE = "DELETE FROM sessions WHERE person_id = ? AND id = ?"
_REMOVE_OF_PERSON = "DELETE FROM sessions WHERE person_id = ?"


class SqliteSessions:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, session: WebSession) -> None:
        row = session_row(session)
        await self._database.write(lambda c: c.execute(_ADD, row))

    async def find(self, hash: str, now: datetime) -> Visit | None:
        row = await self._database.read(lambda c: c.execute(_FIND, (hash, to_micros(now))).fetchone())
        return None if row is None else _visit_from(row)

    async def touch(self, session: WebSession) -> None:
        row = session_row(session)
        await self._database.note(lambda c: c.execute(_TOUCH, row))

    async def set_account(self, hash: str, account_id: UUID) -> None:
        await self._database.write(lambda c: c.execute(_SET_ACCOUNT, (str(account_id), hash)))

    async def of_person(self, person_id: UUID, now: datetime) -> list[WebSession]:
        values = (str(person_id), to_micros(now))
        rows = await self._database.read(lambda c: c.execute(_OF_PERSON, values).fetchall())
        return [session_from(row) for row in rows]

    async def remove(self, person_id: UUID, session_id: UUID) -> bool:
        values = (str(person_id), str(session_id))
        return await self._database.write(lambda c: c.execute(_REMOVE, values).rowcount == 1)

    async def remove_of_person(self, person_id: UUID) -> int:
        return await self._database.write(lambda c: c.execute(_REMOVE_OF_PERSON, (str(person_id),)).rowcount)


def _visit_from(row: sqlite3.Row) -> Visit:
    session = session_from(row)
    since = from_micros(row["person_since"])
    person = Person(session.person_id, row["email"], row["name"], since, bool(row["is_operator"]))
    if session.account_id is None or row["role"] is None:
        return Visit(session, person, None, None)
    account = {"id": row["account_id"], "created_at": row["account_since"], "email": row["account_email"]}
    return Visit(session, person, account_from(dict(row) | account), Role(row["role"]))
