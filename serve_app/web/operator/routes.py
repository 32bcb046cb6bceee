"""The whole deployment, for its operators."""

from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Form
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from serve_app.domain.audit import actor_of
from serve_app.domain.clock import utc_now
from serve_app.domain.errors import InvalidParameter
from serve_app.services.accounts.changes import AccountAmendment
from serve_app.web.pages import page, redirect
from serve_app.web.query_parameters import id_of, path_with, require_id
from serve_app.web.visitor import AnyServices, FreshOperator, Operator, OperatorAlone, Visitor
from serve_app.web.webhooks.view import PAUSES

router = APIRouter()

ACCOUNTS = "/app/operator/accounts"
PAGE = 50
_LONG_WAIT = timedelta(minutes=10)
Text = Annotated[str, Form()]


@router.get("/operator")
async def show_deployment(request: Request, services: AnyServices, visitor: Operator) -> HTMLResponse:
    """Queue, failures, models, paused endpoints, settings."""
    seen = await services.deployment.overview()
    return page(
        request,
        visitor,
        "operator/deployment.html",
        seen=seen,
        is_slow=seen.queue.oldest is not None and seen.at - seen.queue.oldest > _LONG_WAIT,
        failures=sorted(seen.failures.items(), key=lambda item: -item[1]),
        pauses=PAUSES,
        settings=services.deployment.settings(),
    )


@router.get("/operator/support-bundle")
async def send_support_bundle(services: AnyServices, visitor: Operator) -> Response:
    """The bundle as a download."""
    content = await services.deployment.support_bundle()
    await services.people.audit.record(actor_of(visitor.person), None, "support_bundle.made")
    headers = {"Content-Disposition": f'attachment; filename="support-{utc_now():%Y-%m-%d}.zip"'}
    return Response(content, media_type="application/zip", headers=headers)


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
        actor = actor_of(visitor.person)
        account = await services.account_changes.create(actor, plan, email.strip() or None)
    except InvalidParameter as error:
        return await _list(request, services, visitor, status=400, email=email, problem=error.message)
    return redirect(f"{ACCOUNTS}/{account.id}", "The account was created. Now invite its owner.")


@router.get("/operator/accounts/{id}")
async def show_account(request: Request, services: AnyServices, visitor: Operator, id: str) -> HTMLResponse:
    """An account with its plan."""
    account = await services.accounts.get_account(require_id(id))
    used = await services.usage.this_month(account.id)
    return page(
        request,
        visitor,
        "operator/account.html",
        account=account,
        used=used,
        budget=await services.monthly_limits.budget(account),
        plans=await services.plans.list_all(),
    )


@router.post("/operator/accounts/{id}/plan")
async def change_plan(services: AnyServices, visitor: FreshOperator, id: str, plan: Text = "") -> Response:
    """Set the plan from now on."""
    actor, account_id = actor_of(visitor.person), require_id(id)
    account = await services.account_changes.amend(actor, account_id, AccountAmendment(plan=plan))
    return redirect(f"{ACCOUNTS}/{account.id}", f"The plan is now {account.plan.name}.")


async def _list(
    request: Request,
    services: AnyServices,
    visitor: Visitor | OperatorAlone,
    after: str = "",
    status: int = 200,
    *,
    email: str = "",
    problem: str = "",
) -> HTMLResponse:
    found = await services.accounts.list_accounts(PAGE, id_of(after))
    return page(
        request,
        visitor,
        "operator/accounts.html",
        status,
        rows=[(account, await services.usage.this_month(account.id)) for account in found.items],
        plans=await services.plans.list_all(),
        email=email,
        problem=problem,
        next_path=path_with(ACCOUNTS, after=found.items[-1].id) if found.has_more else "",
        first_path=ACCOUNTS if after else "",
    )
