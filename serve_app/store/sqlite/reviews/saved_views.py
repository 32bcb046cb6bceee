"""Lists of invoices that people want to come back to."""

from uuid import UUID

from serve_app.domain.saved_view import SavedView
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3

_PUT = """
    INSERT INTO saved_views (id, account_id, person_id, name, state)
    SELECT :id, account_id, person_id, :name, :state FROM memberships
    WHERE account_id = :account AND person_id = :person
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, state = excluded.state
    WHERE account_id = excluded.account_id AND person_id = excluded.person_id
"""
_REMOVE = "DELETE FROM saved_views WHERE id = ? AND account_id = ? AND person_id = ?"
_OF_PERSON = "SELECT * FROM saved_views WHERE account_id = ? AND person_id = ? ORDER BY id"


class SqliteSavedViews:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, view: SavedView) -> None:
        values = {
            **{"id": str(view.id), "account": str(view.account_id), "person": str(view.person_id)},
            **{"name": view.name, "state": view.state},
        }
        await self._database.write(lambda c: c.execute(_PUT, values).rowcount)

    async def remove(self, account_id: UUID, person_id: UUID, view_id: UUID) -> bool:
        values = (str(view_id), str(account_id), str(person_id))
        return await self._database.write(lambda c: c.execute(_REMOVE, values).rowcount == 1)

    async def of_person(self, account_id: UUID, person_id: UUID) -> list[SavedView]:
        values = (str(account_id), str(person_id))
        rows = await self._database.read(lambda c: c.execute(_OF_PERSON, values).fetchall())
        return [_view_from(row) for row in rows]


def _view_from(row: sqlite3.Row) -> SavedView:
    return SavedView(
        id=UUID(row["id"]),
        account_id=UUID(row["account_id"]),
        person_id=UUID(row["person_id"]),
        name=row["name"],
        state=row["state"],
    )
