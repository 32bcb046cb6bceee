"""A watch whose process is killed after any step leaves neither a lost nor a second invoice, and no file behind."""

import asyncio
import inspect
import os
import signal
from collections.abc import Callable
from datetime import timedelta
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from uuid import UUID

from serve_app.domain.account import Account
from serve_app.domain.clock import month_start, utc_now
from serve_app.services.upkeep.housekeeping import Housekeeping
from serve_app.services.watching.documents import WatchedDocuments
from serve_app.services.watching.settling import Settling
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.store.factory import open_files, open_store
from serve_app.watched import local
from serve_app.watched.local import LocalFolder
from tests.support import Clock
from tests.support.watching import WatchScene, pdf

HOUR = timedelta(hours=1)

STEPS: dict[str, Callable[[WatchScene], tuple[Any, str]]] = {
    "listed": lambda _: (Settling, "scan"),
    "read": lambda _: (LocalFolder, "read"),
    "content recorded": lambda scene: (scene.store.watched_folders, "claim_file"),
    "place reserved": lambda scene: (scene.store.intake, "reserve"),
    "bytes stored": lambda scene: (scene.files, "write"),
    "queued": lambda scene: (scene.store.intake, "add"),
    "result read": lambda _: (WatchedDocuments, "result"),
    "report written": lambda _: (local, "_write"),
    "moved": lambda _: (local, "_sync"),
    "scan recorded": lambda scene: (scene.store.watched_folders, "record_scan"),
}
"""After what the process is killed: a function and its owner."""


async def test_each_step(
    store: Store, files: Files, settings: Settings, account: Account, clock: Clock, tmp_path: Path
) -> None:
    killed = await asyncio.to_thread(_kill_after_each_step, settings, account.id, tmp_path)
    assert killed == list(STEPS)
    # The leases of the dead processes have expired, and reservations are old.
    clock.now = utc_now() + 2 * HOUR
    for number, step in enumerate(STEPS):
        scene = WatchScene(store, files, settings, account, tmp_path / str(number), clock)
        await scene.take(scene.watch())
        assert scene.paths() == ["done/a.pdf", "done/a.pdf.json"], step
        await Housekeeping(store, files, HOUR.total_seconds(), clock).run_round()
        (reported,) = scene.report("done/a.pdf.json")["invoices"]
        record = await store.invoices.find_record(account.id, UUID(reported["id"]))
        assert record is not None
        assert await files.read(record.file_key) == pdf(step)
    assert len(await scene.invoices()) == await store.quotas.used(account.id, month_start(utc_now())) == len(STEPS)


def _kill_after_each_step(settings: Settings, account_id: UUID, folder: Path) -> list[str]:
    """The steps after which a process was killed."""
    context = get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    worker = context.Process(target=_fork_and_kill, args=(settings, account_id, folder, theirs))
    worker.start()
    worker.join()
    killed: list[str] = ours.recv()
    return killed


def _fork_and_kill(settings: Settings, account_id: UUID, folder: Path, answer: Any) -> None:
    """Forks a process for each step, which is cheaper than to start one."""
    killed = []
    for number, step in enumerate(STEPS):
        child = os.fork()
        if child == 0:
            asyncio.run(_work_until(step, settings, account_id, folder / str(number)))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
            killed.append(step)
    answer.send(killed)


async def _work_until(step: str, settings: Settings, account_id: UUID, root: Path) -> None:
    store, files = open_store(settings), open_files(settings)
    account = await store.accounts.get(account_id)
    assert account is not None
    scene = WatchScene(store, files, settings, account, root, Clock(utc_now()))
    await scene.add()
    scene.put("a.pdf", pdf(step))
    watch = scene.watch()
    await watch.run_round()
    scene.advance(10)
    _kill_after(*STEPS[step](scene))
    await watch.run_round()
    await scene.process()
    await watch.run_round()


def _kill_after(owner: Any, name: str) -> None:
    original = getattr(owner, name)

    def kill(*arguments: Any, **named: Any) -> None:
        original(*arguments, **named)
        os.kill(os.getpid(), signal.SIGKILL)

    async def kill_later(*arguments: Any, **named: Any) -> Any:
        found = await original(*arguments, **named)
        if found is not None or name != "result":
            os.kill(os.getpid(), signal.SIGKILL)
        return found

    setattr(owner, name, kill_later if inspect.iscoroutinefunction(original) else kill)
