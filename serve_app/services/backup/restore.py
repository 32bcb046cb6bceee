"""Restores a backup into an empty database and an empty file store, and checks one."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field

from serve_app.domain.backup import DamagedBackup
from serve_app.domain.record import DEPLOYMENT
from serve_app.domain.user_error import UserError
from serve_app.services.backup.snapshot import BackupPlace, DamagedObject, FileEntry, Snapshot
from serve_app.services.tasks.for_each import for_each
from serve_app.services.upkeep.ownership import owner_of
from serve_app.store.base import Files
from serve_app.store.base.copies import WholeDatabase


@dataclass(slots=True)
class Outcome:
    """The snapshot, how many of its files are in place, and what is wrong, a line for each."""

    snapshot: str
    files: int = 0
    damage: list[str] = field(default_factory=list)


async def restore(
    place: BackupPlace,
    database: WholeDatabase,
    files: Files,
    id: str | None = None,
    *,
    adopts_files: bool = False,
) -> Outcome:
    """Bring the newest snapshot, or the one with this id, back. A file that is damaged in the backup is left out, and
    named. Files first: until the database is there, the service does not start on half of it, and a restore that was
    cut off can be repeated. What is restored is another deployment, which claims the file store when it starts;
    `adopts_files` tells that the one which had it is gone. Raises UserError if there is something already, or the
    snapshot does not fit."""
    snapshot = await place.chosen(id)
    _check_fits(snapshot, database)
    if (content := await database.find_content()) is not None:
        raise UserError(
            f"the database of DATABASE_URL is not empty: {content}; move the existing data, or restore into a new "
            "database"
        )
    if not adopts_files:
        await _refuse_owned(files)
    present = await _find_files(place, snapshot, files)
    await files.delete(DEPLOYMENT)
    outcome = Outcome(snapshot.id, damage=[f"{key} was missing when the backup was made" for key in snapshot.lacking])
    await _each(place, snapshot, outcome, lambda entry, data: files.write(entry.key, data), present)
    try:
        await database.fill(_parts(place, snapshot))
    except DamagedObject as error:
        raise DamagedBackup(f"the backup of the database is damaged: {error}; try another snapshot") from None
    return outcome


async def check(place: BackupPlace, id: str | None = None) -> Outcome:
    """Whether all of a snapshot is there and unchanged."""
    snapshot = await place.chosen(id)
    outcome = Outcome(snapshot.id, damage=[f"{key} was missing when the backup was made" for key in snapshot.lacking])
    for name in snapshot.database:
        try:
            await place.get(name)
        except DamagedObject as error:
            outcome.damage.append(f"the database: {error}")
    try:
        await _each(place, snapshot, outcome, None)
    except UserError as error:
        outcome.damage.append(str(error))
    return outcome


def _check_fits(snapshot: Snapshot, database: WholeDatabase) -> None:
    if snapshot.kind != database.kind:
        raise UserError(f"the backup is of a {snapshot.kind} database, and DATABASE_URL names a {database.kind} one")
    if snapshot.schema > database.schema:
        raise UserError(
            f"the backup has schema version {snapshot.schema}, this program supports {database.schema}: update the "
            "program"
        )


async def _refuse_owned(files: Files) -> None:
    if (owner := await owner_of(files)) is not None:
        raise UserError(
            f"the file store of FILES_URL belongs to {owner}; restore into an empty one, or use --adopt-files if that "
            "deployment is permanently stopped"
        )


async def _find_files(place: BackupPlace, snapshot: Snapshot, files: Files) -> frozenset[str]:
    """The keys of the snapshot that the file store has already, from a restore that was cut off or the service that was
    backed up. Raises UserError if it has any other file."""
    known = {entry.key async for entry in _listed(place, snapshot)}
    present = {file.key async for file in files.list_all()} - {DEPLOYMENT}
    if others := present - known:
        raise UserError(
            f"the file store of FILES_URL is not empty: it has {min(others)}, which is not in the backup; restore into"
            " an empty one"
        )
    return frozenset(present)


async def _listed(place: BackupPlace, snapshot: Snapshot) -> AsyncIterator[FileEntry]:
    try:
        async for entry in place.entries(snapshot):
            yield entry
    except DamagedObject as error:
        raise DamagedBackup(f"the backup's list of files is damaged: {error}; try another snapshot") from None


async def _each(
    place: BackupPlace,
    snapshot: Snapshot,
    outcome: Outcome,
    work: Callable[[FileEntry, bytes], Awaitable[None]] | None,
    present: frozenset[str] = frozenset(),
) -> None:
    """Read every file of the snapshot, do the work with it, and note what is damaged; `present` are the files that are
    there without it."""

    async def one(entry: FileEntry) -> None:
        try:
            data = await place.get(entry.object)
        except DamagedObject as error:
            stays = "; the existing file stays" if entry.key in present else ""
            outcome.damage.append(f"the file {entry.key}: {error}{stays}")
            return
        if work is not None:
            await work(entry, data)
        outcome.files += 1

    await for_each(_listed(place, snapshot), one)


async def _parts(place: BackupPlace, snapshot: Snapshot) -> AsyncIterator[bytes]:
    for name in snapshot.database:
        yield await place.get_packed(name)
