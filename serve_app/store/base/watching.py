"""Watched folders."""

from datetime import datetime
from typing import Protocol
from uuid import UUID

from serve_app.domain.watched_folder import FolderScan, WatchedFile, WatchedFolder


class WatchedFolders(Protocol):
    """One for each place. Deleting an account deletes its folders."""

    async def add(self, folder: WatchedFolder) -> bool:
        """False if the place is watched already, or if the account does not exist."""
        ...

    async def list_all(self) -> list[WatchedFolder]:
        """Of all accounts, the oldest first."""
        ...

    async def set_paused(self, account_id: UUID, folder_id: UUID, is_paused: bool) -> bool:
        """False if the account has no such folder."""
        ...

    async def remove(self, account_id: UUID, folder_id: UUID) -> bool:
        """Remove the folder and the records of its files. False if the account has no such folder."""
        ...

    async def lease(self, folder: WatchedFolder, holder: UUID, now: datetime, until: datetime) -> bool:
        """Acquire or renew the lease of one process. False if another process has it, or if the folder is paused or
        removed."""
        ...

    async def release(self, folder: WatchedFolder, holder: UUID) -> None:
        """End the lease, so that another process can watch the folder immediately."""
        ...

    async def record_scan(self, folder: WatchedFolder, scan: FolderScan) -> None:
        """Replace the result of the previous scan, and add to the counts. No-op if the folder was removed."""
        ...

    async def claim_file(self, file: WatchedFile) -> WatchedFile:
        """The record of this content in this folder: the existing one, otherwise `file`, which is then stored.
        It goes with its invoice."""
        ...
