"""`invoices export connect`: programs that book bills by their API."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from serve_app.commands.accounts import AccountArgument
from serve_app.commands.changes import command_line_actor
from serve_app.commands.errors import CommandError
from serve_app.commands.export_options import read_format_settings
from serve_app.commands.stores import checked_settings, run_on_store
from serve_app.commands.terminal import say
from serve_app.domain.ledger_connection import Ledger

if TYPE_CHECKING:
    from serve_app.services.exports.connections import LedgerConnectionService

LedgerArgument = Annotated[Ledger, typer.Argument(metavar="PROGRAM", help=", ".join(Ledger))]


def connect(
    account: AccountArgument,
    program: LedgerArgument,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="JSON. odoo: url, database, api_key. xero: tenant_id, client_id, client_secret, refresh_token. "
            "quickbooks: realm_id in place of tenant_id.",
        ),
    ],
) -> None:
    """Let exports be booked by the API of a program: such as `--to odoo:`. Secrets are stored encrypted."""
    given = read_format_settings(file)
    _change(lambda connections: connections.connect(account, program, given, command_line_actor()))
    say("connected")


def disconnect(account: AccountArgument, program: LedgerArgument) -> None:
    """Remove the stored secrets of a program."""
    _change(lambda connections: connections.disconnect(account, program, command_line_actor()))
    say("disconnected")


def _change(work: "Callable[[LedgerConnectionService], Awaitable[None]]") -> None:
    from serve_app.settings.keys import with_keys
    from serve_app.wiring.exports import build_connections

    settings = with_keys(checked_settings())
    try:
        run_on_store(settings, lambda store: work(build_connections(store, settings)))
    except LookupError as error:
        raise CommandError(str(error)) from error
