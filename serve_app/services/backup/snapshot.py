"""What a backup consists of: snapshots, and the objects that they share.

An object is named by the hash of its bytes, so what has not changed is kept once. A snapshot names the objects that
make up a database and its files at one moment.
"""

import hashlib
import json
import zlib
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from datetime import datetime
from itertools import islice

import msgspec

from serve_app.domain.user_error import UserError
from serve_app.store.base import Files

SNAPSHOTS, OBJECTS = "snapshots", "objects"
FORMAT = 1
_ENTRIES_TOGETHER = 10_000


class FileEntry(msgspec.Struct, array_like=True, frozen=True):
    """A file: its key, its version when it was listed, and the object with its bytes."""

    key: str
    version: str
    object: str


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """A backup of one moment. `database` and `listing` are compressed objects: the parts of the database in their
    order, and the entries of its files. `lacking` are files that the database names and that were not there."""

    format: int = FORMAT
    id: str
    made_at: datetime
    expires_at: datetime | None
    kind: str
    schema: int
    database: list[str]
    listing: list[str]
    files: int
    lacking: list[str] = []

    @property
    def objects(self) -> set[str]:
        """Those that it names itself; its files have more."""
        return {*self.database, *self.listing}


class DamagedObject(Exception):
    """An object of a backup is missing, or has other bytes than it was written with."""

    def __init__(self, name: str, what: str) -> None:
        self.name = name
        super().__init__(f"object {name} is {what}")


class BackupPlace:
    """A folder or a bucket with the backups of one service."""

    def __init__(self, files: Files) -> None:
        self.files = files
        self._present: set[str] = set()

    async def look(self) -> None:
        """Note which objects there are, so that none is written twice."""
        self._present = {key.rpartition("/")[2] for key in await self.files.keys_in(OBJECTS)}

    async def put(self, data: bytes) -> tuple[str, bool]:
        """The name of the object with these bytes, and whether it is new."""
        name = hashlib.sha256(data).hexdigest()
        is_new = name not in self._present
        if is_new:
            await self.files.write(object_key(name), data)
            self._present.add(name)
        return name, is_new

    async def get(self, name: str) -> bytes:
        """The bytes of an object. Raises DamagedObject."""
        try:
            data = await self.files.read(object_key(name))
        except FileNotFoundError:
            raise DamagedObject(name, "missing") from None
        if hashlib.sha256(data).hexdigest() != name:
            raise DamagedObject(name, "damaged")
        return data

    async def put_packed(self, data: bytes) -> str:
        """The name of the object with these bytes, compressed."""
        name, _ = await self.put(zlib.compress(data, 1))
        return name

    async def get_packed(self, name: str) -> bytes:
        """What was put. Raises DamagedObject."""
        return zlib.decompress(await self.get(name))

    async def put_listing(self, entries: Iterable[FileEntry]) -> list[str]:
        """The names of the objects with these entries."""
        return [await self.put_packed(msgspec.json.encode(some)) for some in _batched(entries)]

    async def entries(self, snapshot: Snapshot) -> AsyncIterator[FileEntry]:
        """The files of a snapshot. Raises DamagedObject."""
        for name in snapshot.listing:
            for entry in msgspec.json.decode(await self.get_packed(name), type=list[FileEntry]):
                yield entry

    async def snapshots(self) -> list[Snapshot]:
        """All of them, oldest first. Raises UserError for one of a newer version of the service, or a damaged one."""
        found = [await self._read(key) for key in await self.files.keys_in(SNAPSHOTS)]
        return sorted(found, key=lambda snapshot: (snapshot.made_at, snapshot.id))

    async def chosen(self, id: str | None) -> Snapshot:
        """The snapshot with this id, or the newest one. Raises UserError if it is not there."""
        found = await self.snapshots()
        requested = [snapshot for snapshot in found if id in (None, snapshot.id)]
        if not requested:
            there = ", ".join(snapshot.id for snapshot in found) or "none"
            raise UserError(
                f"there is no snapshot {id} in this place; it contains {there}"
                if id
                else "there is no backup in this place"
            )
        return requested[-1]

    async def write(self, snapshot: Snapshot) -> None:
        """From now on the snapshot counts: all its objects are there."""
        await self.files.write(f"{SNAPSHOTS}/{snapshot.id}", msgspec.json.encode(snapshot))

    async def prune(self, is_expired: Callable[[Snapshot], bool]) -> list[str]:
        """Remove the snapshots that have expired, but for the newest, and what only they named; returns their ids."""
        *older, newest = await self.snapshots()
        expired = [one for one in older if is_expired(one)]
        if not expired:
            return []
        kept = [one for one in (*older, newest) if one not in expired]
        needed = {name for one in kept for name in one.objects}
        for one in kept:
            needed |= {entry.object async for entry in self.entries(one)}
        for one in expired:
            await self.files.delete(f"{SNAPSHOTS}/{one.id}")
        for name in {key.rpartition("/")[2] for key in await self.files.keys_in(OBJECTS)} - needed:
            await self.files.delete(object_key(name))
        return [one.id for one in expired]

    async def _read(self, key: str) -> Snapshot:
        data = await self.files.read(key)
        try:
            format: Mapping[str, object] = json.loads(data)
            if format["format"] != FORMAT:
                raise UserError(f"{key} was made by another version of this service (format {format['format']})")
            return msgspec.json.decode(data, type=Snapshot)
        except (ValueError, KeyError, TypeError) as error:
            if isinstance(error, UserError):
                raise
            raise UserError(f"{key} of the backup is damaged") from error


def object_key(name: str) -> str:
    """Where an object lies: in one of 256 folders."""
    return f"{OBJECTS}/{name[:2]}/{name}"


def _batched(entries: Iterable[FileEntry]) -> Iterator[list[FileEntry]]:
    left = iter(entries)
    while some := list(islice(left, _ENTRIES_TOGETHER)):
        yield some
