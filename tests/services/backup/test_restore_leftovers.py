"""A restore is refused over anything that a database left behind, and never mixes it into what was backed up."""

import sqlite3 as system_sqlite
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from serve_app.domain.user_error import UserError
from serve_app.services.backup.make import Backup
from serve_app.services.backup.restore import Outcome, restore
from serve_app.services.backup.snapshot import BackupPlace
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.store.base.copies import WholeDatabase
from serve_app.store.factory import open_store_check, open_whole
from serve_app.store.files import FolderFiles
from serve_app.store.sqlite.engine.driver import sqlite3
from tests.support.databases import Database
from tests.support.sound import Scene, add_document, make_scene, spread

MONTH = timedelta(days=30)


@pytest.fixture
async def scene(store: Store, files: Files) -> Scene:
    return await make_scene(store, files)


@pytest.fixture
async def place(scene: Scene, files: Files, settings: Settings, tmp_path: Path) -> BackupPlace:
    """With one backup of the scene."""
    place = BackupPlace(FolderFiles(tmp_path / "backups"))
    await Backup(place, open_whole(settings), files).make(MONTH)
    return place


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the database is restored to."""
    (tmp_path / "new").mkdir()
    return tmp_path / "new" / "invoices.db"


async def restored(place: BackupPlace, path: Path) -> Outcome:
    target = Settings(database_url=f"sqlite:///{path}")
    return await restore(place, open_whole(target), FolderFiles(path.parent / "files"))


def names_in(folder: Path) -> set[str]:
    return {found.name for found in folder.iterdir()} - {"files"}


@pytest.mark.parametrize("suffix", ["", "-wal", "-shm", "-journal"])
async def test_each_leftover_of_a_database_refuses_the_restore(place: BackupPlace, path: Path, suffix: str) -> None:
    leftover = path.with_name(f"{path.name}{suffix}")
    leftover.write_bytes(b"")
    with pytest.raises(UserError, match=rf"{leftover} is there.*move the existing data"):
        await restored(place, path)
    assert names_in(path.parent) == {leftover.name}


async def test_a_dangling_link_in_the_place_of_the_database_refuses_the_restore(place: BackupPlace, path: Path) -> None:
    path.symlink_to(path.with_name("elsewhere.db"))  # noqa: ASYNC240 - a link
    with pytest.raises(UserError, match="is there"):
        await restored(place, path)


async def test_the_log_of_a_crash_is_not_replayed_onto_a_restored_database(
    place: BackupPlace, scene: Scene, store: Store, files: Files, settings: Settings, path: Path
) -> None:
    """What was written after the backup is only in the log; without its database, it is a leftover."""
    await add_document(store, files, scene.account, numbers=("9",))
    await spread(store)
    log = Path(settings.database_url.removeprefix("sqlite:///") + "-wal")
    path.with_name(f"{path.name}-wal").write_bytes(log.read_bytes())  # noqa: ASYNC240 - a small file
    with pytest.raises(UserError, match="-wal is there"):
        await restored(place, path)


async def test_what_appears_while_the_database_is_written_is_not_replaced(place: BackupPlace, path: Path) -> None:
    class Intruding(FolderFiles):
        async def write(self, key: str, data: bytes) -> None:
            await super().write(key, data)
            path.write_bytes(b"of another service")  # noqa: ASYNC240 - a small file

    target = open_whole(Settings(database_url=f"sqlite:///{path}"))
    with pytest.raises(UserError, match="is there"):
        await restore(place, target, Intruding(path.parent / "files"))
    assert path.read_bytes() == b"of another service"  # noqa: ASYNC240 - a small file
    assert names_in(path.parent) == {path.name}


@pytest.mark.parametrize(
    "name", [".invoices.db.restored", ".invoices.db.restored-wal", ".invoices.db.restored-journal"]
)
async def test_a_file_of_an_interrupted_restore_has_no_effect(place: BackupPlace, path: Path, name: str) -> None:
    path.with_name(name).write_bytes(b"half of something else")
    await restored(place, path)
    accounts = await open_store_check(Settings(database_url=f"sqlite:///{path}")).accounts()
    assert len(accounts) == 1


async def test_a_restored_database_is_sound_for_the_service_and_nothing_else_is_left(
    place: BackupPlace, path: Path
) -> None:
    await restored(place, path)
    assert names_in(path.parent) == {path.name}
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


async def test_a_database_that_the_service_finds_damaged_is_taken_away_again(
    place: BackupPlace, path: Path, settings: Settings, files: Files, store: Store
) -> None:
    """Damage that a quick check of the file does not see: an index with other values than its table."""
    await store.connection.close()
    source = Path(settings.database_url.removeprefix("sqlite:///"))
    _falsify_index(source)
    await Backup(place, open_whole(settings), files).make(MONTH)
    with pytest.raises(UserError, match=r"the database in the backup is damaged .*; try another snapshot"):
        await restored(place, path)
    assert names_in(path.parent) == set()


def _falsify_index(path: Path) -> None:
    with closing(system_sqlite.connect(path)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        name, sql = connection.execute(
            "SELECT name, sql FROM sqlite_schema"
            " WHERE type = 'index' AND tbl_name = 'invoices' AND sql LIKE 'CREATE INDEX%' AND sql NOT LIKE '%WHERE%'"
        ).fetchone()
        wrong = f"CREATE INDEX {name} ON invoices (id)"
        connection.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (wrong, name))
        connection.commit()
    with closing(system_sqlite.connect(path)) as connection:
        connection.execute(f"REINDEX {name}")
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (sql, name))
        connection.commit()


async def test_a_file_that_is_damaged_in_the_backup_is_not_silently_one_that_was_there(
    place: BackupPlace, scene: Scene, path: Path, tmp_path: Path
) -> None:
    entries = {entry.key: entry.object async for entry in place.entries(await place.chosen(None))}
    harmed = entries[scene.first.file_key]
    (tmp_path / "backups" / "objects" / harmed[:2] / harmed).write_bytes(b"other")
    await FolderFiles(path.parent / "files").write(scene.first.file_key, b"of before")
    outcome = await restored(place, path)
    assert [line for line in outcome.damage if "the existing file stays" in line]


async def test_the_copy_of_a_backup_that_was_killed_is_removed_by_the_next(
    place: BackupPlace, settings: Settings, files: Files, tmp_path: Path
) -> None:
    """Such a copy has all that has been deleted since."""
    (left := tmp_path / ".backup-killed").mkdir()
    (left / "invoices.db").write_bytes(b"a copy")
    await Backup(place, open_whole(settings), files).make(MONTH)
    assert not left.exists()


async def test_the_copy_of_a_backup_that_runs_is_not_removed(
    place: BackupPlace, settings: Settings, files: Files, tmp_path: Path
) -> None:
    async with open_whole(settings).copied() as copy:
        async with open_whole(settings).copied():
            pass
        assert [part async for part in copy.parts]


@pytest.mark.parametrize("store_kind", ["mongomock"])
class TestMongo:
    @pytest.fixture
    async def place(self, scene: Scene, files: Files, database: Database, tmp_path: Path) -> BackupPlace:
        place = BackupPlace(FolderFiles(tmp_path / "backups"))
        await Backup(place, _whole(database, database.url), files).make(MONTH)
        return place

    async def test_a_service_does_not_start_on_half_a_restore_and_the_restore_is_repeated(
        self, place: BackupPlace, database: Database, tmp_path: Path, settings: Settings
    ) -> None:
        url, copies = f"{database.url}_new", FolderFiles(tmp_path / "new")
        with pytest.raises(OSError, match="cut off"):
            await restore(_CutOff(place.files), _whole(database, url), copies)
        half = Database(url, database.client).open(settings, None)
        with pytest.raises(RuntimeError, match=r"restore .* was interrupted"):
            await half.accounts.page(10)
        outcome = await restore(place, _whole(database, url), copies)
        assert outcome.damage == []
        whole = Database(url, database.client).open(settings, None)
        assert len((await whole.accounts.page(10)).items) == 1

    async def test_a_collection_with_anything_refuses_the_restore(
        self, place: BackupPlace, database: Database, tmp_path: Path
    ) -> None:
        url = f"{database.url}_new"
        name = url.rpartition("/")[2]
        await database.client[name].calls.insert_one({"_id": "a call"})
        with pytest.raises(UserError, match="not empty: the collection calls has documents"):
            await restore(place, _whole(database, url), FolderFiles(tmp_path / "new"))


class _CutOff(BackupPlace):
    """A place whose database ends early."""

    async def get_packed(self, name: str) -> bytes:
        data = await super().get_packed(name)
        if name in (await self.chosen(None)).database:
            raise OSError("cut off")
        return data


def _whole(database: Database, url: str) -> WholeDatabase:
    from serve_app.store.mongo.backup.copying import MongoWhole

    return MongoWhole(url, is_idle=True, client=database.client)
