"""Watched folders, in both stores."""

from dataclasses import replace
from datetime import timedelta

import pytest

from serve_app.domain.account import Account, Plan
from serve_app.domain.ids import new_id
from serve_app.domain.watched_folder import FolderScan, WatchedFile, WatchedFolder, folder_id_of
from serve_app.store.base import Store
from tests.support import NOON, queue_new

MINUTE = timedelta(minutes=1)


def folder_of(account: Account, place: str = "/srv/in") -> WatchedFolder:
    return WatchedFolder(folder_id_of(place), account.id, place, NOON)


@pytest.fixture
async def folder(store: Store, account: Account) -> WatchedFolder:
    folder = folder_of(account)
    assert await store.watched_folders.add(folder)
    return folder


class TestFolders:
    async def test_are_listed_the_oldest_first(self, store: Store, account: Account, folder: WatchedFolder) -> None:
        earlier = replace(folder_of(account, "/srv/other"), added_at=NOON - MINUTE)
        assert await store.watched_folders.add(earlier)
        assert await store.watched_folders.list_all() == [earlier, folder]

    async def test_a_place_is_watched_for_one_account(self, store: Store, folder: WatchedFolder) -> None:
        second = Account(new_id(), Plan.FREE, NOON)
        await store.accounts.add(second)
        assert not await store.watched_folders.add(folder_of(second))
        assert await store.watched_folders.list_all() == [folder]

    async def test_go_with_their_account(self, store: Store, account: Account, folder: WatchedFolder) -> None:
        await store.erasure.account(account.id)
        assert await store.watched_folders.list_all() == []
        assert not await store.watched_folders.add(folder)

    async def test_a_scan_replaces_the_problem_and_adds_to_the_counts(
        self, store: Store, folder: WatchedFolder
    ) -> None:
        await store.watched_folders.record_scan(folder, FolderScan(NOON, "no space", waiting=7, done=1, failed=2))
        await store.watched_folders.record_scan(folder, FolderScan(NOON + MINUTE, waiting=4, done=3))
        (found,) = await store.watched_folders.list_all()
        assert found == replace(folder, scanned_at=NOON + MINUTE, problem="", waiting=4, done=4, failed=2)

    async def test_of_another_account_cannot_be_changed(self, store: Store, folder: WatchedFolder) -> None:
        assert not await store.watched_folders.set_paused(new_id(), folder.id, True)
        assert not await store.watched_folders.remove(new_id(), folder.id)
        assert await store.watched_folders.list_all() == [folder]


class TestHold:
    async def test_one_process_holds_a_folder_until_its_time_is_over(self, store: Store, folder: WatchedFolder) -> None:
        folders, first, second = store.watched_folders, new_id(), new_id()
        assert await folders.lease(folder, first, NOON, NOON + MINUTE)
        assert await folders.lease(folder, first, NOON, NOON + 2 * MINUTE)
        assert not await folders.lease(folder, second, NOON + MINUTE, NOON + 3 * MINUTE)
        assert await folders.lease(folder, second, NOON + 3 * MINUTE, NOON + 4 * MINUTE)
        assert not await folders.lease(folder, first, NOON + 3 * MINUTE, NOON + 4 * MINUTE)

    async def test_only_the_holder_can_release_it(self, store: Store, folder: WatchedFolder) -> None:
        folders, first, second = store.watched_folders, new_id(), new_id()
        await folders.lease(folder, first, NOON, NOON + MINUTE)
        await folders.release(folder, second)
        assert not await folders.lease(folder, second, NOON, NOON + MINUTE)
        await folders.release(folder, first)
        assert await folders.lease(folder, second, NOON, NOON + MINUTE)

    async def test_nobody_holds_a_paused_or_removed_folder(
        self, store: Store, account: Account, folder: WatchedFolder
    ) -> None:
        folders, holder = store.watched_folders, new_id()
        assert await folders.set_paused(account.id, folder.id, True)
        assert not await folders.lease(folder, holder, NOON, NOON + MINUTE)
        assert await folders.set_paused(account.id, folder.id, False)
        assert await folders.lease(folder, holder, NOON, NOON + MINUTE)
        assert await folders.remove(account.id, folder.id)
        assert not await folders.lease(folder, holder, NOON, NOON + MINUTE)
        await folders.record_scan(folder, FolderScan(NOON))
        assert await folders.list_all() == []


class TestFiles:
    async def test_the_first_record_of_a_content_stands(
        self, store: Store, account: Account, folder: WatchedFolder
    ) -> None:
        first = WatchedFile(account.id, folder.id, "a" * 64, new_id(), NOON)
        assert await store.watched_folders.claim_file(first) == first
        again = replace(first, invoice_id=new_id(), found_at=NOON + MINUTE)
        assert await store.watched_folders.claim_file(again) == first
        elsewhere = replace(again, folder_id=folder_id_of("/srv/other"))
        assert await store.watched_folders.claim_file(elsewhere) == elsewhere

    async def test_a_removed_folder_forgets_its_files(
        self, store: Store, account: Account, folder: WatchedFolder
    ) -> None:
        await store.watched_folders.claim_file(WatchedFile(account.id, folder.id, "a" * 64, new_id(), NOON))
        await store.watched_folders.remove(account.id, folder.id)
        new = WatchedFile(account.id, folder.id, "a" * 64, new_id(), NOON)
        assert await store.watched_folders.claim_file(new) == new

    async def test_the_record_goes_with_its_invoice(
        self, store: Store, account: Account, folder: WatchedFolder
    ) -> None:
        record = await queue_new(store, account.id)
        file = WatchedFile(account.id, folder.id, "a" * 64, record.invoice.id, NOON)
        other = replace(file, sha256="b" * 64, invoice_id=new_id())
        for each in (file, other):
            await store.watched_folders.claim_file(each)
        await store.erasure.invoice(record, NOON)
        new = replace(file, invoice_id=new_id())
        assert await store.watched_folders.claim_file(new) == new
        assert await store.watched_folders.claim_file(replace(other, invoice_id=new_id())) == other
