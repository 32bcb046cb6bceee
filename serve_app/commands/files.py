"""`invoices files`: which deployment the file store belongs to."""

from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from serve_app.commands.changes import record
from serve_app.commands.terminal import say

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from serve_app.services.upkeep.ownership import Owner
    from serve_app.store.base import Files, Store

T = TypeVar("T")

files_app = typer.Typer(no_args_is_help=True, help="The owner of the file store (FILES_URL).")


@files_app.command()
def show() -> None:
    """Print the id of this deployment and the owner of the file store."""
    from serve_app.services.upkeep.ownership import owner_of

    async def work(store: "Store", files: "Files") -> "Owner | None":
        say(f"this deployment: {await store.deployment.get()}")
        return await owner_of(files)

    owner = _run(work)
    say(f"the file store belongs to: {owner or 'no deployment yet; the next start claims it'}")


@files_app.command()
def adopt(
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Make this deployment the owner of the file store.

    First stop the previous owner: it cannot start with this store again, and its files may be deleted."""
    from serve_app.services.upkeep.ownership import FileOwnership

    if not yes:
        typer.confirm("Is the previous owner of this file store permanently stopped?", abort=True)

    async def work(store: "Store", files: "Files") -> "Owner":
        owner = await FileOwnership(store.deployment, files).adopt()
        await record(store, None, "files.adopted", str(owner.deployment))
        return owner

    say(f"the file store belongs to {_run(work)}")


def _run(work: "Callable[[Store, Files], Awaitable[T]]") -> T:
    from serve_app.commands.stores import checked_settings, run_on_store
    from serve_app.store.factory import open_files

    settings = checked_settings()

    async def run(store: "Store") -> T:
        files = open_files(settings)
        try:
            return await work(store, files)
        finally:
            await files.close()

    return run_on_store(settings, run)
