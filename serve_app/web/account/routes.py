"""Plan and use of the account."""

from datetime import date
from decimal import Decimal
from typing import Annotated

from fastapi import APIRouter, Form
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from serve_app.domain.errors import InvalidParameter
from serve_app.services.bundle import Services
from serve_app.web.account.targets import target_choices
from serve_app.web.changes import record
from serve_app.web.charts import Figure, chart_of
from serve_app.web.formats import formats_of
from serve_app.web.pages import page, redirect
from serve_app.web.quality.view import percent
from serve_app.web.visitor import AnyServices, AnyVisitor, Owner, Visitor

router = APIRouter()

MONTHS = 12


@router.get("/account")
async def show_account(request: Request, services: AnyServices, visitor: AnyVisitor) -> HTMLResponse:
    """The plan, what was used of it, and how webhooks and mail are doing."""
    return await _show(request, services, visitor)


@router.post("/account/email")
async def change_email(
    request: Request, services: AnyServices, visitor: Owner, email: Annotated[str, Form()] = ""
) -> Response:
    """Set the address for notices."""
    try:
        await services.accounts.set_email(visitor.account.id, email.strip())
    except InvalidParameter as error:
        return await _show(request, services, visitor, 400, email=email, problem=error.message)
    await record(services, visitor, "account.address_changed")
    return redirect("/app/account", "Saved. Notices go to the new address.")


@router.post("/account/target-precision")
async def change_target_precision(
    request: Request, services: AnyServices, visitor: Owner, target: Annotated[str, Form()] = ""
) -> Response:
    """Set the target precision."""
    try:
        await services.targets.choose(visitor.actor, visitor.account.id, target)
    except InvalidParameter as error:
        return await _show(request, services, visitor, 400, target_problem=error.message)
    return redirect("/app/account", "Saved. It counts from the next document on.")


@router.post("/account/models")
async def stay_on_models(
    request: Request,
    services: AnyServices,
    visitor: Owner,
    pair: Annotated[str, Form()] = "",
    last_day: Annotated[str, Form()] = "",
) -> Response:
    """Let one pair of models read what the account sends, up to a day."""
    try:
        await services.pins.pin(visitor.actor, visitor.account.id, pair, _day(last_day))
    except InvalidParameter as error:
        return await _show(request, services, visitor, 400, models_problem=error.message)
    return redirect("/app/account", "Saved. These models read your documents.")


@router.post("/account/models/end")
async def leave_models(services: AnyServices, visitor: Owner) -> Response:
    """Let the account's documents be read like those of others."""
    await services.pins.unpin(visitor.actor, visitor.account.id)
    return redirect("/app/account", "Saved. The current models read your documents.")


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InvalidParameter("Choose the last day.") from None


async def _show(
    request: Request,
    services: Services,
    visitor: Visitor,
    status: int = 200,
    *,
    email: str | None = None,
    problem: str = "",
    models_problem: str = "",
    target_problem: str = "",
) -> HTMLResponse:
    account = await services.accounts.get_account(visitor.account.id)
    months = await services.usage.with_readings(account.id, MONTHS)
    formats, limit = formats_of(request.headers.get("accept-language", "")), account.monthly_limit
    figures = [
        Figure(formats.month(each.month.date()), formats.number(each.documents), Decimal(each.documents))
        for each in months
    ]
    endpoints = await services.webhooks.endpoints.list(account.id)
    return page(
        request,
        visitor,
        "account/account.html",
        status,
        account=account,
        used=months[-1].documents,
        readings=months[-1].readings,
        limit=limit,
        budget=await services.monthly_limits.budget(account),
        chart=chart_of(figures, limit),
        months=MONTHS,
        paused=[endpoint for endpoint in endpoints if not endpoint.is_active],
        failing=[endpoint for endpoint in endpoints if endpoint.is_active and endpoint.failing_since],
        endpoints=endpoints,
        sends_mail=services.settings.smtp_url is not None,
        email=account.email or "" if email is None else email,
        problem=problem,
        target=percent(services.targets.of(account), formats),
        targets=target_choices(services.targets, account, formats),
        target_problem=target_problem,
        pin=await services.pins.present(account.id),
        pairs=services.pins.served,
        models_problem=models_problem,
    )
