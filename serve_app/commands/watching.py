"""`invoices watch` and `invoices folder`: folders whose files become invoices."""

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Annotated, TypeVar
from uuid import UUID

import typer

from serve_app.commands.changes import record
from serve_app.commands.errors import CommandError
from serve_app.commands.stores import checked_settings, run_on_store
from serve_app.commands.terminal import say

if TYPE_CHECKING:
    from serve_app.domain.watched_folder import WatchedFolder
    from serve_app.services.watching.folders import FolderService
    from serve_app.settings import Settings
    from serve_app.store.base import Store

T = TypeVar("T")

folder_app = typer.Typer(no_args_is_help=True, help="List, add, pause and remove watched folders.")

Place = Annotated[str, typer.Argument(metavar="PLACE", help="A folder, s3://bucket/prefix or sftp://user@host/path.")]
AccountOption = Annotated[
    UUID | None, typer.Option("--account", metavar="ID", help="The account of the invoices (default: the only one).")
]
FolderArgument = Annotated[UUID, typer.Argument(metavar="FOLDER", help="Id of the watched folder.")]


def watch(
    place: Annotated[
        str | None,
        typer.Argument(
            metavar="[PLACE]",
            help="A folder, s3://bucket/prefix or sftp://user@host/path (default: all that were added).",
        ),
    ] = None,
    account: AccountOption = None,
) -> None:
    """Watch folders until Ctrl-C: their files become invoices, and are moved to `done` or `failed`.

    With PLACE, the folder is added if it is new. `invoices serve` watches all folders, too.
    """
    settings = checked_settings()
    only = (
        None if place is None else _with_folders(settings, lambda store, folders: _add(store, folders, place, account))
    )
    asyncio.run(_watch(settings, only))


@folder_app.command("list")
def list_folders() -> None:
    """Print the watched folders with their files: waiting, done, failed."""
    for each in _with_folders(checked_settings(), lambda _, folders: folders.list_all()):
        state = "paused" if each.is_paused else each.problem or "ok"
        say(f"{each.id}  {each.account_id}  {each.waiting}/{each.done}/{each.failed}  {each.place}  {state}")


@folder_app.command("add")
def add_folder(place: Place, account: AccountOption = None) -> None:
    """Watch a folder from now on."""
    added = _with_folders(checked_settings(), lambda store, folders: _add(store, folders, place, account))
    say(str(added.id))


@folder_app.command("pause")
def pause_folder(folder: FolderArgument) -> None:
    """Leave the files of a folder where they are."""
    _change("folder.paused", lambda folders: folders.set_paused(folder, True))
    say("paused")


@folder_app.command("resume")
def resume_folder(folder: FolderArgument) -> None:
    """Watch a paused folder again."""
    _change("folder.resumed", lambda folders: folders.set_paused(folder, False))
    say("watched")


@folder_app.command("remove")
def remove_folder(folder: FolderArgument) -> None:
    """Stop watching a folder, and forget which files it took. Files and invoices stay."""
    _change("folder.removed", lambda folders: folders.remove(folder))
    say("removed")


@asynccontextmanager
async def watching(settings: "Settings", only: "WatchedFolder | None" = None) -> AsyncIterator[None]:
    """Watch all folders, or one of them, within the block."""
    from serve_app.store.factory import open_files, open_store
    from serve_app.wiring.files import claim_files
    from serve_app.wiring.watching import build_watcher

    await claim_files(settings)
    store, files = open_store(settings), open_files(settings)
    watcher = build_watcher(store, files, settings, only)
    running = asyncio.create_task(watcher.run())
    try:
        yield
    finally:
        watcher.stop()
        await running
        await store.connection.close()
        await files.close()


async def _watch(settings: "Settings", only: "WatchedFolder | None") -> None:
    from serve_app.wiring.telemetry import start_telemetry

    start_telemetry(settings, "Watcher")
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    async with watching(settings, only):
        say(f"Watching {only.place if only else 'all added folders'} (stop with Ctrl-C)")
        await stopped.wait()
    say("Stopped.")


async def _add(store: "Store", folders: "FolderService", place: str, account: UUID | None) -> "WatchedFolder":
    before = await folders.list_all()
    added = await folders.add(account or await _only_account(store), place)
    if added not in before:
        await _record(store, "folder.added", added)
    return added


def _change(action: str, work: "Callable[[FolderService], Awaitable[WatchedFolder]]") -> None:
    """Change a folder, and note it."""

    async def change(store: "Store", folders: "FolderService") -> None:
        await _record(store, action, await work(folders))

    _with_folders(checked_settings(), change)


async def _record(store: "Store", action: str, folder: "WatchedFolder") -> None:
    """In the trails of the deployment and of the account."""
    for trail in (None, folder.account_id):
        await record(store, trail, action, folder.place)


async def _only_account(store: "Store") -> UUID:
    page = await store.accounts.page(2)
    if len(page.items) != 1:
        raise CommandError("--account ID is needed unless there is exactly one account")
    return page.items[0].id


def _with_folders(settings: "Settings", work: "Callable[[Store, FolderService], Awaitable[T]]") -> T:
    from serve_app.wiring.watching import build_folders

    return run_on_store(settings, lambda store: work(store, build_folders(store, settings)))
