"""Watches all folders of the deployment, or one of them."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from uuid import UUID

from serve_app.domain.errors import ServiceError
from serve_app.domain.watched_folder import WatchedFolder
from serve_app.services.watching.watch import FolderWatch
from serve_app.store.base import WatchedFolders
from serve_app.telemetry.meter import set_to
from serve_app.telemetry.series import WATCHED_PROBLEMS, WATCHED_WAITING

POLL_SECONDS = 5.0

log = logging.getLogger(__name__)


class Watcher:
    """Starts a watch for each folder that is not paused, and ends it once the folder is paused or removed. `only` is
    the one folder to watch; None: all."""

    def __init__(
        self,
        folders: WatchedFolders,
        new_watch: Callable[[WatchedFolder], FolderWatch],
        only: UUID | None = None,
        poll_seconds: float = POLL_SECONDS,
    ) -> None:
        self._folders = folders
        self._new_watch = new_watch
        self._only = only
        self._poll_seconds = poll_seconds
        self._running: dict[UUID, tuple[FolderWatch, asyncio.Task[None]]] = {}
        self._stopped = asyncio.Event()

    def stop(self) -> None:
        """End once the current steps have ended."""
        self._stopped.set()

    async def run(self) -> None:
        """Until `stop`."""
        try:
            while not self._stopped.is_set():
                with suppress(ServiceError):
                    self._start_and_end([each for each in await self._folders.list_all() if not each.is_paused])
                self._publish()
                with suppress(TimeoutError):
                    async with asyncio.timeout(self._poll_seconds):
                        await self._stopped.wait()
        finally:
            for watch, _ in self._running.values():
                watch.stop()
            await asyncio.gather(*(task for _, task in self._running.values()), return_exceptions=True)

    def _start_and_end(self, folders: list[WatchedFolder]) -> None:
        wanted = {folder.id: folder for folder in folders if self._only in (None, folder.id)}
        for id, (watch, task) in list(self._running.items()):
            if task.done():
                del self._running[id]
            elif id not in wanted or wanted[id].account_id != watch.folder.account_id:
                watch.stop()
        for id in wanted.keys() - self._running.keys():
            watch = self._new_watch(wanted[id])
            self._running[id] = watch, asyncio.create_task(watch.run())

    def _publish(self) -> None:
        watches = [watch for watch, _ in self._running.values()]
        set_to(WATCHED_WAITING, sum(watch.waiting for watch in watches))
        set_to(WATCHED_PROBLEMS, sum(bool(watch.problem) for watch in watches))
