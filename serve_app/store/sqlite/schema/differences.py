"""What a database lacks of a schema. Tables and columns only come, so that programs of before can go on working."""

from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import NamedTuple

from serve_app.store.sqlite.engine.driver import sqlite3

_OBJECTS = """
    SELECT type, name, sql FROM sqlite_schema
    WHERE sql IS NOT NULL AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow')
    ORDER BY rowid
"""
_COLUMNS = 'SELECT name, type, "notnull", dflt_value FROM pragma_table_info(?) ORDER BY cid'

Objects = dict[tuple[str, str], str]
"""The statement that made each table, index and trigger, by type and name."""


class Changes(NamedTuple):
    """Statements, to be executed in this order; rows are filled before the triggers are there."""

    tables: list[str]
    indexes: list[str]
    triggers: list[str]


def changes_to(statements: Iterable[str], connection: sqlite3.Connection) -> Changes:
    """What gives the database the tables, columns, indexes and triggers that `statements` make in an empty one. Indexes
    and triggers that differ, or are no longer scratch, are dropped first."""
    with closing(sqlite3.connect(":memory:")) as scratch:
        for statement in statements:
            scratch.execute(statement)
        present, target = _objects(connection), _objects(scratch)
        missing = {key: sql for key, sql in target.items() if not _is_same(key, sql, present)}
        return Changes(
            tables=[*_drops(present, target), *_of("table", missing), *_columns(scratch, connection, present, target)],
            indexes=_of("index", missing),
            triggers=_of("trigger", missing),
        )


def _objects(connection: sqlite3.Connection) -> Objects:
    return {(kind, name): sql for kind, name, sql in connection.execute(_OBJECTS)}


def _is_same(key: tuple[str, str], sql: str, present: Objects) -> bool:
    """A table is the same if it is there: its columns are compared on their own."""
    return key in present and (key[0] == "table" or present[key].split() == sql.split())


def _drops(present: Objects, target: Objects) -> list[str]:
    kept = {key for key, sql in present.items() if _is_same(key, sql, target)}
    return [f"DROP {kind} {name}" for kind, name in present if kind != "table" and (kind, name) not in kept]


def _of(kind: str, objects: Objects) -> list[str]:
    return [sql for (found, _), sql in objects.items() if found == kind]


def _columns(
    scratch: sqlite3.Connection, connection: sqlite3.Connection, present: Objects, target: Objects
) -> Iterator[str]:
    for kind, table in target:
        if kind != "table" or (kind, table) not in present:
            continue
        known = {row[0] for row in connection.execute(_COLUMNS, (table,))}
        for name, type_, is_required, default in scratch.execute(_COLUMNS, (table,)):
            if name not in known:
                yield f"ALTER TABLE {table} ADD COLUMN {name} {type_}{_rules(is_required, default)}"


def _rules(is_required: int, default: str | None) -> str:
    return (" NOT NULL" if is_required else "") + ("" if default is None else f" DEFAULT {default}")
