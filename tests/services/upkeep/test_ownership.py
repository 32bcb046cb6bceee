"""A file store belongs to one deployment, and no other one works or deletes there."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from serve_app.domain.account import Account
from serve_app.domain.ids import new_id
from serve_app.domain.record import DEPLOYMENT, cuts_folder_of, file_key_of, pages_key_of
from serve_app.domain.user_error import UserError
from serve_app.services.backup.make import Backup
from serve_app.services.backup.restore import restore
from serve_app.services.backup.snapshot import BackupPlace
from serve_app.services.upkeep.housekeeping import Housekeeping
from serve_app.services.upkeep.ownership import FileOwnership, owner_of
from serve_app.services.upkeep.verification import Verification
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.store.factory import open_store, open_store_check, open_whole
from serve_app.store.files import FolderFiles
from tests.support import Clock, queue_new
from tests.support.databases import Database
from tests.support.file_stores import KINDS, open_file_store
from tests.support.sound import make_scene

HOUR = 3600.0
MONTH = timedelta(days=30)


@pytest.fixture(params=KINDS)
def open_files_again(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Files]]:
    with open_file_store(request.param, tmp_path / "shared") as opened:
        yield opened


@pytest.fixture
def shared(open_files_again: Callable[[], Files]) -> Files:
    return open_files_again()


@pytest.fixture
def other(tmp_path: Path, settings: Settings) -> Store:
    """The store of another deployment."""
    path = tmp_path / "other" / "invoices.db"
    return Database(f"sqlite:///{path}").open(settings.model_copy(update={"database_url": f"sqlite:///{path}"}), None)


async def test_the_first_deployment_has_an_empty_file_store_and_another_is_refused(
    store: Store, other: Store, shared: Files, open_files_again: Callable[[], Files]
) -> None:
    await FileOwnership(store.deployment, shared).claim()
    await FileOwnership(store.deployment, open_files_again()).claim()
    with pytest.raises(UserError, match=f"belongs to another deployment {await store.deployment.get()}.*files adopt"):
        await FileOwnership(other.deployment, open_files_again()).claim()


async def test_files_from_before_there_were_ids_are_claimed(store: Store, shared: Files, account: Account) -> None:
    record = await queue_new(store, account.id)
    await shared.write(record.file_key, b"of an earlier version")
    await FileOwnership(store.deployment, shared).claim()
    owner = await owner_of(shared)
    assert owner is not None
    assert owner.deployment == await store.deployment.get()
    assert await shared.read(record.file_key) == b"of an earlier version"


async def test_housekeeping_deletes_nothing_of_another_deployment(
    store: Store, other: Store, shared: Files, account: Account, clock: Clock
) -> None:
    """The words of a run in progress there, and the plan by which a file is being cut."""
    await FileOwnership(other.deployment, shared).claim()
    theirs = new_id(), new_id()
    keys = [pages_key_of(*theirs), f"{cuts_folder_of(file_key_of(*theirs))}/{new_id()}", file_key_of(*theirs)]
    for key in keys:
        await shared.write(key, b"theirs")
    clock.advance(2 * HOUR)
    await Housekeeping(store, shared, HOUR, clock).run_round()
    assert [await shared.read(key) for key in keys] == [b"theirs"] * len(keys)


async def test_housekeeping_of_a_deployment_whose_files_were_adopted_rests(
    store: Store, other: Store, shared: Files, clock: Clock
) -> None:
    await Housekeeping(store, shared, HOUR, clock).run_round()
    await FileOwnership(other.deployment, shared).adopt()
    await shared.write(key := pages_key_of(new_id(), new_id()), b"theirs")
    await Housekeeping(store, shared, HOUR, clock).run_round()
    assert await shared.read(key) == b"theirs"
    await Housekeeping(other, shared, HOUR, clock).run_round()
    with pytest.raises(FileNotFoundError):
        await shared.read(key)


async def test_a_damaged_note_is_no_permission(store: Store, shared: Files) -> None:
    await shared.write(DEPLOYMENT, b"{")
    with pytest.raises(UserError, match=f"the file {DEPLOYMENT} in the file store .* cannot be read"):
        await FileOwnership(store.deployment, shared).claim()


async def test_the_note_is_no_stray_file(store: Store, files: Files, settings: Settings) -> None:
    await FileOwnership(store.deployment, files).claim()
    assert [one async for one in Verification(open_store_check(settings), files, pause_seconds=0).strays([])] == []


class TestBackups:
    @pytest.fixture
    async def place(self, store: Store, files: Files, settings: Settings, tmp_path: Path) -> BackupPlace:
        """With a backup of a deployment that has claimed its files."""
        await make_scene(store, files)
        await FileOwnership(store.deployment, files).claim()
        place = BackupPlace(FolderFiles(tmp_path / "backups"))
        await Backup(place, open_whole(settings), files).make(MONTH)
        return place

    @pytest.fixture
    def elsewhere(self, settings: Settings, tmp_path: Path) -> Settings:
        return settings.model_copy(update={"database_url": f"sqlite:///{tmp_path}/new/invoices.db"})

    async def test_what_is_restored_is_another_deployment(
        self, place: BackupPlace, store: Store, files: Files, elsewhere: Settings, tmp_path: Path
    ) -> None:
        copies = FolderFiles(tmp_path / "new-files")
        await restore(place, open_whole(elsewhere), copies)
        restored = open_store(elsewhere)
        await FileOwnership(restored.deployment, copies).claim()
        assert await restored.deployment.get() != await store.deployment.get()
        with pytest.raises(UserError, match="belongs to another deployment"):
            await FileOwnership(restored.deployment, files).claim()
        await restored.connection.close()

    async def test_files_of_a_living_deployment_are_not_restored_over(
        self, place: BackupPlace, files: Files, elsewhere: Settings
    ) -> None:
        with pytest.raises(UserError, match=r"belongs to deployment .* --adopt-files"):
            await restore(place, open_whole(elsewhere), files)
        assert await open_whole(elsewhere).find_content() is None

    async def test_files_of_a_lost_deployment_are_taken_over_if_asked(
        self, place: BackupPlace, files: Files, elsewhere: Settings
    ) -> None:
        outcome = await restore(place, open_whole(elsewhere), files, adopts_files=True)
        assert outcome.damage == []
        restored = open_store(elsewhere)
        await FileOwnership(restored.deployment, files).claim()
        await restored.connection.close()

    async def test_a_file_store_is_no_place_for_backups(
        self, place: BackupPlace, files: Files, settings: Settings
    ) -> None:
        with pytest.raises(UserError, match="is the file store of a service"):
            await Backup(BackupPlace(files), open_whole(settings), files).make(MONTH)
