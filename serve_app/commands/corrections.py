"""`invoices corrections export`: what people confirmed, as data for measuring and training."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from serve_app.commands.accounts import AccountArgument
from serve_app.commands.stores import checked_settings, open_for_command
from serve_app.commands.terminal import say

if TYPE_CHECKING:
    from serve_app.services.review.export import Exported
    from serve_app.settings import Settings

corrections_app = typer.Typer(no_args_is_help=True, help="What people have confirmed and corrected.")


@corrections_app.command("export")
def export_corrections(
    account: AccountArgument,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Written to; what an earlier export left is updated.")],
) -> None:
    """Write an account's confirmed invoices as documents with their true values.

    `invoices evaluate DIR` and `make calibrate DATA=DIR` measure on them, `make train REAL=DIR` trains. The folder has
    the documents themselves: treat it like them."""
    done = asyncio.run(_export(account, folder, checked_settings()))
    say(f"{done.files} files with their values, {done.lines} of them labelled for training: {folder}")
    if done.unconfirmed:
        say(f"{done.unconfirmed} files left out: not all of their invoices are confirmed")
    if done.removed:
        say(f"{done.removed} files of an earlier export removed: taken back, or erased")


async def _export(account: UUID, folder: Path, settings: "Settings") -> "Exported":
    from serve_app.services.review.export import CorrectionsExport
    from serve_app.store.files_factory import open_files

    async with open_for_command(settings) as store:
        if await store.accounts.get(account) is None:
            raise LookupError(f"there is no account {account}")
        files = open_files(settings)
        try:
            return await CorrectionsExport(store.reviews, files).run(account, folder)
        finally:
            await files.close()
