"""Everybody who can sign in."""

from uuid import UUID

from serve_app.domain.person import Identity, Person, address_key
from serve_app.store.rows.people import person_from, person_row
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3

_ADD = """
    INSERT INTO people (id, email, email_key, name, is_operator, created_at)
    VALUES (:id, :email, :email_key, :name, :is_operator, :created_at)
    ON CONFLICT (email_key) DO NOTHING
"""
_GET = "SELECT * FROM people WHERE id = ?"
_FIND = "SELECT * FROM people WHERE email_key = ?"
_OF_IDENTITY = "SELECT * FROM people WHERE oidc_issuer = ? AND oidc_subject = ?"
# No match if somebody else has the identity, which then stays theirs.
_BIND = """
    UPDATE people SET oidc_issuer = :issuer, oidc_subject = :subject
    WHERE id = :person AND (oidc_issuer IS NOT :issuer OR oidc_subject = :subject)
    AND NOT EXISTS (
        SELECT 1 FROM people WHERE oidc_issuer = :issuer AND oidc_subject = :subject AND id != :person
    )
"""
_UPDATE = "UPDATE people SET name = ?, is_operator = ? WHERE id = ?"
_OPERATORS = "SELECT * FROM people WHERE is_operator ORDER BY id"
_UNNEEDED = """
    SELECT 1 FROM people WHERE id = ? AND NOT is_operator
    AND NOT EXISTS (SELECT 1 FROM memberships WHERE person_id = people.id)
"""


class SqlitePeople:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, person: Person) -> bool:
        row = person_row(person)
        return await self._database.write(lambda c: c.execute(_ADD, row).rowcount == 1)

    async def get(self, person_id: UUID) -> Person | None:
        return await self._one(_GET, str(person_id))

    async def find(self, email: str) -> Person | None:
        return await self._one(_FIND, address_key(email))

    async def of_identity(self, identity: Identity) -> Person | None:
        return await self._one(_OF_IDENTITY, identity.issuer, identity.subject)

    async def bind(self, person_id: UUID, identity: Identity) -> bool:
        values = {"issuer": identity.issuer, "subject": identity.subject, "person": str(person_id)}
        return await self._database.write(lambda c: c.execute(_BIND, values).rowcount == 1)

    async def _one(self, query: str, *values: str) -> Person | None:
        row = await self._database.read(lambda c: c.execute(query, values).fetchone())
        return None if row is None else person_from(row)

    async def update(self, person_id: UUID, name: str, *, is_operator: bool) -> bool:
        values = (name, int(is_operator), str(person_id))

        def update(connection: sqlite3.Connection) -> bool:
            is_known = connection.execute(_UPDATE, values).rowcount == 1
            erase_unneeded(connection, str(person_id))
            return is_known

        return await self._database.write(update)

    async def operators(self) -> list[Person]:
        rows = await self._database.read(lambda c: c.execute(_OPERATORS).fetchall())
        return [person_from(row) for row in rows]


def erase_unneeded(connection: sqlite3.Connection, person_id: str) -> tuple[int, int]:
    """Part of a write: erase a person who belongs to no account and is no operator; returns how many people and
    sessions that were."""
    if connection.execute(_UNNEEDED, (person_id,)).fetchone() is None:
        return 0, 0
    for table in ("sign_in_links", "mail_sign_ins"):
        connection.execute(f"DELETE FROM {table} WHERE person_id = ?", (person_id,))  # noqa: S608 - constants
    sessions = connection.execute("DELETE FROM sessions WHERE person_id = ?", (person_id,)).rowcount
    return connection.execute("DELETE FROM people WHERE id = ?", (person_id,)).rowcount, sessions
