"""The tables, and the migrations from every older version of them to the current one."""

from collections.abc import Callable

from serve_app.store.sqlite.engine.driver import sqlite3
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
    version_18,
    version_19,
    version_20,
    version_21,
    version_22,
    version_23,
    version_24,
    version_25,
    version_26,
    version_27,
    version_28,
    version_29,
    version_30,
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
    (version_18.STATEMENTS, None),
    (version_19.STATEMENTS, None),
    (version_20.STATEMENTS, version_20.fill),
    (version_21.STATEMENTS, None),
    (version_22.STATEMENTS, None),
    (version_23.STATEMENTS, None),
    (version_24.STATEMENTS, None),
    (version_25.STATEMENTS, None),
    (version_26.STATEMENTS, None),
    (version_27.STATEMENTS, None),
    (version_28.STATEMENTS, None),
    (version_29.STATEMENTS, version_29.fill),
    (version_30.STATEMENTS, None),
)


OLDEST = 21
"""The oldest version of the tables whose program works on those of the current version as well. Versions after it only
add: tables, indexes, and columns that are nullable or have a default, so that both programs run side by side during an
update, and the older one can come back. What is no longer used is removed in a later version, which raises this."""

# Not one of the versions: programs of before do not mind it.
_INFO = "CREATE TABLE IF NOT EXISTS schema_info (oldest INTEGER NOT NULL) STRICT"


def versions(connection: sqlite3.Connection) -> tuple[int, int]:
    """The version of the tables, and the oldest whose program works on them."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'schema_info'").fetchone() is None:
        return version, version
    return version, connection.execute("SELECT ifnull(max(oldest), 0) FROM schema_info").fetchone()[0]


def migrate(connection: sqlite3.Connection) -> None:
    """Migrate the tables to the current version; runs inside a write transaction, so processes take turns. Tables of a
    newer version stay as they are if this program works on them. Raises RuntimeError if it does not."""
    version, oldest = versions(connection)
    if version > len(MIGRATIONS):
        if oldest > len(MIGRATIONS):
            raise RuntimeError(
                f"the database has schema version {version}, this program knows {len(MIGRATIONS)}: update it"
            )
        return
    if (version, oldest) == (len(MIGRATIONS), OLDEST):
        return
    for statements, fill in MIGRATIONS[version:]:
        for statement in statements:
            connection.execute(statement)
        if fill is not None:
            fill(connection)
    # A PRAGMA takes no parameters.
    connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
    connection.execute(_INFO)
    connection.execute("DELETE FROM schema_info")
    connection.execute("INSERT INTO schema_info VALUES (?)", (OLDEST,))
