"""`invoices account pin`: accounts that stay on one pair of models for a time."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from serve_app.commands.accounts import AccountArgument
from serve_app.commands.changes import command_line_actor
from serve_app.commands.errors import CommandError
from serve_app.commands.stores import checked_settings, run_on_store
from serve_app.commands.terminal import say

if TYPE_CHECKING:
    from serve_app.domain.model_pairs import Pin
    from serve_app.services.models.pins import ModelPins

T = TypeVar("T")

Config = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Serve configuration with the pairs (default: config/serve.yaml)."),
]


def pin(
    account: AccountArgument,
    pair: Annotated[str, typer.Argument(metavar="PAIR", help="A pair of args.pairs, or first.")],
    until: Annotated[datetime, typer.Option(formats=["%Y-%m-%d"], metavar="DATE", help="The last day, in UTC.")],
    config: Config = None,
) -> None:
    """Pin an account to one model pair."""
    say(_line(_with_pins(lambda pins: pins.pin(command_line_actor(), account, pair, until.date()), config)))


def unpin(account: AccountArgument) -> None:
    """Remove the pin of an account."""
    if not _with_pins(lambda pins: pins.unpin(command_line_actor(), account)):
        raise CommandError("the account has no pin")
    say(f"unpinned {account}")


def list_pins() -> None:
    """List pinned accounts, oldest pin first."""
    for each in _with_pins(lambda pins: pins.list_all()):
        say(_line(each))


def _with_pins(work: "Callable[[ModelPins], Awaitable[T]]", config: Path | None = None) -> T:
    from serve_app.commands.local_graph import DEFAULT_CONFIG, pairs_of, read_graph
    from serve_app.wiring.pins import build_pins

    further = tuple(pairs_of(read_graph(config or DEFAULT_CONFIG)))
    return run_on_store(checked_settings(), lambda store: work(build_pins(store, further)))


def _line(pin: "Pin") -> str:
    return f"pinned   {pin.account_id}  {pin.pair}  to {pin.last_day}"
