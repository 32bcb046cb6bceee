"""The tables, and the migrations from every older version of them to the current one."""

from collections.abc import Callable

from serve_app.store.sqlite.driver import sqlite3
from serve_app.store.sqlite.schema import (
    version_1,
    version_2,
    version_3,
    version_4,
    version_5,
    version_6,
    version_7,
    version_8,
    version_9,
    version_10,
    version_11,
    version_12,
    version_13,
    version_14,
    version_15,
    version_16,
    version_17,
)

# One entry per version: its statements, and the function that fills new columns of old rows. An entry is never changed
# once released; the next version is appended.
MIGRATIONS: tuple[tuple[tuple[str, ...], Callable[[sqlite3.Connection], None] | None], ...] = (
    (version_1.STATEMENTS, None),
    (version_2.STATEMENTS, version_2.fill),
    (version_3.STATEMENTS, None),
    (version_4.STATEMENTS, None),
    (version_5.STATEMENTS, version_5.fill),
    (version_6.STATEMENTS, None),
    (version_7.STATEMENTS, None),
    (version_8.STATEMENTS, None),
    (version_9.STATEMENTS, None),
    (version_10.STATEMENTS, None),
    (version_11.STATEMENTS, None),
    (version_12.STATEMENTS, None),
    (version_13.STATEMENTS, None),
    (version_14.STATEMENTS, None),
    (version_15.STATEMENTS, None),
    (version_16.STATEMENTS, None),
    (version_17.STATEMENTS, None),
)


def migrate(connection: sqlite3.Connection) -> None:
    """Migrate the tables to the current version; runs inside a write transaction, so processes take turns."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > len(MIGRATIONS):
        raise RuntimeError(
            f"the database has schema version {version}, this program knows {len(MIGRATIONS)}: update it"
        )
    for statements, fill in MIGRATIONS[version:]:
        for statement in statements:
            connection.execute(statement)
        if fill is not None:
            fill(connection)
    # A PRAGMA takes no parameters.
    connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
