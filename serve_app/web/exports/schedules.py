"""Schedules of exports: owners add those that are mailed, pause and remove all."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from serve_app.domain.email_address import mail_server_form
from serve_app.domain.errors import InvalidParameter
from serve_app.domain.export import ExportFormat
from serve_app.domain.export_schedule import Cadence
from serve_app.services.bundle import Services
from serve_app.services.exports.formats.registry import FORMATS
from serve_app.services.exports.ports import MAILTO
from serve_app.services.exports.schedules import NewSchedule
from serve_app.web.exports.routes import LIST
from serve_app.web.pages import page, redirect
from serve_app.web.query_parameters import one_of, require_id
from serve_app.web.visitor import AnyServices, AnyVisitor, FreshOwner, Visitor

router = APIRouter()

SCHEDULES = f"{LIST}/schedules"


@router.get("/exports/schedules")
async def list_schedules(request: Request, services: AnyServices, visitor: AnyVisitor) -> HTMLResponse:
    """The account's schedules, and the form for a new one."""
    return await _page(request, services, visitor)


@router.post("/exports/schedules")
async def add(request: Request, services: AnyServices, visitor: FreshOwner) -> Response:
    """Add a schedule whose files are mailed, with the settings of the last export in the format."""
    form = {name: str(value) for name, value in (await request.form()).items()}
    try:
        await services.export_schedules.add_mailed(visitor.account.id, _new(form), visitor.actor)
    except InvalidParameter as error:
        return await _page(request, services, visitor, form, error.message, 400)
    return redirect(SCHEDULES, "The schedule is added.")


@router.post("/exports/schedules/{id}/pause")
async def pause(services: AnyServices, visitor: FreshOwner, id: str) -> Response:
    """Make no export until it is resumed."""
    await services.export_schedules.set_paused(visitor.account.id, require_id(id), True, visitor.actor)
    return redirect(SCHEDULES, "The schedule is paused.")


@router.post("/exports/schedules/{id}/resume")
async def resume(services: AnyServices, visitor: FreshOwner, id: str) -> Response:
    """Make exports again."""
    await services.export_schedules.set_paused(visitor.account.id, require_id(id), False, visitor.actor)
    return redirect(SCHEDULES, "The schedule runs again.")


@router.post("/exports/schedules/{id}/remove")
async def remove(services: AnyServices, visitor: FreshOwner, id: str) -> Response:
    """Remove it; its exports stay."""
    await services.export_schedules.remove(visitor.account.id, require_id(id), visitor.actor)
    return redirect(SCHEDULES, "The schedule was removed.")


def _new(form: dict[str, str]) -> NewSchedule:
    """Raises InvalidParameter."""
    format, cadence = one_of(ExportFormat, form.get("format", "")), one_of(Cadence, form.get("cadence", ""))
    hour, address = form.get("hour", ""), form.get("address", "").strip()
    if format is None or cadence is None or not (hour.isascii() and hour.isdecimal()):
        raise InvalidParameter("Choose a program, how often, and an hour.")
    if mail_server_form(address) is None:
        raise InvalidParameter("Enter an e-mail address.", "address")
    return NewSchedule(format, cadence, int(hour), f"{MAILTO}{address}")


async def _page(
    request: Request,
    services: Services,
    visitor: Visitor,
    form: dict[str, str] | None = None,
    problem: str = "",
    status: int = 200,
) -> HTMLResponse:
    return page(
        request,
        visitor,
        "exports/schedules.html",
        status,
        schedules=await services.export_schedules.of_account(visitor.account.id),
        titles={format: each.title for format, each in FORMATS.items()},
        cadences=list(Cadence),
        form={"format": "", "cadence": "", "hour": "18", "address": "", **(form or {})},
        problem=problem,
    )
