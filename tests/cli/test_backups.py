"""Backups on the command line: made, checked, restored, and what is wrong is named."""

import asyncio
import json
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from serve_app.commands import backups, cli
from serve_app.domain.user_error import UserError
from serve_app.settings import Settings, sqlite_path
from serve_app.store.factory import open_files, open_store
from serve_app.store.sqlite.engine.driver import sqlite3
from tests.cli.command_line import Fails, run
from tests.support.buckets import names_in, new_bucket, s3_server
from tests.support.sound import Scene, make_scene


@pytest.fixture
def scene(folder: Path) -> Scene:
    async def make() -> Scene:
        store, files = open_store(settings := Settings().resolved()), open_files(settings)
        try:
            return await make_scene(store, files)
        finally:
            await store.connection.close()
            await files.close()

    return asyncio.run(make())


def falsify(statement: str) -> None:
    path = sqlite_path(Settings().database_url)
    assert path is not None
    with sqlite3.connect(path) as connection:
        connection.execute(statement)
    connection.close()


def test_a_backup_is_restored_elsewhere(folder: Path, scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    output = run("backup", "copies")
    assert "7 files, " in output
    assert "7 files, 0 of them new" in run("backup", "copies")
    assert run("verify", "copies") == "the backup is whole: the database and 7 files\n"
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{folder}/new/invoices.db")
    monkeypatch.setenv("FILES_URL", str(folder / "new" / "files"))
    assert "restored: the database and 7 files" in run("restore", "copies")
    assert run("verify") == "no differences in 1 accounts\n"
    assert "database.restored" in run("audit")


def test_backups_go_to_s3(folder: Path, scene: Scene) -> None:
    with s3_server() as address:
        bucket = new_bucket(address)
        place = f"s3://{bucket.bucket}/backups?endpoint_url={address}"
        run("backup", place)
        assert all(name.startswith("backups/") for name in names_in(bucket))
        assert "the backup is whole" in run("verify", place)


def complaints(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What `invoices verify` prints where something is wrong."""
    monkeypatch.setattr("serve_app.services.upkeep.verification.PAUSE_SECONDS", 0)
    monkeypatch.setattr(sys, "argv", ["invoices", "verify", *arguments])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 1
    return capsys.readouterr().out


def test_each_difference_is_a_line_and_what_is_derived_is_repaired(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    falsify("UPDATE vendors SET total = '0.01'")
    falsify("DELETE FROM events WHERE type = 'invoice.failed'")
    output = complaints(monkeypatch, capsys)
    assert f"{scene.account.id}: vendors: vendor 'acme': 3 invoices, 0.01 in all" in output
    assert "1 runs, 0 events" in output
    assert "repaired: vendors: vendor 'acme'" in complaints(monkeypatch, capsys, "--repair")
    assert "account.repaired  differences=1" in run("audit", str(scene.account.id))
    left = complaints(monkeypatch, capsys)
    assert "vendor" not in left
    assert "1 runs, 0 events" in left


def test_a_database_that_is_not_there_is_not_taken_for_an_empty_one(folder: Path, fails: Fails) -> None:
    assert "there is no database" in fails("backup", "copies")
    assert "there is no database" in fails("verify")
    assert not (folder / "data").exists()


def test_nothing_is_restored_beside_a_service(
    folder: Path, scene: Scene, fails: Fails, monkeypatch: pytest.MonkeyPatch
) -> None:
    from serve_app.settings.reading import read_settings
    from serve_app.system.folder_lock import lock_folders

    run("backup", "copies")
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{folder}/new/invoices.db")
    with lock_folders(read_settings().local_folders, "a service"):
        assert "is in use by the service" in fails("restore", "copies")


def test_a_place_that_is_none_is_refused(scene: Scene, fails: Fails) -> None:
    assert "http:// is no place for backups" in fails("backup", "http://host/")
    assert fails("restore", "copies") == "invoices: there is no backup in this place"


def test_the_copy_of_a_backup_that_was_killed_does_not_stay(folder: Path, account: str) -> None:
    """It holds what has been deleted since."""
    (left := folder / "data" / ".backup-killed").mkdir()
    (left / "invoices.db").write_bytes(b"a copy")
    run("account", "create")
    assert not left.exists()


def test_a_drill_restores_elsewhere_and_leaves_nothing(folder: Path, scene: Scene, fails: Fails) -> None:
    run("backup", "copies")
    (folder / "scratch").mkdir()
    assert "was restored and verified in " in run("backup", "drill", "copies", "--scratch", "scratch")
    assert list((folder / "scratch").iterdir()) == []
    assert "backup.tested" in run("audit")
    assert run("verify") == "no differences in 1 accounts\n"


@pytest.mark.parametrize("part", ["database", "file"])
def test_a_drill_finds_damage(folder: Path, scene: Scene, fails: Fails, part: str) -> None:
    run("backup", "copies")
    (snapshot,) = (json.loads(path.read_bytes()) for path in (folder / "copies" / "snapshots").iterdir())
    own = {*snapshot["database"], *snapshot["listing"]}
    objects = {path.name: path for path in (folder / "copies" / "objects").rglob("*") if path.is_file()}
    damaged = objects[snapshot["database"][0] if part == "database" else min(objects.keys() - own)]
    damaged.write_bytes(b"other")
    assert "difference" in fails("backup", "drill", "copies")
    assert "backup.found_damaged" in run("audit")


def test_the_last_backups_of_days_are_kept(folder: Path, scene: Scene) -> None:
    for _ in range(3):
        output = run("backup", "copies", "--keep-daily", "2", "--keep-monthly", "1")
    assert output.count("expired and removed") == 1
    assert len(list((folder / "copies" / "snapshots").iterdir())) == 1


class LastDay(Exception):
    """Ends what goes on for ever."""


def test_a_backup_each_day_goes_on_after_one_that_failed(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The clock moves with each wait."""
    now = [datetime(2026, 5, 1, 2, 29, tzinfo=UTC)]
    made: list[datetime] = []

    def wait(seconds: float) -> None:
        now[0] += timedelta(seconds=seconds)

    def make(*_: object, **__: object) -> None:
        made.append(now[0])
        if len(made) == 3:
            raise LastDay
        raise UserError("the place is full")

    monkeypatch.setattr(backups, "utc_now", lambda: now[0])
    monkeypatch.setattr(backups, "sleep", wait)
    monkeypatch.setattr(backups, "_make", make)
    with pytest.raises(LastDay):
        cli.app(["backup", "copies", "--schedule", "02:30"], standalone_mode=False)
    assert made == [datetime(2026, 5, day, 2, 30, tzinfo=UTC) for day in (1, 2, 3)]
    assert capsys.readouterr().err.count("backup failed: the place is full") == 2


@pytest.mark.parametrize("time", ["noon", "someday 02:30"])
def test_a_wrong_time_is_refused(scene: Scene, fails: Fails, time: str) -> None:
    for command in (["backup", "copies"], ["backup", "drill", "copies"]):
        assert f"{time} is no time" in fails(*command, "--schedule", time)
