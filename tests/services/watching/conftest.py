from pathlib import Path

import pytest

from serve_app.domain.account import Account
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from tests.support import Clock
from tests.support.watching import WatchScene


@pytest.fixture
async def scene(
    store: Store, files: Files, settings: Settings, account: Account, tmp_path: Path, clock: Clock
) -> WatchScene:
    scene = WatchScene(store, files, settings, account, tmp_path / "in", clock)
    await scene.add()
    return scene
