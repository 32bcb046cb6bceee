"""`invoices account limit`, `suspend` and `resume`: what operators allow one account."""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated

import typer

from serve_app.commands.accounts import AccountArgument, with_changes
from serve_app.commands.changes import command_line_actor
from serve_app.commands.errors import CommandError
from serve_app.commands.stores import checked_settings
from serve_app.commands.terminal import complain, say
from serve_app.domain.account import LimitValue
from serve_app.services.accounts.changes import AccountAmendment

_USUAL = "default"
_OR_USUAL = "a number, or default"

Documents = Annotated[str | None, typer.Option(help=f"Documents a month: {_OR_USUAL}.")]
Requests = Annotated[str | None, typer.Option(help=f"Requests a minute of each key: {_OR_USUAL}.")]
Running = Annotated[str | None, typer.Option(help=f"Documents in progress at once: {_OR_USUAL}.")]
Budget = Annotated[
    str | None, typer.Option(help="What its readings may cost a month, in PRICE_CURRENCY: an amount, or default.")
]
FileMb = Annotated[str | None, typer.Option(help=f"Size of the largest file in MB: {_OR_USUAL}.")]


def set_limits(
    account: AccountArgument,
    documents: Documents = None,
    requests: Requests = None,
    running: Running = None,
    file_mb: FileMb = None,
    budget: Budget = None,
) -> None:
    """Set limits of an account instead of those of its plan and of the settings, and print all of its own. Limits that
    are not named stay."""
    amendment = AccountAmendment(limits=changes_of(documents, requests, running, file_mb, budget))
    changed = with_changes(lambda changes: changes.amend(command_line_actor(), account, amendment))
    say(f"limits   {changed.limits.described}")
    warn_without_prices(changed.limits.budget_per_month)


def suspend(account: AccountArgument) -> None:
    """Suspend an account: its keys and people are refused, and nothing more is accepted for it. Its data is kept,
    documents in progress end, and mails wait."""
    with_changes(lambda changes: changes.suspend(command_line_actor(), account))
    say(f"suspended  {account}")


def resume(account: AccountArgument) -> None:
    """End an account's suspension: everything works as before, and waiting mails are read within an hour."""
    with_changes(lambda changes: changes.resume(command_line_actor(), account))
    say(f"resumed  {account}")


def changes_of(
    documents: str | None, requests: str | None, running: str | None, file_mb: str | None, budget: str | None
) -> Mapping[str, LimitValue]:
    """The limits that a command names, by their names in the domain; None: the usual one."""
    asked = {"documents_per_month": documents, "requests_per_minute": requests, "running": running, "file_mb": file_mb}
    numbers = {name: _number(value) for name, value in asked.items() if value is not None}
    return numbers if budget is None else {**numbers, "budget_per_month": _amount(budget)}


def warn_without_prices(budget: Decimal | None) -> None:
    """A budget limits nothing while nothing costs anything."""
    if budget is not None and not checked_settings().prices.are_set:
        complain("no price is set (PRICE_PAGE and others), so this budget is never used up")


def _number(text: str) -> int | None:
    if text == _USUAL:
        return None
    if not text.isdecimal():
        raise CommandError(f"a limit is {_OR_USUAL}; got {text!r}")
    return int(text)


def _amount(text: str) -> Decimal | None:
    if text == _USUAL:
        return None
    if re.fullmatch(r"\d{1,10}(\.\d{1,2})?", text, re.ASCII) is None:
        raise CommandError(f"a budget is an amount such as 40 or 40.00, or default; got {text!r}")
    return Decimal(text)
