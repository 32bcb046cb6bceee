"""`invoices orders`: purchase orders of accounts."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from serve_app.commands.accounts import AccountArgument
from serve_app.commands.changes import command_line_actor
from serve_app.commands.errors import CommandError
from serve_app.commands.stores import checked_settings, run_on_store
from serve_app.commands.terminal import say

if TYPE_CHECKING:
    from serve_app.services.orders.service import OrderImport
    from serve_app.store.base import Store

orders_app = typer.Typer(no_args_is_help=True, help="Import purchase orders.")


@orders_app.callback()
def orders() -> None:
    """Import purchase orders."""


@orders_app.command("import")
def import_orders(
    account: AccountArgument,
    file: Annotated[Path, typer.Argument(metavar="FILE", exists=True, dir_okay=False, help="A CSV file in UTF-8.")],
    preview: Annotated[bool, typer.Option("--preview", help="Only print what would change.")] = False,
) -> None:
    """Import purchase orders from a CSV file: one row a line, rows with the same number are one order.

    An order whose number is known is replaced. A file with an error changes nothing.
    """
    from serve_app.domain.order_file import parse_orders
    from serve_app.services.orders.matching import OrderMatcher
    from serve_app.services.orders.service import OrderService
    from serve_app.services.people.audit import AuditTrail

    parsed = parse_orders(file.read_bytes())
    if parsed.errors:
        texts = [f"line {error.line}: {error.message}" for error in parsed.errors]
        for text in texts[1:]:
            say(text)
        raise CommandError(f"nothing was imported: {texts[0]}")

    async def work(store: "Store") -> "OrderImport":
        if await store.accounts.get(account) is None:
            raise CommandError(f"there is no account {account}")
        service = OrderService(store.purchase_orders, AuditTrail(store.audit), OrderMatcher(store))
        if preview:
            return await service.preview(account, parsed)
        return await service.carry_out(account, parsed, command_line_actor())

    plan = run_on_store(checked_settings(), work)
    say(f"new        {len(plan.new)}")
    say(f"changed    {len(plan.changed)}")
    say(f"unchanged  {plan.unchanged}")
