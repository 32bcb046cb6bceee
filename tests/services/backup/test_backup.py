"""A backup is made while the service works, shares what has not changed, and comes back whole."""

import asyncio
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest

from serve_app.domain.account import Account
from serve_app.domain.user_error import UserError
from serve_app.services.backup.drill import drill
from serve_app.services.backup.make import Backup
from serve_app.services.backup.restore import check, restore
from serve_app.services.backup.snapshot import BackupPlace
from serve_app.services.invoices.erase import InvoiceEraser
from serve_app.services.upkeep.verification import Verification
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.store.base.copies import WholeDatabase
from serve_app.store.factory import open_store, open_store_check, open_whole
from serve_app.store.files import FolderFiles
from tests.support import Clock
from tests.support.databases import Database
from tests.support.sound import Scene, add_document, make_scene, spread

MONTH = timedelta(days=30)


@pytest.fixture
async def scene(store: Store, files: Files) -> Scene:
    return await make_scene(store, files)


@pytest.fixture
def place(tmp_path: Path) -> BackupPlace:
    return BackupPlace(FolderFiles(tmp_path / "backups"))


@pytest.fixture
def whole(settings: Settings) -> WholeDatabase:
    return open_whole(settings)


@pytest.fixture
def elsewhere(settings: Settings, tmp_path: Path) -> Settings:
    """Settings of an empty place."""
    places = {"database_url": f"sqlite:///{tmp_path}/new/invoices.db", "files_url": str(tmp_path / "new" / "files")}
    return settings.model_copy(update=places)


async def restored(place: BackupPlace, elsewhere: Settings) -> list[str]:
    """What is wrong after a restore; the damage that it named comes first."""
    files = FolderFiles(Path(str(elsewhere.files_url)))
    outcome = await restore(place, open_whole(elsewhere), files)
    verification = Verification(open_store_check(elsewhere), files, pause_seconds=0)
    accounts = await verification.all_accounts()
    found = [each.what for account in accounts for each in await verification.of_account(account)]
    strays = [stray.what async for stray in verification.strays(accounts)]
    return outcome.damage + await verification.damage() + found + strays


async def test_what_was_backed_up_comes_back_whole(
    scene: Scene, store: Store, files: Files, place: BackupPlace, whole: WholeDatabase, elsewhere: Settings
) -> None:
    snapshot, done = await Backup(place, whole, files).make(MONTH)
    assert (done.files, done.lacking) == (snapshot.files, [])
    assert await restored(place, elsewhere) == []
    again = open_store(elsewhere)
    here, there = [await one.invoices.find_record(scene.account.id, scene.first.invoice.id) for one in (store, again)]
    assert here == there
    assert await FolderFiles(Path(str(elsewhere.files_url))).read(scene.first.file_key) == await files.read(
        scene.first.file_key
    )
    await again.connection.close()


async def test_only_what_is_new_is_copied_again(
    scene: Scene, store: Store, files: Files, place: BackupPlace, whole: WholeDatabase
) -> None:
    _, first = await Backup(place, whole, files).make(MONTH)
    assert first.copied > 0
    await add_document(store, files, scene.account, numbers=())
    _, second = await Backup(BackupPlace(place.files), whole, files).make(MONTH)
    assert (second.files, second.copied) == (first.files + 1, 1)


async def test_a_file_that_changes_is_copied_again(
    scene: Scene, files: Files, place: BackupPlace, whole: WholeDatabase, elsewhere: Settings
) -> None:
    await Backup(place, whole, files).make(MONTH)
    await files.write(scene.first.file_key, b"opened with its password")
    _, second = await Backup(BackupPlace(place.files), whole, files).make(MONTH)
    assert second.copied == 1
    assert await restored(place, elsewhere) == []
    assert await FolderFiles(Path(str(elsewhere.files_url))).read(scene.first.file_key) == b"opened with its password"


async def test_a_backup_under_load_restores_without_a_difference(
    scene: Scene, store: Store, files: Files, place: BackupPlace, whole: WholeDatabase, elsewhere: Settings
) -> None:
    """Documents come, are read and deleted all the time."""
    rounds = asyncio.Queue[UUID]()
    working = asyncio.create_task(_work(store, files, scene.account, rounds))
    for _ in range(3):
        for _ in range(3):
            await rounds.get()
        snapshot, done = await Backup(BackupPlace(place.files), whole, files).make(MONTH)
    working.cancel()
    await asyncio.gather(working, return_exceptions=True)
    assert snapshot.files > 20
    assert done.lacking == []
    assert await restored(place, elsewhere) == []


async def _work(store: Store, files: Files, account: Account, done: asyncio.Queue[UUID]) -> None:
    eraser, number = InvoiceEraser(store, files), 10
    while True:
        kept = await add_document(store, files, account, numbers=(str(number), str(number + 1)))
        gone = await add_document(store, files, account, numbers=("2",))
        await spread(store)
        await eraser.erase(account.id, gone.invoice.id)
        done.put_nowait(kept.invoice.id)
        number += 2


async def test_a_file_that_comes_and_goes_meanwhile_is_not_missed(
    scene: Scene, store: Store, files: Files, place: BackupPlace, settings: Settings, elsewhere: Settings
) -> None:
    """It comes after the files are listed, and goes after the database is copied: that is then copied once more."""
    whole = open_whole(settings)
    backup = Backup(place, whole, files)
    take, looks = backup._take_files, 0

    async def take_files() -> set[str]:
        nonlocal looks
        looks += 1
        if looks == 2:
            await InvoiceEraser(store, files).erase(scene.account.id, late.invoice.id)
        return await take()

    await take_files()
    late = await add_document(store, files, scene.account, numbers=("7",))
    await spread(store)
    backup._take_files = take_files  # type: ignore[method-assign]
    looks = 1
    _, copy, _ = await backup._take_database()
    assert looks == 3
    assert late.file_key not in copy.file_keys
    assert backup._progress.lacking == []


async def test_what_the_service_itself_has_lost_is_reported(
    scene: Scene, files: Files, place: BackupPlace, whole: WholeDatabase, elsewhere: Settings
) -> None:
    await files.delete(scene.first.file_key)
    _, done = await Backup(place, whole, files).make(MONTH)
    assert done.lacking == [scene.first.file_key]
    found = await restored(place, elsewhere)
    assert found[0] == f"{scene.first.file_key} was missing when the backup was made"


async def test_damage_of_a_backup_is_named(
    scene: Scene, files: Files, place: BackupPlace, whole: WholeDatabase, elsewhere: Settings, tmp_path: Path
) -> None:
    snapshot, _ = await Backup(place, whole, files).make(MONTH)
    assert (await check(place)).damage == []
    entries = {entry.key: entry.object async for entry in place.entries(snapshot)}
    objects = tmp_path / "backups" / "objects"
    harmed, gone = entries[scene.first.file_key], entries[f"{scene.first.file_key}-pictures/1"]
    (objects / harmed[:2] / harmed).write_bytes(b"other")
    (objects / gone[:2] / gone).unlink()
    damage = (await check(place)).damage
    assert f"the file {scene.first.file_key}: object {harmed} is damaged" in damage
    assert any(line.endswith(f"object {gone} is missing") for line in damage)
    found = await restored(place, elsewhere)
    assert f"the file {scene.first.file_key}: object {harmed} is damaged" in found
    assert any(f"its document {scene.first.file_key} is missing" in line for line in found)


async def test_a_damaged_database_is_not_restored(
    scene: Scene, files: Files, place: BackupPlace, whole: WholeDatabase, elsewhere: Settings, tmp_path: Path
) -> None:
    snapshot, _ = await Backup(place, whole, files).make(MONTH)
    name = snapshot.database[0]
    (tmp_path / "backups" / "objects" / name[:2] / name).write_bytes(b"other")
    with pytest.raises(UserError, match="the backup of the database is damaged"):
        await restored(place, elsewhere)
    assert await open_whole(elsewhere).find_content() is None
    assert f"the database: object {name} is damaged" in (await check(place)).damage


async def test_nothing_is_restored_over_something(
    scene: Scene, files: Files, place: BackupPlace, whole: WholeDatabase, elsewhere: Settings, settings: Settings
) -> None:
    await Backup(place, whole, files).make(MONTH)
    with pytest.raises(UserError, match="not empty"):
        await restored(place, settings)
    await FolderFiles(Path(str(elsewhere.files_url))).write("some/file", b"bytes")
    with pytest.raises(UserError, match="it has some/file"):
        await restored(place, elsewhere)


async def test_a_restore_that_was_cut_off_is_repeated(
    scene: Scene, files: Files, place: BackupPlace, whole: WholeDatabase, elsewhere: Settings
) -> None:
    await Backup(place, whole, files).make(MONTH)
    await FolderFiles(Path(str(elsewhere.files_url))).write(scene.first.file_key, b"half")
    assert await restored(place, elsewhere) == []


async def test_expired_snapshots_go_with_what_only_they_have(
    scene: Scene, store: Store, files: Files, place: BackupPlace, whole: WholeDatabase, clock: Clock
) -> None:
    first, _ = await Backup(place, whole, files, clock).make(MONTH)
    await InvoiceEraser(store, files, clock).erase(scene.account.id, scene.first.invoice.id)
    clock.advance(31 * 86400)
    second, done = await Backup(BackupPlace(place.files), whole, files, clock).make(MONTH)
    assert done.expired == [first.id]
    assert [one.id for one in await place.snapshots()] == [second.id]
    kept = {key.rpartition("/")[2] for key in await place.files.keys_in("objects")}
    assert kept == second.objects | {entry.object async for entry in place.entries(second)}
    assert (await check(place)).damage == []


async def test_two_backups_to_a_place_do_not_run_at_once(
    scene: Scene, files: Files, place: BackupPlace, whole: WholeDatabase, clock: Clock
) -> None:
    await place.files.write(f"running/{int(clock.now.timestamp()) - 60}-other", b"")
    with pytest.raises(UserError, match="another backup to this target is running"):
        await Backup(place, whole, files, clock).make(MONTH)
    clock.advance(86400)
    await Backup(place, whole, files, clock).make(MONTH)


async def test_a_backup_of_a_newer_schema_is_refused(
    scene: Scene, files: Files, place: BackupPlace, whole: WholeDatabase, elsewhere: Settings
) -> None:
    whole.schema += 1
    await Backup(place, whole, files).make(MONTH)
    with pytest.raises(UserError, match="this program supports"):
        await restored(place, elsewhere)


@pytest.mark.parametrize("store_kind", ["mongomock"])
class TestMongo:
    @pytest.fixture
    async def whole(self, database: Database) -> WholeDatabase:
        from serve_app.store.mongo.backup.copying import MongoWhole

        return MongoWhole(database.url, is_idle=True, client=database.client)

    async def test_what_was_backed_up_comes_back_whole(
        self, scene: Scene, files: Files, place: BackupPlace, whole: WholeDatabase, database: Database, tmp_path: Path
    ) -> None:
        from serve_app.store.mongo.backup.copying import MongoWhole
        from serve_app.store.mongo.store import open_mongo_check

        await Backup(place, whole, files).make(MONTH)
        url, copies = f"{database.url}_new", FolderFiles(tmp_path / "new")
        target = MongoWhole(url, is_idle=True, client=database.client)
        outcome = await restore(place, target, copies)
        assert outcome.damage == []
        found = Verification(open_mongo_check(url, database.client), copies, pause_seconds=0)
        assert await found.all_accounts() == [scene.account.id]
        assert await found.of_account(scene.account.id) == []
        with pytest.raises(UserError, match="not empty"):
            await restore(place, target, copies)

    async def test_a_drill_leaves_an_empty_database(
        self, scene: Scene, files: Files, place: BackupPlace, whole: WholeDatabase, database: Database, tmp_path: Path
    ) -> None:
        from serve_app.store.mongo.backup.copying import MongoWhole
        from serve_app.store.mongo.store import open_mongo_check

        await Backup(place, whole, files).make(MONTH)
        url, copies = f"{database.url}_drill", FolderFiles(tmp_path / "drill")
        target = MongoWhole(url, is_idle=True, client=database.client)
        outcome = await drill(place, target, copies, lambda: open_mongo_check(url, database.client))
        assert (outcome.damage, outcome.files > 0) == ([], True)
        assert await target.find_content() is None
        with pytest.raises(UserError, match="not empty"):
            await drill(place, whole, copies, lambda: open_mongo_check(url, database.client))
        assert await whole.find_content() is not None

    async def test_a_server_without_snapshots_is_refused_while_it_is_written_to(
        self, scene: Scene, files: Files, place: BackupPlace, database: Database, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from pymongo.errors import ConfigurationError

        from serve_app.store.mongo.backup.copying import MongoWhole

        def refuse(**options: object) -> None:
            raise ConfigurationError("Snapshot reads require MongoDB 5.0 or later")

        monkeypatch.setattr(database.client, "start_session", refuse)
        with pytest.raises(UserError, match="replica set"):
            await Backup(place, MongoWhole(database.url, client=database.client), files).make(MONTH)

    async def test_another_kind_of_database_is_refused(
        self, scene: Scene, files: Files, place: BackupPlace, whole: WholeDatabase, elsewhere: Settings
    ) -> None:
        await Backup(place, whole, files).make(MONTH)
        with pytest.raises(UserError, match="is of a mongodb database, and DATABASE_URL names a sqlite one"):
            await restored(place, elsewhere)
