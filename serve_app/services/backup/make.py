"""Makes a backup while the service runs.

The files are copied first, then the database, then the files that came meanwhile: so every file that the copy of the
database names was there before it, and is in the backup although it may have been deleted since.
"""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import uuid4

from serve_app.domain.archive import archived_event, is_archived
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.record import CUTS, DEPLOYMENT, PAGES, document_of_picture
from serve_app.domain.user_error import UserError
from serve_app.services.backup.schedule import Kept
from serve_app.services.backup.snapshot import BackupPlace, FileEntry, Snapshot
from serve_app.services.tasks.for_each import for_each
from serve_app.services.upkeep.ownership import owner_of
from serve_app.store.base import Files
from serve_app.store.base.copies import DatabaseCopy, WholeDatabase
from serve_app.store.base.files import StoredFile

_TRIES = 5
# What they contain is needed only if a run, or a cut, was cut off.
_PASSING = (f"{CUTS}/", f"{PAGES}/")
_RUNNING = "running"
_STALE = timedelta(days=1)


@dataclass(slots=True)
class Progress:
    """What a backup has done. `expired` are the snapshots that it removed."""

    files: int = 0
    copied: int = 0
    copied_bytes: int = 0
    lacking: list[str] = field(default_factory=list)
    expired: list[str] = field(default_factory=list)


class Backup:
    """Copies a database and its files to a place. One backup at a time to each place."""

    def __init__(self, place: BackupPlace, database: WholeDatabase, files: Files, clock: Clock = utc_now) -> None:
        self._place = place
        self._database = database
        self._files = files
        self._clock = clock
        self._progress = Progress()
        self._taken: dict[str, FileEntry] = {}

    async def make(self, keep: timedelta | None, rules: Kept | None = None) -> tuple[Snapshot, Progress]:
        """A new snapshot, which expires after `keep`; with `rules`, all that they do not keep expire instead.
        Raises UserError while another backup to the place runs, and what `WholeDatabase.copied` raises."""
        now = self._clock()
        if await owner_of(self._place.files) is not None:
            raise UserError("the target is the file store of a service; use another folder or bucket for backups")
        async with self._alone(now):
            await self._place.look()
            self._taken = await self._of_last_time()
            await self._take_files()
            parts, copy, present = await self._take_database()
            entries = self._wanted(copy, present)
            snapshot = Snapshot(
                id=f"{now:%Y%m%dT%H%M%SZ}-{uuid4().hex[:6]}",
                made_at=now,
                expires_at=None if keep is None else now + keep,
                kind=self._database.kind,
                schema=self._database.schema,
                database=parts,
                listing=await self._place.put_listing(entries),
                files=len(entries),
                lacking=self._progress.lacking,
            )
            await self._place.write(snapshot)
            self._progress.files = len(entries)
            self._progress.expired = await self._prune(now, rules)
        return snapshot, self._progress

    async def _prune(self, now: datetime, rules: Kept | None) -> list[str]:
        if rules is None:
            return await self._place.prune(lambda one: one.expires_at is not None and one.expires_at <= now)
        kept = rules.among(await self._place.snapshots())
        return await self._place.prune(lambda one: one.id not in kept)

    async def _of_last_time(self) -> dict[str, FileEntry]:
        earlier = await self._place.snapshots()
        return {entry.key: entry async for entry in self._place.entries(earlier[-1])} if earlier else {}

    async def _take_files(self) -> set[str]:
        """Copy what is new; returns the keys of all files that there are."""
        present: set[str] = set()

        async def take(file: StoredFile) -> None:
            if file.key == DEPLOYMENT:
                return
            present.add(file.key)
            known = self._taken.get(file.key)
            if known is None or known.version != file.version:
                await self._take(file)

        await for_each(self._files.list_all(), take)
        return present

    async def _take(self, file: StoredFile) -> None:
        try:
            data = await self._files.read(file.key)
        except FileNotFoundError:
            # Deleted since it was listed.
            return
        name, is_new = await self._place.put(data)
        self._taken[file.key] = FileEntry(file.key, file.version, name)
        self._progress.copied += is_new
        self._progress.copied_bytes += len(data) if is_new else 0

    async def _take_database(self) -> tuple[list[str], DatabaseCopy, set[str]]:
        """The parts of the database, what it names, and the files that there are. A file that came and went between
        listing and copying can be missing: then the database does not name it any more either, so it is copied once
        more."""
        before: set[str] | None = None
        for _ in range(_TRIES):
            async with self._database.copied() as copy:
                parts = [await self._place.put_packed(part) async for part in copy.parts]
            present = await self._take_files()
            lacking = copy.file_keys - self._taken.keys()
            if not lacking or lacking == before:
                break
            before = lacking
        self._progress.lacking = sorted(lacking)
        return parts, copy, present

    def _wanted(self, copy: DatabaseCopy, present: Iterable[str]) -> list[FileEntry]:
        """The files that the copy of the database names, what is derived from them, and the archived events of its
        invoices: not those of invoices that came since, and none that was deleted before."""
        needed = set(copy.file_keys)
        needed |= {key for key in present if key.startswith(_PASSING) or document_of_picture(key) in needed}
        # Also those that went with their invoice since the database was copied.
        needed |= {key for key in self._taken if is_archived(key) and archived_event(key)[0] in copy.invoices}
        return [self._taken[key] for key in sorted(needed & self._taken.keys())]

    @asynccontextmanager
    async def _alone(self, now: datetime) -> AsyncIterator[None]:
        """Two at once could remove each other's objects."""
        mine = f"{_RUNNING}/{int(now.timestamp())}-{uuid4().hex}"
        files = self._place.files
        await files.write(mine, b"")
        try:
            for key in await files.keys_in(_RUNNING):
                since = float(key.removeprefix(f"{_RUNNING}/").partition("-")[0])
                if key != mine and since > (now - _STALE).timestamp():
                    raise UserError(
                        f"another backup to this target is running or was interrupted less than a day ago; if none is "
                        f"running, delete {key} there"
                    )
            yield
        finally:
            await files.delete(mine)
