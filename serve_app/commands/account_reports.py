"""`invoices account list`, `show` and `usage`: the accounts of the deployment, and how much they use."""

from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from serve_app.commands.accounts import AccountArgument
from serve_app.commands.stores import checked_settings, run_on_store
from serve_app.commands.terminal import complain, print_table, say
from serve_app.domain.account import Account
from serve_app.domain.clock import utc_now
from serve_app.services.accounts.usage_rows import USAGE_COLUMNS, Row, csv_text, usage_row

if TYPE_CHECKING:
    from serve_app.settings import Settings
    from serve_app.store.base import Store

_PAGE = 500


def list_accounts(
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Maximum number of accounts.")] = 50,
    after: Annotated[UUID | None, typer.Option(metavar="ID", help="Continue after this account.")] = None,
) -> None:
    """List accounts, newest first: id, plan, day of creation, documents of this month and of the plan's, what is
    spent of its budget if it has one, address."""

    async def work(store: "Store") -> tuple[list[Row], bool]:
        page = await store.accounts.page(limit, after)
        return [await _summary(store, settings, account) for account in page.items], page.has_more

    settings = checked_settings()
    rows, has_more = run_on_store(settings, work)
    print_table(rows)
    if has_more:
        complain(f"There are more: --after {rows[-1][0]}")


def show_account(account: AccountArgument) -> None:
    """Show an account: plan, use of this month, rules, and how many keys, people and webhook endpoints it has."""
    settings = checked_settings()
    for name, value in run_on_store(settings, lambda store: _facts(store, settings, account)).items():
        say(f"{name:<17}  {value}")


def show_usage(
    account: Annotated[UUID | None, typer.Argument(metavar="[ACCOUNT]", help="This account only.")] = None,
    months: Annotated[int, typer.Option(min=1, max=120, help="Number of months, up to the present one.")] = 12,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print as CSV, months without use included.")] = False,
) -> None:
    """Show what accounts used by month (UTC), oldest account first: the documents that count towards the plan, and the
    pages, seconds and cost of all readings, also of invoices that were deleted since."""
    settings = checked_settings()
    rows = run_on_store(settings, lambda store: _usage_rows(store, settings, account, months))
    if as_csv:
        say(csv_text([USAGE_COLUMNS, *rows]).rstrip("\n"))
    else:
        print_table([USAGE_COLUMNS, *(row for row in rows if any(float(value) for value in row[2:]))])


async def _usage_rows(store: "Store", settings: "Settings", account: UUID | None, months: int) -> list[Row]:
    from serve_app.wiring.accounts import build_usage

    usage = build_usage(store, settings)
    accounts = await _all_accounts(store) if account is None else [await _existing(store, account)]
    return [usage_row(each.id, used) for each in accounts for used in await usage.with_readings(each.id, months)]


async def _all_accounts(store: "Store") -> list[Account]:
    """Oldest first."""
    found: list[Account] = []
    has_more = True
    while has_more:
        page = await store.accounts.page(_PAGE, found[-1].id if found else None)
        found += page.items
        has_more = page.has_more
    return found[::-1]


async def _existing(store: "Store", account_id: UUID) -> Account:
    from serve_app.wiring.accounts import build_accounts

    return await build_accounts(store).get_account(account_id)


async def _used(store: "Store", settings: "Settings", account: Account) -> str:
    from serve_app.wiring.accounts import build_monthly_limits

    limits = build_monthly_limits(store, settings)
    quota, budget = await limits.quota(account), await limits.budget(account)
    documents = f"{quota.used} of {'unlimited' if quota.limit is None else quota.limit}"
    return documents if budget is None else f"{documents}; {budget.spent} of {budget.amount:.2f} {budget.currency}"


async def _summary(store: "Store", settings: "Settings", account: Account) -> Row:
    created = f"{account.created_at:%Y-%m-%d}"
    return str(account.id), account.plan.name, created, await _used(store, settings, account), account.email or "-"


async def _facts(store: "Store", settings: "Settings", account_id: UUID) -> dict[str, object]:
    from serve_app.commands.retention import kept_by
    from serve_app.domain.retention import Retention

    account = await _existing(store, account_id)
    rules = await store.retention.rules([account_id])
    keys = await store.keys.of_account(account_id)
    return {
        "account": account.id,
        "plan": account.plan.name,
        "limits": account.limits.described,
        **({"suspended": f"{account.suspended_at:%Y-%m-%d}"} if account.suspended_at else {}),
        "created": f"{account.created_at:%Y-%m-%d}",
        "address": account.email or "-",
        "this month": await _used(store, settings, account),
        "target precision": account.target_precision or "per TARGET_PRECISION",
        **{f"keeps {what}": rule for what, rule in kept_by(rules.get(account_id, Retention())).items()},
        "valid keys": sum(key.revoked_at is None or key.revoked_at > utc_now() for key in keys),
        "people": len(await store.memberships.of_account(account_id)),
        "webhook endpoints": len(await store.endpoints.of_account(account_id)),
    }
