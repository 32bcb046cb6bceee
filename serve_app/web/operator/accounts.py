"""Accounts, for operators: their plans, their own limits, and their deletion."""

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Form
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from serve_app.domain.account import Account, AccountLimits, LimitValue
from serve_app.domain.errors import AccountKept, InvalidParameter
from serve_app.services.accounts.changes import AccountAmendment
from serve_app.services.bundle import Services
from serve_app.settings import Settings
from serve_app.web.formats import Formats, formats_of
from serve_app.web.pages import page, redirect
from serve_app.web.query_parameters import id_of, path_with, require_id
from serve_app.web.visitor import AnyServices, FreshOperator, Operator, OperatorAlone, Visitor

router = APIRouter()

ACCOUNTS = "/app/operator/accounts"
PAGE = 50
DELETION_SECONDS = 10.0
"""How long the answer to a form waits for the deletion of an account."""
BUDGET = "budget_per_month"
LIMITS = {
    "documents_per_month": "Documents a month",
    "requests_per_minute": "Requests a minute of each key",
    "running": "Documents in progress at once",
    "file_mb": "MB of the largest file",
    BUDGET: "Budget a month",
}
Text = Annotated[str, Form()]


@router.get("/operator/accounts")
async def list_accounts(request: Request, services: AnyServices, visitor: Operator, after: str = "") -> HTMLResponse:
    """All accounts with their use of this month."""
    return await _list(request, services, visitor, after)


@router.post("/operator/accounts")
async def create_account(
    request: Request, services: AnyServices, visitor: FreshOperator, plan: Text = "free", email: Text = ""
) -> Response:
    """Create an account."""
    try:
        account = await services.account_changes.create(visitor.actor, plan, email.strip() or None)
    except InvalidParameter as error:
        return await _list(request, services, visitor, status=400, email=email, problem=error.message)
    return redirect(f"{ACCOUNTS}/{account.id}", "The account was created. Now invite its owner.")


@router.get("/operator/accounts/{id}")
async def show_account(request: Request, services: AnyServices, visitor: Operator, id: str) -> HTMLResponse:
    """An account with its plan and its own limits."""
    return await _show(request, services, visitor, await _account(services, id))


@router.post("/operator/accounts/{id}/plan")
async def change_plan(services: AnyServices, visitor: FreshOperator, id: str, plan: Text = "") -> Response:
    """Set the plan from now on."""
    account = await _account(services, id)
    changed = await services.account_changes.amend(visitor.actor, account.id, AccountAmendment(plan=plan))
    return redirect(f"{ACCOUNTS}/{account.id}", f"The plan is now {changed.plan.name}.")


@router.post("/operator/accounts/{id}/limits")
async def change_limits(request: Request, services: AnyServices, visitor: FreshOperator, id: str) -> Response:
    """Set the account's own limits from now on; an empty field removes one."""
    account, form = await _account(services, id), await request.form()
    typed = {name: str(form.get(name, "")).strip() for name in LIMITS}
    try:
        formats = formats_of(request.headers.get("accept-language", ""))
        limits = {name: _limit_of(name, text, formats) for name, text in typed.items()}
        await services.account_changes.amend(visitor.actor, account.id, AccountAmendment(limits=limits))
    except InvalidParameter as error:
        return await _show(request, services, visitor, account, 400, typed=typed, problem=error.message)
    return redirect(f"{ACCOUNTS}/{account.id}", "Saved. The limits apply from the next request on.")


@router.get("/operator/accounts/{id}/delete")
async def ask_to_delete(request: Request, services: AnyServices, visitor: FreshOperator, id: str) -> HTMLResponse:
    """The question whether it may be deleted."""
    return await _ask(request, services, visitor, await _account(services, id))


@router.post("/operator/accounts/{id}/delete")
async def delete_account(
    request: Request, services: AnyServices, visitor: FreshOperator, id: str, confirm: Text = ""
) -> Response:
    """Delete the account with everything that it has, if the form repeats its id."""
    account = await _account(services, id)
    if confirm.strip() != str(account.id):
        return await _ask(request, services, visitor, account, 400, "Enter the id of this account.")
    try:
        is_gone = await services.account_deletion.is_deleted_within(visitor.actor, account.id, DELETION_SECONDS)
    except AccountKept as error:
        return await _ask(request, services, visitor, account, 409, str(error))
    going = "The account is being deleted. Repeat this if it is still in the list after a minute."
    return redirect(ACCOUNTS, "The account was deleted." if is_gone else going)


async def _account(services: Services, id: str) -> Account:
    """Raises LookupError, also for the part of an account that is test mode."""
    account = await services.accounts.get_account(require_id(id))
    if not account.is_live:
        raise LookupError(id)
    return account


def _limit_of(name: str, text: str, formats: Formats) -> LimitValue:
    """None for an empty text. Raises InvalidParameter for what is no number."""
    if not text:
        return None
    number = formats.notation.read_number(text)
    if number is None or (name != BUDGET and number != number.to_integral_value()):
        raise InvalidParameter(f"{LIMITS[name]}: enter {'an amount' if name == BUDGET else 'a whole number'}.")
    return number if name == BUDGET else int(number)


async def _show(
    request: Request,
    services: Services,
    visitor: Visitor | OperatorAlone,
    account: Account,
    status: int = 200,
    *,
    typed: Mapping[str, str] | None = None,
    problem: str = "",
) -> HTMLResponse:
    formats = formats_of(request.headers.get("accept-language", ""))
    return page(
        request,
        visitor,
        "operator/account.html",
        status,
        account=account,
        used=await services.usage.this_month(account.id),
        budget=await services.monthly_limits.budget(account),
        plans=await services.plans.list_all(),
        names=LIMITS,
        typed=typed or _written(account.limits, formats),
        usual=_written(account.plan.limits.over(_limits_in(services.settings)), formats),
        prices=services.settings.prices,
        problem=problem,
    )


def _limits_in(settings: Settings) -> AccountLimits:
    """What accounts without limits of their own have, and those of their plan."""
    return AccountLimits(None, settings.rate_limit, settings.max_running_per_account, settings.max_file_bytes // 2**20)


def _written(limits: AccountLimits, formats: Formats) -> dict[str, str]:
    """The limits as the person writes numbers; empty where there is none."""
    values: dict[str, Any] = {name: getattr(limits, name) for name in LIMITS}
    return {name: "" if value is None else formats.number(value) for name, value in values.items()}


async def _ask(
    request: Request,
    services: Services,
    visitor: Visitor | OperatorAlone,
    account: Account,
    status: int = 200,
    problem: str = "",
) -> HTMLResponse:
    documents = await services.usage.by_month(account.id, 12)
    return page(
        request,
        visitor,
        "operator/delete_account.html",
        status,
        account=account,
        documents=sum(count for _, count in documents),
        problem=problem,
    )


async def _list(
    request: Request,
    services: Services,
    visitor: Visitor | OperatorAlone,
    after: str = "",
    status: int = 200,
    *,
    email: str = "",
    problem: str = "",
) -> HTMLResponse:
    found = await services.accounts.list_accounts(PAGE, id_of(after))
    used = {account.id: await services.usage.this_month(account.id) for account in found.items}
    return page(
        request,
        visitor,
        "operator/accounts.html",
        status,
        accounts=found.items,
        used=used,
        budgets={account.id: await services.monthly_limits.budget(account) for account in found.items},
        plans=await services.plans.list_all(),
        email=email,
        problem=problem,
        next_path=path_with(ACCOUNTS, after=found.items[-1].id) if found.has_more else "",
        first_path=ACCOUNTS if after else "",
    )
