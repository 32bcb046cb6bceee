"""Who belongs to which account."""

from uuid import UUID

from serve_app.domain.erased import Erased
from serve_app.domain.person import Changed, Member, Membership, Role
from serve_app.store.rows.people import membership_from, membership_row, person_from
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.people.people import erase_unneeded

# Only while the account exists: it may be erased at the same time.
_ADD = """
    INSERT INTO memberships (account_id, person_id, role, since)
    SELECT :account_id, :person_id, :role, :since WHERE EXISTS (SELECT 1 FROM accounts WHERE id = :account_id)
    ON CONFLICT (account_id, person_id) DO NOTHING
"""
_OF_ACCOUNT = """
    SELECT people.*, memberships.role, memberships.since
    FROM memberships JOIN people ON people.id = memberships.person_id
    WHERE memberships.account_id = ? ORDER BY memberships.since, people.id
"""
_VIEWS = "DELETE FROM saved_views WHERE account_id = ? AND person_id = ?"
_OF_PERSON = "SELECT * FROM memberships WHERE person_id = ? ORDER BY account_id"
_ROLE = "SELECT role FROM memberships WHERE account_id = ? AND person_id = ?"
_OTHER_OWNER = "SELECT 1 FROM memberships WHERE account_id = ? AND person_id != ? AND role = 'owner'"
_SET_ROLE = "UPDATE memberships SET role = ? WHERE account_id = ? AND person_id = ?"
_REMOVE = "DELETE FROM memberships WHERE account_id = ? AND person_id = ?"
_REMOVE_ALL = "DELETE FROM memberships WHERE account_id = ? RETURNING person_id"
_SIGN_OUT = "DELETE FROM sessions WHERE account_id = ?"


class SqliteMemberships:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, membership: Membership) -> bool:
        row = membership_row(membership) | {"account_id": str(membership.account_id)}
        return await self._database.write(lambda c: c.execute(_ADD, row).rowcount == 1)

    async def set_role(self, account_id: UUID, person_id: UUID, role: Role) -> Changed:
        return await self._database.write(lambda c: _change(c, str(account_id), str(person_id), role))

    async def remove(self, account_id: UUID, person_id: UUID) -> Changed:
        return await self._database.write(lambda c: _change(c, str(account_id), str(person_id), None))

    async def remove_all(self, account_id: UUID) -> Erased:
        return await self._database.write(lambda c: remove_members(c, str(account_id)))

    async def of_account(self, account_id: UUID) -> list[Member]:
        rows = await self._database.read(lambda c: c.execute(_OF_ACCOUNT, (str(account_id),)).fetchall())
        return [_member_from(row, account_id) for row in rows]

    async def of_person(self, person_id: UUID) -> list[Membership]:
        rows = await self._database.read(lambda c: c.execute(_OF_PERSON, (str(person_id),)).fetchall())
        return [membership_from(row) for row in rows]


def remove_members(connection: sqlite3.Connection, account_id: str) -> Erased:
    """Part of a write: remove everybody from the account, and erase those whom nothing else keeps."""
    people = connection.execute(_REMOVE_ALL, (account_id,)).fetchall()
    erased = Erased(sessions=connection.execute(_SIGN_OUT, (account_id,)).rowcount)
    for row in people:
        gone, sessions = erase_unneeded(connection, row["person_id"])
        erased += Erased(people=gone, sessions=sessions)
    return erased


def _change(connection: sqlite3.Connection, account_id: str, person_id: str, role: Role | None) -> Changed:
    """Give the member this role, or remove it."""
    this = (account_id, person_id)
    present = connection.execute(_ROLE, this).fetchone()
    if present is None:
        return Changed.NO_MEMBER
    is_demoted = present["role"] == Role.OWNER and role is not Role.OWNER
    if is_demoted and connection.execute(_OTHER_OWNER, this).fetchone() is None:
        return Changed.LAST_OWNER
    if role is not None:
        connection.execute(_SET_ROLE, (role, *this))
    else:
        connection.execute(_REMOVE, this)
        connection.execute(_VIEWS, this)
        erase_unneeded(connection, person_id)
    return Changed.DONE


def _member_from(row: sqlite3.Row, account_id: UUID) -> Member:
    membership = membership_from({**dict(row), "account_id": str(account_id), "person_id": row["id"]})
    return Member(person_from(row), membership.role, membership.since)
