"""What a start of another version would do to the database can be asked before."""

from pathlib import Path

import pytest

from serve_app.store.sqlite import schema
from serve_app.store.sqlite.engine.driver import sqlite3
from tests.cli.command_line import Fails, run

KNOWN = schema.VERSION


@pytest.fixture
def older(account: str, folder: Path) -> sqlite3.Connection:
    """The database of the account, made one version older."""
    connection = sqlite3.connect(folder / "data" / "invoices.db", isolation_level=None)
    connection.execute("UPDATE schema_info SET oldest = 1")
    connection.execute(f"PRAGMA user_version = {KNOWN - 1}")
    return connection


def test_before_the_first_start_there_is_no_version(folder: Path) -> None:
    assert run("migrate", "--check") == f"The database is new; this program creates version {KNOWN}.\n"
    assert not (folder / "data").exists()


def test_an_up_to_date_database_needs_nothing(account: str) -> None:
    assert "needs no migration" in run("migrate", "--check")
    assert "needs no migration" in run("migrate")


def test_a_check_changes_nothing(older: sqlite3.Connection) -> None:
    expected = f"The database has version {KNOWN - 1}; this program migrates it to version {KNOWN}.\n"
    assert run("migrate", "--check") == run("migrate", "--check") == expected


def test_a_migration_is_in_the_audit_trail(older: sqlite3.Connection) -> None:
    older.close()
    assert f"now has version {KNOWN}" in run("migrate")
    assert f"database.migrated  before={KNOWN - 1} version={KNOWN}" in run("audit")


def test_a_newer_database_is_distinguished_by_whether_it_can_be_used(older: sqlite3.Connection, fails: Fails) -> None:
    older.execute(f"PRAGMA user_version = {KNOWN + 1}")
    assert "from a newer program" in run("migrate", "--check")
    older.execute("UPDATE schema_info SET oldest = ?", (KNOWN + 1,))
    for arguments in (["migrate", "--check"], ["migrate"]):
        assert f"needs a program of version {KNOWN + 1} or later" in fails(*arguments)
