"""Which folders are watched, and for whom."""

from collections.abc import Callable, Collection
from pathlib import Path
from uuid import UUID

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.user_error import UserError
from serve_app.domain.watched_folder import WatchedFolder, folder_id_of
from serve_app.store.base import WatchedFolders


class FolderService:
    """What operators do with watched folders. `canonical` checks a place and writes it in one way; `overlaps` compares
    two such places; `own_paths` are files and folders with data of the service, which cannot be watched."""

    def __init__(
        self,
        folders: WatchedFolders,
        canonical: Callable[[str], str],
        overlaps: Callable[[str, str], bool],
        own_paths: Collection[Path] = (),
        clock: Clock = utc_now,
    ) -> None:
        self._folders = folders
        self._canonical = canonical
        self._overlaps = overlaps
        self._own_paths = own_paths
        self._clock = clock

    async def list_all(self) -> list[WatchedFolder]:
        """The oldest first."""
        return await self._folders.list_all()

    async def add(self, account_id: UUID, text: str) -> WatchedFolder:
        """Watch a place for an account; a folder that is watched for it already stays as it is. Raises UserError,
        LookupError if there is no such account."""
        place = self._canonical(text)
        for own in self._own_paths:
            if self._overlaps(place, str(own.resolve())):
                raise UserError(f"{place}: the service stores its own data there")
        for other in await self._folders.list_all():
            if other.place == place and other.account_id == account_id:
                return other
            if self._overlaps(place, other.place):
                raise UserError(f"{place}: already watched as {other.place}; remove that folder first")
        folder = WatchedFolder(folder_id_of(place), account_id, place, self._clock())
        if not await self._folders.add(folder):
            raise LookupError("there is no such account")
        return folder

    async def set_paused(self, folder_id: UUID, is_paused: bool) -> None:
        """Raises LookupError."""
        folder = await self._find(folder_id)
        await self._folders.set_paused(folder.account_id, folder.id, is_paused)

    async def remove(self, folder_id: UUID) -> None:
        """Stop watching, and delete the records of the files. The files and their invoices stay. Raises LookupError."""
        folder = await self._find(folder_id)
        await self._folders.remove(folder.account_id, folder.id)

    async def _find(self, folder_id: UUID) -> WatchedFolder:
        for folder in await self._folders.list_all():
            if folder.id == folder_id:
                return folder
        raise LookupError("there is no such watched folder")
