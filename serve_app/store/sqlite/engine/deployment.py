"""Which deployment a database belongs to."""

from uuid import UUID

from serve_app.domain.ids import new_id
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3

_GET = "SELECT id FROM deployment"
_MAKE = "INSERT INTO deployment (is_only, id) VALUES (1, ?) ON CONFLICT DO NOTHING"


class SqliteDeploymentId:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self) -> UUID:
        def make(connection: sqlite3.Connection) -> str:
            connection.execute(_MAKE, (str(new_id()),))
            return str(connection.execute(_GET).fetchone()[0])

        found = await self._database.read(lambda connection: connection.execute(_GET).fetchone())
        return UUID(found[0] if found else await self._database.write(make))
