"""SQLite databases that programs of earlier versions made, kept as SQL in `tests/store/databases`."""

from contextlib import closing
from pathlib import Path

from serve_app.store.sqlite.engine.driver import sqlite3

FOLDER = Path(__file__).parents[1] / "store" / "databases"
VERSIONS = sorted(int(file.stem.removeprefix("version_")) for file in FOLDER.glob("*.sql"))


def make_old_database(path: Path, version: int, *, has_rows: bool = True) -> Path:
    """A database of this schema version in a new file at `path`, with what its program wrote or empty."""
    script = (FOLDER / f"version_{version}.sql").read_text()
    kept = (line for line in script.splitlines() if has_rows or not line.startswith("INSERT INTO"))
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("\n".join(kept))
    return path


def shape(path: Path) -> dict[str, object]:
    """Tables with their columns, keys and references in order; indexes and triggers with their statements."""
    pragmas = ("table_list", "table_xinfo", "foreign_key_list")
    with closing(sqlite3.connect(path)) as connection:
        objects = connection.execute("SELECT type, name, ifnull(sql, '') FROM sqlite_schema").fetchall()
        return {
            name: [sorted(connection.execute(f"PRAGMA {pragma}({name})").fetchall()) for pragma in pragmas]
            if kind == "table"
            else sql.split()
            for kind, name, sql in objects
        }
