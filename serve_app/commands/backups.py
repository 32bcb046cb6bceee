"""`invoices backup`, `invoices restore` and `invoices verify`."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, TypeVar
from uuid import UUID

import typer

from serve_app.commands.changes import record
from serve_app.commands.errors import CommandError
from serve_app.commands.stores import open_for_command, present_settings, run_on_store
from serve_app.commands.terminal import complain, say

if TYPE_CHECKING:
    from serve_app.services.backup.restore import Outcome
    from serve_app.services.backup.snapshot import BackupPlace
    from serve_app.services.upkeep.verification import Verification
    from serve_app.settings import Settings
    from serve_app.store.base import Files
    from serve_app.store.base.copies import WholeDatabase

T = TypeVar("T")

PlaceArgument = Annotated[str, typer.Argument(metavar="PLACE", help="A folder, or s3://bucket/prefix.")]
SnapshotOption = Annotated[str | None, typer.Option(metavar="ID", help="The snapshot [default: the newest].")]


def backup(
    place: PlaceArgument,
    keep_days: Annotated[int, typer.Option(min=1, help="Days after which later backups remove this one.")] = 30,
    stopped: Annotated[bool, typer.Option(help="The service is stopped (needed for a single MongoDB server).")] = False,
) -> None:
    """Copy the database and its files while the service runs. Files in earlier backups are not copied again.

    The backup does not contain the keys of the deployment: keep a copy of them elsewhere."""
    from serve_app.services.backup.make import Backup

    async def work(place: "BackupPlace", database: "WholeDatabase", files: "Files") -> None:
        snapshot, done = await Backup(place, database, files).make(timedelta(days=keep_days))
        say(f"snapshot {snapshot.id}: {done.files} files, {done.copied} of them new ({done.copied_bytes / 1e6:.1f} MB)")
        for id in done.expired:
            say(f"expired and removed: {id}")
        for key in done.lacking:
            complain(f"missing, not in the backup: {key}")

    _run(place, present_settings(), work, is_idle=stopped)


def restore(
    place: PlaceArgument,
    snapshot: SnapshotOption = None,
    adopt_files: Annotated[
        bool, typer.Option("--adopt-files", help="The previous owner of the file store is permanently stopped.")
    ] = False,
) -> None:
    """Restore a backup into an empty database and an empty file store."""
    from serve_app.services.backup.restore import restore
    from serve_app.settings.reading import read_settings
    from serve_app.system.folder_lock import lock_folders

    async def work(place: "BackupPlace", database: "WholeDatabase", files: "Files") -> "Outcome":
        return await restore(place, database, files, snapshot, adopts_files=adopt_files)

    settings = read_settings()
    with lock_folders(settings.local_folders, "restore"):
        outcome = _run(place, settings, work)
        # In the trail that was restored, with which the deployment goes on.
        run_on_store(settings, lambda store: record(store, None, "database.restored", outcome.snapshot))
    say(f"restored: the database and {outcome.files} files; now run: invoices verify")
    _fail_if(outcome.damage)


def verify(
    place: Annotated[str | None, typer.Argument(metavar="[PLACE]", help="Check a backup instead of the store.")] = None,
    snapshot: SnapshotOption = None,
    account: Annotated[UUID | None, typer.Option(metavar="ACCOUNT", help="This account only.")] = None,
    repair: Annotated[bool, typer.Option(help="Repair wrong duplicates and vendor totals.")] = False,
) -> None:
    """Check that units, events, deliveries, duplicates, vendors and files are consistent. Prints one line per
    difference; exit code 1 if there is one. The service can keep running."""
    if place is not None:
        _verify_backup(place, snapshot)
        return
    asyncio.run(_verify(present_settings(), account, repair))


def _verify_backup(place: str, snapshot: str | None) -> None:
    from serve_app.services.backup.restore import check

    async def work() -> "Outcome":
        async with open_place(place) as opened:
            return await check(opened, snapshot)

    outcome = asyncio.run(work())
    _fail_if(outcome.damage)
    say(f"the backup is whole: the database and {outcome.files} files")


async def _verify(settings: "Settings", account: UUID | None, repair: bool) -> None:
    from serve_app.services.upkeep.verification import Verification
    from serve_app.store.factory import open_files, open_store_check

    check, files = open_store_check(settings), open_files(settings)
    try:
        verification = Verification(check, files)
        # In a damaged database, nothing else can be relied on.
        _fail_if([f"database: {line}" for line in await verification.damage()])
        accounts = await verification.all_accounts() if account is None else [account]
        found = await _strays(verification, accounts) if account is None else []
        for each in accounts:
            found += await _of_account(settings, verification, each, repair)
    finally:
        await check.close()
        await files.close()
    _fail_if(found)
    say(f"no differences in {len(accounts)} accounts")


async def _strays(verification: "Verification", accounts: list[UUID]) -> list[str]:
    return [f"{stray.kind}: {stray.what}" async for stray in verification.strays(accounts)]


async def _of_account(settings: "Settings", verification: "Verification", account: UUID, repair: bool) -> list[str]:
    found = await verification.of_account(account)
    if repair and any(difference.is_derived for difference in found):
        await verification.repair(account)
        left = await verification.of_account(account)
        repaired = sorted(set(found) - set(left))
        for each in repaired:
            say(f"{account}: repaired: {each.kind}: {each.what}")
        if repaired:
            async with open_for_command(settings) as store:
                await record(store, account, "account.repaired", differences=len(repaired))
        found = left
    return [f"{account}: {difference.kind}: {difference.what}" for difference in found]


def _fail_if(found: list[str]) -> None:
    """Print what is wrong, and fail if anything is."""
    for line in found:
        say(line)
    if found:
        raise CommandError(f"{len(found)} differences" if len(found) > 1 else "1 difference")


def _run(
    place: str,
    settings: "Settings",
    work: "Callable[[BackupPlace, WholeDatabase, Files], Awaitable[T]]",
    *,
    is_idle: bool = False,
) -> T:
    from serve_app.store.factory import open_files, open_whole

    async def run() -> T:
        async with open_place(place) as opened:
            database, files = open_whole(settings, is_idle=is_idle), open_files(settings)
            try:
                return await work(opened, database, files)
            finally:
                await files.close()
                await database.close()

    return asyncio.run(run())


@asynccontextmanager
async def open_place(place: str) -> "AsyncIterator[BackupPlace]":
    """The place with backups, closed at the end."""
    from serve_app.services.backup.snapshot import BackupPlace
    from serve_app.store.files.factory import open_backup_place

    files = open_backup_place(place)
    try:
        yield BackupPlace(files)
    finally:
        await files.close()
