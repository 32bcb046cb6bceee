"""`invoices corrections`: what people have confirmed, as data for measuring and training, and as memory."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from serve_app.commands.accounts import AccountArgument
from serve_app.commands.changes import command_line_actor, record
from serve_app.commands.stores import checked_settings, open_for_command
from serve_app.commands.terminal import say

if TYPE_CHECKING:
    from serve_app.services.review.export import Exported
    from serve_app.settings import Settings

corrections_app = typer.Typer(no_args_is_help=True, help="Confirmed and corrected invoices.")


@corrections_app.command("export")
def export_corrections(
    account: AccountArgument,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Target folder; an earlier export is updated.")],
) -> None:
    """Export an account's confirmed invoices as labelled documents.

    `invoices evaluate DIR` and `make calibrate DATA=DIR` measure on them, `make train REAL=DIR` trains. The folder
    contains the documents, so protect it like them."""
    done = asyncio.run(_export(account, folder, checked_settings()))
    say(f"{done.files} files with their values, {done.lines} of them labelled for training: {folder}")
    if done.unconfirmed:
        say(f"{done.unconfirmed} files skipped: not all of their invoices are confirmed")
    if done.removed:
        say(f"{done.removed} files of an earlier export removed: no longer confirmed, or erased")


@corrections_app.command("forget")
def forget_vendor(
    account: AccountArgument,
    invoice: Annotated[UUID, typer.Argument(metavar="INVOICE", help="An invoice of the vendor.")],
    only_this: Annotated[bool, typer.Option("--only-this", help="Only this invoice.")] = False,
) -> None:
    """Remove confirmed invoices from the memory of their vendor. They stay confirmed."""
    say(f"{asyncio.run(_forget(account, invoice, only_this, checked_settings()))} examples forgotten")


async def _forget(account: UUID, invoice: UUID, only_this: bool, settings: "Settings") -> int:
    from serve_app.services.people.audit import AuditTrail
    from serve_app.services.review.memory import MemoryService
    from serve_app.store.files.factory import open_files

    async with open_for_command(settings) as store:
        files = open_files(settings)
        try:
            memory = MemoryService(store.invoices, store.memory, store.vendors, files, AuditTrail(store.audit))
            if only_this:
                return await memory.forget(account, [invoice], command_line_actor())
            return await memory.forget_vendor(account, invoice, command_line_actor())
        finally:
            await files.close()


async def _export(account: UUID, folder: Path, settings: "Settings") -> "Exported":
    from serve_app.services.review.export import CorrectionsExport
    from serve_app.store.files.factory import open_files

    async with open_for_command(settings) as store:
        if await store.accounts.get(account) is None:
            raise LookupError(f"there is no account {account}")
        files = open_files(settings)
        try:
            done = await CorrectionsExport(store.reviews, files).run(account, folder)
            await record(store, account, "corrections.exported", files=done.files)
            return done
        finally:
            await files.close()
