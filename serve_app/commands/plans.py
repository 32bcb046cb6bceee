"""`invoices account plans`: the limits that several accounts share."""

from typing import Annotated

import typer

from serve_app.commands.account_limits import (
    Budget,
    Documents,
    FileMb,
    Requests,
    Running,
    changes_of,
    warn_without_prices,
)
from serve_app.commands.accounts import with_changes
from serve_app.commands.changes import command_line_actor
from serve_app.commands.stores import checked_settings, run_on_store
from serve_app.commands.terminal import print_table, say
from serve_app.domain.account import AccountLimits, Plan

plans_app = typer.Typer(no_args_is_help=True, help="List, add, change and remove plans.")

_COLUMNS = ("plan", "documents", "requests", "running", "file_mb", "budget")
NameArgument = Annotated[str, typer.Argument(metavar="PLAN", help="Such as trial; a-z, 0-9, - and _.")]


@plans_app.command("list")
def list_plans() -> None:
    """List the plans and their limits: documents a month, requests a minute, documents at once, MB of a file,
    budget a month. A dash: no limit of documents and of money, or what the settings say."""
    from serve_app.wiring.accounts import build_plans

    plans = run_on_store(checked_settings(), lambda store: build_plans(store).list_all())
    print_table([_COLUMNS, *(_row(plan) for plan in plans)])


@plans_app.command("set")
def set_plan_limits(
    name: NameArgument,
    documents: Documents = None,
    requests: Requests = None,
    running: Running = None,
    file_mb: FileMb = None,
    budget: Budget = None,
) -> None:
    """Add a plan, or change limits of one, and print them. They apply to all its accounts from their next request on;
    limits that are not named stay."""
    named = changes_of(documents, requests, running, file_mb, budget)
    plan = with_changes(lambda changes: changes.amend_plan(command_line_actor(), name, named))
    print_table([_COLUMNS, _row(plan)])
    warn_without_prices(plan.limits.budget_per_month)


@plans_app.command("remove")
def remove_plan(name: NameArgument) -> None:
    """Remove a plan that no account has."""
    with_changes(lambda changes: changes.remove_plan(command_line_actor(), name))
    say(f"removed  {name}")


def _row(plan: Plan) -> tuple[str, ...]:
    limits: AccountLimits = plan.limits
    numbers = (limits.documents_per_month, limits.requests_per_minute, limits.running, limits.file_mb)
    values = (*numbers, limits.budget_per_month)
    return (plan.name, *("-" if value is None else f"{value:,}" for value in values))
