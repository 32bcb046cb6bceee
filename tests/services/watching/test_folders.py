"""Operators add, pause and remove watched folders."""

from pathlib import Path

import pytest

from serve_app.domain.account import Account, Plan
from serve_app.domain.ids import new_id
from serve_app.domain.user_error import UserError
from serve_app.settings import Settings
from serve_app.store.base import Store
from serve_app.wiring.watching import build_folders
from tests.support import NOON


class TestAdding:
    async def test_the_same_folder_again_changes_nothing(
        self, store: Store, settings: Settings, account: Account, tmp_path: Path
    ) -> None:
        folders = build_folders(store, settings)
        (tmp_path / "in").mkdir()
        (tmp_path / "link").symlink_to("in")
        added = await folders.add(account.id, str(tmp_path / "in"))
        assert await folders.add(account.id, str(tmp_path / "link")) == added
        assert await folders.list_all() == [added]

    async def test_refuses_folders_that_contain_each_other_or_are_of_another_account(
        self, store: Store, settings: Settings, account: Account, tmp_path: Path
    ) -> None:
        folders = build_folders(store, settings)
        (tmp_path / "in/below").mkdir(parents=True)
        (tmp_path / "in2").mkdir()
        await folders.add(account.id, str(tmp_path / "in"))
        with pytest.raises(UserError, match="already watched as"):
            await folders.add(account.id, str(tmp_path / "in/below"))
        second = Account(new_id(), Plan.FREE, NOON)
        await store.accounts.add(second)
        with pytest.raises(UserError, match="already watched as"):
            await folders.add(second.id, str(tmp_path / "in"))
        await folders.add(second.id, str(tmp_path / "in2"))

    async def test_refuses_what_is_no_folder(
        self, store: Store, settings: Settings, account: Account, tmp_path: Path
    ) -> None:
        folders = build_folders(store, settings)
        (tmp_path / "file").touch()
        for text, reason in (("gone", "No such file"), ("file", "not a folder")):
            with pytest.raises(UserError, match=reason):
                await folders.add(account.id, str(tmp_path / text))

    async def test_refuses_the_data_of_the_service(self, store: Store, settings: Settings, account: Account) -> None:
        assert settings.files_folder is not None
        settings.files_folder.mkdir(exist_ok=True)
        for folder in (settings.files_folder, Path("/")):
            with pytest.raises(UserError, match="stores its own data"):
                await build_folders(store, settings).add(account.id, str(folder))

    async def test_needs_an_account(self, store: Store, settings: Settings, tmp_path: Path) -> None:
        (tmp_path / "in").mkdir()
        with pytest.raises(LookupError):
            await build_folders(store, settings).add(new_id(), str(tmp_path / "in"))


async def test_pausing_and_removing(store: Store, settings: Settings, account: Account, tmp_path: Path) -> None:
    folders = build_folders(store, settings)
    (tmp_path / "in").mkdir()
    added = await folders.add(account.id, str(tmp_path / "in"))
    await folders.set_paused(added.id, True)
    assert (await folders.list_all())[0].is_paused
    await folders.remove(added.id)
    assert await folders.list_all() == []
    with pytest.raises(LookupError):
        await folders.remove(added.id)
