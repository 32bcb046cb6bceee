"""Operators see, add, pause and remove watched folders."""

import re
from pathlib import Path

import httpx
import pytest

from serve_app.domain.account import Account
from serve_app.domain.person import Role
from serve_app.domain.watched_folder import FolderScan
from serve_app.settings import Settings
from serve_app.store.base import Store
from tests.support import NOON, UNKNOWN_ID
from tests.web.conftest import Browse

FOLDERS = "/app/operator/folders"


@pytest.fixture
def settings(settings: Settings, tmp_path: Path) -> Settings:
    (tmp_path / "scans/in").mkdir(parents=True)
    (tmp_path / "other").mkdir()
    return settings.model_copy(update={"watch_places": f"{tmp_path}/missing, {tmp_path}/scans"})


@pytest.fixture
def operator(browse: Browse) -> httpx.AsyncClient:
    return browse(Role.VIEWER, is_operator=True)


async def test_a_folder_is_added_paused_resumed_and_removed(
    operator: httpx.AsyncClient, store: Store, account: Account, tmp_path: Path
) -> None:
    assert "No folder is watched." in (await operator.get(FOLDERS)).text
    form = {"place": f"{tmp_path}/scans/in", "account": str(account.id)}
    assert (await operator.post(FOLDERS, data=form)).status_code == 303
    (folder,) = await store.watched_folders.list_all()
    assert (folder.place, folder.account_id) == (form["place"], account.id)
    assert "Not scanned yet" in (await operator.get(FOLDERS)).text
    await store.watched_folders.record_scan(folder, FolderScan(NOON, "<No space left>", waiting=1234))
    text = (await operator.get(FOLDERS)).text
    assert "&lt;No space left&gt;" in text
    assert re.search(r"1.?234", text)
    await operator.post(f"{FOLDERS}/{folder.id}/pause")
    assert "Paused" in (await operator.get(FOLDERS)).text
    await operator.post(f"{FOLDERS}/{folder.id}/resume")
    assert "Problem" in (await operator.get(FOLDERS)).text
    assert form["place"] in (await operator.get(f"{FOLDERS}/{folder.id}/remove")).text
    await operator.post(f"{FOLDERS}/{folder.id}/remove")
    assert await store.watched_folders.list_all() == []
    for trail in (None, account.id):
        actions = [entry.action for entry in (await store.audit.page(trail, 10)).items]
        assert actions == ["folder.removed", "folder.resumed", "folder.paused", "folder.added"]


async def test_only_allowed_places_can_be_added(
    operator: httpx.AsyncClient, store: Store, account: Account, tmp_path: Path
) -> None:
    (tmp_path / "scans/link").symlink_to(tmp_path / "other")
    for place in (f"{tmp_path}/other", f"{tmp_path}/scans/../other", f"{tmp_path}/scans/link", "/", "s3://b/in", ""):
        answer = await operator.post(FOLDERS, data={"place": place, "account": str(account.id)})
        assert answer.status_code == 400, place
    for wrong in ("x", UNKNOWN_ID):
        answer = await operator.post(FOLDERS, data={"place": f"{tmp_path}/scans/in", "account": wrong})
        assert answer.status_code in {400, 404}
    assert await store.watched_folders.list_all() == []


async def test_an_unknown_folder_is_not_found(operator: httpx.AsyncClient) -> None:
    for id in (UNKNOWN_ID, "x"):
        for action in ("pause", "resume", "remove"):
            assert (await operator.post(f"{FOLDERS}/{id}/{action}")).status_code == 404


async def test_only_operators_see_them(browse: Browse, account: Account, tmp_path: Path) -> None:
    owner = browse(Role.OWNER)
    assert (await owner.get(FOLDERS)).status_code == 403
    form = {"place": f"{tmp_path}/scans/in", "account": str(account.id)}
    assert (await owner.post(FOLDERS, data=form)).status_code == 403
