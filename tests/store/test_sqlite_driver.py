"""The SQLite library that the store uses is one that loses no writes."""

from pathlib import Path

import pytest

from serve_app.settings import Settings
from serve_app.store.factory import open_store
from serve_app.store.sqlite.engine import driver
from serve_app.store.sqlite.engine.connection import Database


@pytest.mark.parametrize("version", [(3, 7, 0), (3, 40, 1), (3, 44, 5), (3, 45, 0), (3, 50, 6), (3, 51, 0), (3, 51, 2)])
def test_a_library_that_can_lose_writes_is_refused(version: driver.Version) -> None:
    with pytest.raises(RuntimeError, match=r"can lose writes .* 3\.44\.6, 3\.50\.7, 3\.51\.3 and later"):
        driver.refuse_unsound_library(version)


@pytest.mark.parametrize("version", [(3, 44, 6), (3, 50, 7), (3, 51, 3), (3, 52, 0), (3, 53, 4), (4, 0, 0)])
def test_a_repaired_library_is_accepted(version: driver.Version) -> None:
    driver.refuse_unsound_library(version)


def test_the_library_in_use_is_sound() -> None:
    driver.refuse_unsound_library()


def test_the_store_is_not_opened_with_an_unsound_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise RuntimeError("SQLite 3.40.1 can lose writes")

    monkeypatch.setattr("serve_app.store.sqlite.store.refuse_unsound_library", refuse)
    with pytest.raises(RuntimeError, match=r"SQLite 3\.40\.1"):
        open_store(Settings(database_url=f"sqlite:///{tmp_path}/invoices.db"))


async def test_the_connections_are_of_this_library(tmp_path: Path) -> None:
    database = Database(tmp_path / "invoices.db")
    version = await database.read(lambda c: c.execute("SELECT sqlite_version()").fetchone()[0])
    assert version == driver.sqlite3.sqlite_version
    await database.close()
