"""Lets one process at a time watch a folder."""

import time
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from uuid import UUID

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.errors import ServiceError
from serve_app.domain.watched_folder import WatchedFolder
from serve_app.store.base import WatchedFolders

LEASE = timedelta(seconds=60)


class FolderLease:
    """The lease of a folder, renewed when a third of it is over."""

    def __init__(
        self,
        folders: WatchedFolders,
        folder: WatchedFolder,
        holder: UUID,
        clock: Clock = utc_now,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._folders = folders
        self._folder = folder
        self._holder = holder
        self._clock = clock
        self._monotonic = monotonic
        self._renew_at = 0.0
        self.is_held = False

    async def renew(self) -> bool:
        """Whether this process has the folder. Raises Unavailable."""
        now = self._monotonic()
        if self.is_held and now < self._renew_at:
            return True
        moment = self._clock()
        self.is_held = await self._folders.lease(self._folder, self._holder, moment, moment + LEASE)
        self._renew_at = now + LEASE.total_seconds() / 3
        return self.is_held

    async def release(self) -> None:
        """Let another process have the folder immediately; if the store is away, once the lease has expired."""
        self.is_held = False
        with suppress(ServiceError):
            await self._folders.release(self._folder, self._holder)
