"""What is wrong with a database itself, whatever it says."""

from serve_app.store.sqlite.engine.driver import sqlite3

_SHOWN = 20


def find_damage(connection: sqlite3.Connection) -> list[str]:
    """What SQLite finds wrong in the file and its indexes, a line for each. Reads all of the file."""
    return _checked(connection, f"PRAGMA integrity_check({_SHOWN})")


def find_gross_damage(connection: sqlite3.Connection) -> list[str]:
    """The same without comparing indexes with their tables, which takes much longer; at most one line."""
    return _checked(connection, "PRAGMA quick_check(1)")


def find_broken_references(connection: sqlite3.Connection) -> list[str]:
    """Tables with rows whose parents are missing, a line for each."""
    try:
        broken = {(row[0], row[2]) for row in connection.execute("PRAGMA foreign_key_check")}
    except sqlite3.DatabaseError as error:
        return [str(error)]
    return [f"rows of {table} name rows of {parent} that are not there" for table, parent in sorted(broken)]


def _checked(connection: sqlite3.Connection, check: str) -> list[str]:
    try:
        found = [str(row[0]) for row in connection.execute(check)]
    except sqlite3.DatabaseError as error:
        return [str(error)]
    return [] if found == ["ok"] else found
