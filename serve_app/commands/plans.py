"""`invoices account plans`: the limits that several accounts share."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from serve_app.commands.account_limits import Documents, FileMb, Requests, Running, changes_of
from serve_app.commands.changes import record
from serve_app.commands.stores import checked_settings, run_on_store
from serve_app.commands.terminal import print_table, say
from serve_app.domain.account import AccountLimits, Plan

if TYPE_CHECKING:
    from serve_app.services.accounts.plans import PlanService
    from serve_app.store.base import Store

T = TypeVar("T")

plans_app = typer.Typer(no_args_is_help=True, help="List, add, change and remove plans.")

_COLUMNS = ("plan", "documents", "requests", "running", "file_mb")
NameArgument = Annotated[str, typer.Argument(metavar="PLAN", help="Such as trial; a-z, 0-9, - and _.")]


@plans_app.command("list")
def list_plans() -> None:
    """List the plans and their limits: documents a month, requests a minute, documents at once, MB of a file. A dash:
    no limit of documents, or what the settings say."""
    plans = _with_plans(lambda _, service: service.list_all())
    print_table([_COLUMNS, *(_row(plan) for plan in plans)])


@plans_app.command("set")
def set_plan_limits(
    name: NameArgument,
    documents: Documents = None,
    requests: Requests = None,
    running: Running = None,
    file_mb: FileMb = None,
) -> None:
    """Add a plan, or change limits of one, and print them. They apply to all its accounts from their next request on;
    limits that are not named stay."""
    changes = changes_of(documents, requests, running, file_mb)

    async def work(store: "Store", service: "PlanService") -> Plan:
        before, plan = await service.amend(name, **changes)
        was = None if before is None else before.limits.described
        await record(store, None, "plan.defined", name, before=was, limits=plan.limits.described)
        return plan

    print_table([_COLUMNS, _row(_with_plans(work))])


@plans_app.command("remove")
def remove_plan(name: NameArgument) -> None:
    """Remove a plan that no account has."""

    async def work(store: "Store", service: "PlanService") -> None:
        await service.remove(name)
        await record(store, None, "plan.removed", name)

    _with_plans(work)
    say(f"removed  {name}")


def _row(plan: Plan) -> tuple[str, ...]:
    limits: AccountLimits = plan.limits
    values = (limits.documents_per_month, limits.requests_per_minute, limits.running, limits.file_mb)
    return (plan.name, *("-" if value is None else f"{value:,}" for value in values))


def _with_plans(work: "Callable[[Store, PlanService], Awaitable[T]]") -> T:
    from serve_app.wiring.accounts import build_plans

    return run_on_store(checked_settings(), lambda store: work(store, build_plans(store)))
