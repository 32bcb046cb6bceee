"""`invoices invoice delete` and `invoices account delete`: permanent deletion. They need no running service."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, TypeVar
from uuid import UUID

import typer

from serve_app.commands.accounts import AccountArgument
from serve_app.commands.changes import command_line_actor, record
from serve_app.commands.stores import checked_settings, open_for_command
from serve_app.commands.terminal import say

if TYPE_CHECKING:
    from serve_app.domain.erased import Erased
    from serve_app.settings import Settings
    from serve_app.store.base import Files, Store

T = TypeVar("T")

# Enough to distinguish a few invoices from many without reading all of them.
_MOST_COUNTED = 100

invoice_app = typer.Typer(no_args_is_help=True, help="Delete invoices.")

YesOption = Annotated[bool, typer.Option("--yes", help="Do not ask.")]


@invoice_app.command("delete")
def delete_invoice(
    account: AccountArgument,
    invoice: Annotated[UUID, typer.Argument(metavar="INVOICE", help="The invoice's id.")],
    yes: YesOption = False,
) -> None:
    """Delete an invoice permanently, with its events, deliveries and file."""

    async def erase(store: "Store", files: "Files") -> "Erased":
        from serve_app.services.invoices.erase import InvoiceEraser

        erased = await InvoiceEraser(store, files).erase(account, invoice)
        await record(store, account, "invoice.deleted", str(invoice))
        return erased

    if not yes:
        _ask(_with_stores(lambda store, _: _describe_invoice(store, account, invoice)))
    _show(_with_stores(erase))


def delete_account(account: AccountArgument, yes: YesOption = False) -> None:
    """Delete an account permanently, with its invoices, files, keys and all other data."""

    async def erase(store: "Store", files: "Files") -> "Erased":
        from serve_app.wiring.accounts import build_account_deletion

        return await build_account_deletion(store, files).delete(command_line_actor(), account)

    if not yes:
        _ask(_with_stores(lambda store, _: _describe_account(store, account)))
    _show(_with_stores(erase))


async def _describe_invoice(store: "Store", account_id: UUID, invoice_id: UUID) -> str:
    invoice = await store.invoices.get(account_id, invoice_id)
    if invoice is None:
        raise LookupError(f"the account has no invoice {invoice_id}")
    name = invoice.file.name or "a file without a name"
    return f"the invoice {invoice_id} ({name}, {invoice.created_at:%Y-%m-%d}, {invoice.status})"


async def _describe_account(store: "Store", account_id: UUID) -> str:
    account = await store.accounts.get(account_id)
    invoices = len(await store.erasure.next_invoices(account_id, _MOST_COUNTED + 1))
    keys = len(await store.keys.of_account(account_id))
    count = f"more than {_MOST_COUNTED}" if invoices > _MOST_COUNTED else f"{invoices}"
    if account is None:
        if not invoices:
            raise LookupError(f"there is no account {account_id}")
        return f"what is left of the account {account_id}: invoices: {count}"
    return f"the account {account_id} (plan {account.plan.name}, invoices: {count}, keys: {keys})"


def _ask(what: str) -> None:
    """Abort the command unless the user confirms."""
    say(f"This deletes {what}.")
    typer.confirm("It cannot be undone. Delete?", abort=True)


def _show(erased: "Erased") -> None:
    """Print what was removed, one kind per line."""
    for kind, count in asdict(erased).items():
        if count:
            say(f"{kind.replace('_', ' '):<14}{count:>8}")
    if not any(asdict(erased).values()):
        say("There was nothing to delete.")


def _with_stores(work: "Callable[[Store, Files], Awaitable[T]]") -> T:
    """Run `work` on the configured store and files, and return its result."""
    return asyncio.run(_work(work, checked_settings()))


async def _work(work: "Callable[[Store, Files], Awaitable[T]]", settings: "Settings") -> T:
    from serve_app.store.files.factory import open_files

    files = open_files(settings)
    try:
        async with open_for_command(settings) as store:
            return await work(store, files)
    finally:
        await files.close()
