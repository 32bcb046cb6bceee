"""Which folders are watched, and for whom."""

from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path
from uuid import UUID

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.user_error import UserError
from serve_app.domain.watched_folder import WatchedFolder, folder_id_of
from serve_app.services.watching.ports import FolderPlaces
from serve_app.store.base import WatchedFolders


class FolderService:
    """What operators do with watched folders. `own_paths` are files and folders with data of the service, which cannot
    be watched; below `allowed` places, the web application may add folders."""

    def __init__(
        self,
        folders: WatchedFolders,
        places: FolderPlaces,
        own_paths: Collection[Path] = (),
        allowed: Sequence[str] = (),
        clock: Clock = utc_now,
    ) -> None:
        self.allowed = allowed
        self._folders = folders
        self._places = places
        self._own_paths = own_paths
        self._clock = clock

    async def list_all(self) -> list[WatchedFolder]:
        """The oldest first."""
        return await self._folders.list_all()

    async def add(self, account_id: UUID, text: str) -> WatchedFolder:
        """Watch a place for an account; a folder that is watched for it already stays as it is. Raises UserError,
        LookupError if there is no such account."""
        place = self._places.canonical_place(text)
        for own in self._own_paths:
            if self._places.overlaps(place, str(own.resolve())):
                raise UserError(f"{place}: the service stores its own data there")
        for other in await self._folders.list_all():
            if other.place == place and other.account_id == account_id:
                return other
            if self._places.overlaps(place, other.place):
                raise UserError(f"{place}: already watched as {other.place}; remove that folder first")
        folder = WatchedFolder(folder_id_of(place), account_id, place, self._clock())
        if not await self._folders.add(folder):
            raise LookupError("there is no such account")
        return folder

    async def add_allowed(self, account_id: UUID, text: str) -> WatchedFolder:
        """The same for those who have no access to the machines: only below the allowed places."""
        place = self._places.canonical_place(text)
        if not any(self._allows(outer, place) for outer in self.allowed):
            raise UserError(f"{place}: not below a place of WATCH_PLACES")
        return await self.add(account_id, place)

    async def set_paused(self, folder_id: UUID, is_paused: bool) -> WatchedFolder:
        """The folder. Raises LookupError."""
        folder = await self.get(folder_id)
        await self._folders.set_paused(folder.account_id, folder.id, is_paused)
        return folder

    async def remove(self, folder_id: UUID) -> WatchedFolder:
        """Stop watching, and delete the records of the files. The files and their invoices stay. Returns the folder.
        Raises LookupError."""
        folder = await self.get(folder_id)
        await self._folders.remove(folder.account_id, folder.id)
        return folder

    async def get(self, folder_id: UUID) -> WatchedFolder:
        """Raises LookupError."""
        for folder in await self._folders.list_all():
            if folder.id == folder_id:
                return folder
        raise LookupError("there is no such watched folder")

    def _allows(self, outer: str, place: str) -> bool:
        # An allowed folder may be missing on this machine.
        with suppress(UserError):
            return self._places.is_within(place, self._places.canonical_place(outer))
        return False
