"""The watcher follows what operators add, pause and remove."""

import asyncio
from pathlib import Path

from serve_app.domain.account import Account
from serve_app.domain.invoice import Extraction
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.wiring.watching import build_folders, build_watcher
from tests.support import LEASE, NOON
from tests.support.until import until
from tests.support.watching import pdf


async def test_two_watchers_take_each_file_once(
    store: Store, files: Files, settings: Settings, account: Account, tmp_path: Path
) -> None:
    quick = settings.model_copy(update={"watch_poll_seconds": 0.02, "watch_settle_seconds": 0.0})
    root = tmp_path / "in"
    root.mkdir()
    for number in range(5):
        (root / f"{number}.pdf").write_bytes(pdf(str(number)))
    folder = await build_folders(store, quick).add(account.id, str(root))
    watchers = [build_watcher(store, files, quick, poll_seconds=0.02) for _ in range(2)]
    running = [asyncio.create_task(watcher.run()) for watcher in watchers]
    finished = 0

    async def process() -> bool:
        nonlocal finished
        while claim := await store.queue.claim_due_invoice(LEASE):
            await store.queue.save_result(claim, Extraction(), NOON)
            finished += 1
        return len(list((root / "done").glob("*.json"))) == 5

    await until(process)
    assert finished == 5
    await build_folders(store, quick).set_paused(folder.id, True)

    async def is_released() -> bool:
        (found,) = await store.watched_folders.list_all()
        return found.holder is None

    await until(is_released)
    for watcher in watchers:
        watcher.stop()
    await asyncio.gather(*running)
