"""`invoices backup`, `invoices restore` and `invoices verify`."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import TYPE_CHECKING, Annotated, Any, TypeVar
from uuid import UUID

import typer
from typer.core import TyperGroup

from serve_app.commands.changes import record
from serve_app.commands.errors import CommandError
from serve_app.commands.stores import open_for_command, present_settings, run_on_store
from serve_app.commands.terminal import complain, say
from serve_app.domain.backup import DAMAGED, MADE, TESTED
from serve_app.domain.clock import utc_now
from serve_app.domain.errors import ServiceError
from serve_app.domain.user_error import UserError

if TYPE_CHECKING:
    from serve_app.services.backup.restore import Outcome
    from serve_app.services.backup.schedule import Kept
    from serve_app.services.backup.snapshot import BackupPlace
    from serve_app.services.upkeep.verification import Verification
    from serve_app.settings import Settings
    from serve_app.store.base import Files
    from serve_app.store.base.copies import WholeDatabase

T = TypeVar("T")
_STEP_SECONDS = 60.0

PlaceArgument = Annotated[str, typer.Argument(metavar="PLACE", help="A folder, or s3://bucket/prefix.")]
KeepOption = Annotated[int | None, typer.Option(min=1, metavar="N", help="How many of them.")]
ScheduleOption = Annotated[
    str | None, typer.Option(metavar="[DAY] HH:MM", help="Go on, each day at this time (UTC), or each week: sun 04:30.")
]
SnapshotOption = Annotated[str | None, typer.Option(metavar="ID", help="The snapshot (default: the newest).")]


class _MadeByDefault(TyperGroup):
    """`invoices backup PLACE` makes a backup, and other commands come before the place."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = ["make", *args]
        return super().parse_args(ctx, args)


backup_app = typer.Typer(
    cls=_MadeByDefault,
    no_args_is_help=True,
    help="Copy the database and the files (invoices backup PLACE), and try to restore what was copied.",
)


@backup_app.command("make")
def backup(
    place: PlaceArgument,
    keep_days: Annotated[int, typer.Option(min=1, help="Days after which later backups remove this one.")] = 30,
    keep_daily: KeepOption = None,
    keep_weekly: KeepOption = None,
    keep_monthly: KeepOption = None,
    schedule: ScheduleOption = None,
    stopped: Annotated[bool, typer.Option(help="The service is stopped (needed for a single MongoDB server).")] = False,
) -> None:
    """Copy the database and its files while the service runs. Files in earlier backups are not copied again.

    With one of --keep-daily, --keep-weekly and --keep-monthly, the last backup of as many days, weeks and months stays
    instead of --keep-days.

    The backup does not contain the keys of the deployment: keep a copy of them elsewhere."""
    rules = None
    if any((keep_daily, keep_weekly, keep_monthly)):
        from serve_app.services.backup.schedule import Kept

        rules = Kept(keep_daily or 0, keep_weekly or 0, keep_monthly or 0)
    _run_at(schedule, "backup", partial(_make, place, timedelta(days=keep_days), rules, is_idle=stopped))


def _make(place: str, keep: timedelta, rules: "Kept | None", *, is_idle: bool) -> None:
    from serve_app.services.backup.make import Backup

    async def work(place: "BackupPlace", database: "WholeDatabase", files: "Files") -> str:
        snapshot, done = await Backup(place, database, files).make(keep, rules)
        say(f"snapshot {snapshot.id}: {done.files} files, {done.copied} of them new ({done.copied_bytes / 1e6:.1f} MB)")
        for id in done.expired:
            say(f"expired and removed: {id}")
        for key in done.lacking:
            complain(f"missing, not in the backup: {key}")
        return snapshot.id

    settings = present_settings()
    made = _run(place, settings, work, is_idle=is_idle)
    # The alarms read it there.
    run_on_store(settings, lambda store: record(store, None, MADE, made))


def _run_at(schedule: str | None, what: str, work: Callable[[], None]) -> None:
    """Once and now without a schedule. With one, until the process is ended; what fails is reported, and tried again
    the next time."""
    from serve_app.services.backup.schedule import Schedule

    if schedule is None:
        work()
        return
    try:
        times = Schedule.parse(schedule)
    except ValueError:
        raise CommandError(f"--schedule: {schedule} is no time; write 02:30, or sun 04:30") from None
    while True:
        at = times.after(utc_now())
        say(f"The next {what}: {at:%Y-%m-%d %H:%M} UTC.")
        while (left := (at - utc_now()).total_seconds()) > 0:
            # In short steps, because the clock may be set meanwhile.
            sleep(min(left, _STEP_SECONDS))
        try:
            work()
        except (UserError, ServiceError) as error:
            complain(f"{what} failed: {' '.join(str(error).split())}")


@backup_app.command("drill")
def drill(
    place: PlaceArgument,
    snapshot: SnapshotOption = None,
    scratch: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where there is room for it (default: the folder for temporary files)."),
    ] = None,
    database_url: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="An empty MongoDB database, which is emptied again (default: NAME_drill on the server of NAME).",
        ),
    ] = None,
    schedule: ScheduleOption = None,
) -> None:
    """Restore a backup into an empty place, verify it as `invoices verify` does, and remove it again. The alarms know
    the result."""
    _run_at(schedule, "drill", partial(_drill, place, snapshot, scratch, database_url))


def _drill(place: str, snapshot: str | None, scratch: Path | None, database_url: str | None) -> None:
    from serve_app.services.backup.drill import drill as restored
    from serve_app.store.factory import open_store_check

    settings = present_settings()
    with TemporaryDirectory(dir=scratch, prefix="invoices-drill-") as folder:
        elsewhere = _elsewhere(settings, Path(folder), database_url)

        async def work(place: "BackupPlace", database: "WholeDatabase", files: "Files") -> "Outcome":
            return await restored(place, database, files, lambda: open_store_check(elsewhere), snapshot)

        began = monotonic()
        outcome = _run(place, elsewhere, work)
    seconds, action = round(monotonic() - began, 1), DAMAGED if outcome.damage else TESTED
    run_on_store(settings, lambda store: record(store, None, action, outcome.snapshot, seconds=seconds))
    _fail_if(outcome.damage)
    say(f"snapshot {outcome.snapshot} was restored and verified in {seconds} s: the database and {outcome.files} files")


def _elsewhere(settings: "Settings", folder: Path, database_url: str | None) -> "Settings":
    """Settings of an empty place in the folder, and for MongoDB in a database of its own."""
    from serve_app.settings import sqlite_path

    if sqlite_path(settings.database_url) is not None:
        database_url = f"sqlite:///{folder}/restored.db"
    elif database_url is None:
        from serve_app.store.mongo.engine.client import url_beside

        database_url = url_beside(settings.database_url, "_drill")
    return settings.model_copy(update={"database_url": database_url, "files_url": str(folder / "files")})


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
