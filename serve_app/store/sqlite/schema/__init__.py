"""The tables: `*.sql` beside this file is what a new database gets, and what an older one is brought to in one step.

To change them: edit the files (new columns come last, and are nullable or have a default), raise `VERSION`, and add to
`fills.py` what the rows that are already there need.
"""

from functools import cache
from pathlib import Path

from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.schema.differences import changes_to
from serve_app.store.sqlite.schema.fills import fill_from, make_room_from

VERSION = 47
"""The version of the tables, which the database keeps. Each released schema has its own."""
OLDEST = 21
"""The oldest version of the tables whose program works on those of the current version as well. Versions after it only
add: tables, indexes, and columns that are nullable or have a default, so that both programs run side by side during an
update, and the older one can come back. What is no longer used is removed in a later version, which raises this."""


def versions(connection: sqlite3.Connection) -> tuple[int, int]:
    """The version of the tables, and the oldest whose program works on them."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'schema_info'").fetchone() is None:
        return version, version
    return version, connection.execute("SELECT ifnull(max(oldest), 0) FROM schema_info").fetchone()[0]


def migrate(connection: sqlite3.Connection) -> None:
    """Bring tables of any older version, or none, to the current one; runs inside a write transaction, so processes
    take turns. Tables of a newer version stay as they are if this program works on them. Raises RuntimeError if it does
    not."""
    version, oldest = versions(connection)
    if version > VERSION:
        if oldest > VERSION:
            raise RuntimeError(
                f"the database has schema version {version}, this program supports {VERSION}: update the program"
            )
        return
    if (version, oldest) != (VERSION, OLDEST):
        _upgrade(connection, version)


def _upgrade(connection: sqlite3.Connection, version: int) -> None:
    make_room_from(version, connection)
    changes = changes_to(statements(), connection)
    for statement in (*changes.tables, *changes.indexes):
        connection.execute(statement)
    fill_from(version, connection)
    for statement in changes.triggers:
        connection.execute(statement)
    # A PRAGMA takes no parameters.
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("DELETE FROM schema_info")
    connection.execute("INSERT INTO schema_info VALUES (?)", (OLDEST,))


@cache
def statements() -> tuple[str, ...]:
    """What makes the tables, indexes and triggers of a new database, in no particular order of tables."""
    files = sorted(Path(__file__).parent.glob("*.sql"))
    return tuple(statement for file in files for statement in _split(file.read_text()))


def _split(script: str) -> list[str]:
    """The statements of a script; each ends with its line."""
    found, statement = [], ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            found.append(statement)
            statement = ""
    return found
