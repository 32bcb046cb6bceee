"""Exports: files for other bookkeeping programs, with a preview and a receipt."""

from collections.abc import Mapping
from datetime import date
from typing import Any
from uuid import UUID

from fastapi import APIRouter
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from serve_app.domain.errors import ExportNotFound, InvalidParameter, NothingToExport
from serve_app.domain.export import ExportFormat
from serve_app.domain.ids import parse_id
from serve_app.domain.own_field import OwnFieldScope
from serve_app.domain.own_values import OF_INVOICE, OF_LINES
from serve_app.http.attachments import whole_attachment
from serve_app.services.bundle import Services
from serve_app.services.exports.formats.registry import FORMATS
from serve_app.services.exports.formats.template import SOURCES
from serve_app.services.exports.service import Draft, ExportRequest
from serve_app.services.files.links import Download
from serve_app.web.api_calls import curl_of
from serve_app.web.exports.forms import groups_of, settings_in
from serve_app.web.pages import page, redirect
from serve_app.web.query_parameters import id_of, one_of, path_with, require_id
from serve_app.web.visitor import AnyServices, AnyVisitor, Reviewer, Visitor

router = APIRouter()

LIST = "/app/exports"
_PAGE = 25
_SHOWN_CHARACTERS = 4_000
_SHOWN_REFUSED = 100


@router.get("/exports")
async def list_exports(
    request: Request, services: AnyServices, visitor: AnyVisitor, format: str = "", after: str = ""
) -> HTMLResponse:
    """The account's exports, and the form for the next one with the settings of the last one."""
    chosen = one_of(ExportFormat, format) or ExportFormat.DATEV
    settings = await services.exports.last_settings(visitor.account.id, chosen)
    return await _page(request, services, visitor, chosen, settings, after=after)


@router.post("/exports/preview")
async def preview(request: Request, services: AnyServices, visitor: Reviewer) -> HTMLResponse:
    """What the export would contain, below the same form."""
    form = await request.form()
    chosen = one_of(ExportFormat, str(form.get("format") or "")) or ExportFormat.DATEV
    given: Mapping[str, Any] = {}
    try:
        given = settings_in(FORMATS[chosen].settings, form)
        draft = await services.exports.preview(visitor.account.id, _request(chosen, given, form))
    except InvalidParameter as error:
        return await _page(request, services, visitor, chosen, given, form=form, problem=error.message, status=400)
    return await _page(request, services, visitor, chosen, given, form=form, draft=draft)


@router.post("/exports")
async def create(request: Request, services: AnyServices, visitor: Reviewer) -> Response:
    """Make the export, and show its receipt."""
    form = await request.form()
    chosen = one_of(ExportFormat, str(form.get("format") or "")) or ExportFormat.DATEV
    given: Mapping[str, Any] = {}
    try:
        given = settings_in(FORMATS[chosen].settings, form)
        export, _ = await services.exports.create(visitor.account.id, _request(chosen, given, form), visitor.actor)
    except (InvalidParameter, NothingToExport) as error:
        return await _page(request, services, visitor, chosen, given, form=form, problem=error.message, status=400)
    return redirect(f"{LIST}/{export.id}", "The export is made. Download its file.")


@router.get("/exports/{id}")
async def show(request: Request, services: AnyServices, visitor: AnyVisitor, id: str) -> HTMLResponse:
    """The receipt of an export."""
    export = await services.exports.get(visitor.account.id, _id(id))
    return page(request, visitor, "exports/export.html", export=export, title=FORMATS[export.format].title)


@router.get("/exports/{id}/file")
async def download(services: AnyServices, visitor: AnyVisitor, id: str) -> Response:
    """The file of an export."""
    export, content = await services.exports.content(visitor.account.id, _id(id))
    return whole_attachment(Download(content, export.file_name, FORMATS[export.format].media_type))


@router.post("/exports/{id}/deliver")
async def deliver(services: AnyServices, visitor: Reviewer, id: str) -> Response:
    """Try the delivery again."""
    await services.exports.deliver_again(visitor.account.id, _id(id), visitor.actor)
    return redirect(f"{LIST}/{id}", "The file is delivered in the next minute.")


@router.post("/invoices/{id}/unlock")
async def unlock(services: AnyServices, visitor: Reviewer, id: str) -> Response:
    """Let the values of an exported invoice be changed."""
    invoice = await services.exports.unlock(visitor.account.id, require_id(id), visitor.actor)
    said = "The invoice is unlocked. The next export contains it again; cancel the booking in the other program."
    return redirect(f"/app/invoices/{invoice.id}", said)


def _id(text: str) -> UUID:
    found = parse_id(text)
    if found is None:
        raise ExportNotFound
    return found


def _request(chosen: ExportFormat, settings: Mapping[str, Any], form: FormData) -> ExportRequest:
    """Raises InvalidParameter."""
    return ExportRequest(chosen, settings, _day(form, "since"), _day(form, "until"))


def _day(form: FormData, name: str) -> date | None:
    text = str(form.get(name) or "")
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise InvalidParameter(f"{name}: enter a day, such as 2026-05-31.", name) from None


async def _page(
    request: Request,
    services: Services,
    visitor: Visitor,
    chosen: ExportFormat,
    settings: Mapping[str, Any],
    *,
    form: FormData | None = None,
    draft: Draft | None = None,
    problem: str = "",
    status: int = 200,
    after: str = "",
) -> HTMLResponse:
    found = await services.exports.list(visitor.account.id, _PAGE, id_of(after))
    given = FormData() if form is None else form
    return page(
        request,
        visitor,
        "exports/list.html",
        status,
        exports=found.items,
        titles={format: each.title for format, each in FORMATS.items()},
        chosen=chosen,
        groups=groups_of(FORMATS[chosen], settings, is_open=bool(problem) or not settings),
        sources=SOURCES if chosen is ExportFormat.TEMPLATE else (),
        own_sources=[
            f"{OF_INVOICE if each.scope is OwnFieldScope.HEADER else OF_LINES}{each.name}"
            for each in await services.own_fields.list_all(visitor.account.id)
        ],
        since=str(given.get("since") or ""),
        until=str(given.get("until") or ""),
        draft=draft,
        shown=_shown(draft),
        most_refused=_SHOWN_REFUSED,
        problem=problem,
        schedules=await services.export_schedules.of_account(visitor.account.id),
        next_path=path_with(LIST, format=chosen, after=found.items[-1].id) if found.has_more else "",
        call=curl_of(request, services.settings, "/v1/exports", limit=_PAGE),
    )


def _shown(draft: Draft | None) -> str:
    """The beginning of the file, as text."""
    if draft is None or draft.content is None:
        return ""
    encoding = getattr(draft.settings, "encoding", "utf-8-sig")
    try:
        return draft.content.decode(encoding)[:_SHOWN_CHARACTERS]
    except UnicodeDecodeError:
        return draft.content.decode("cp1252", "replace")[:_SHOWN_CHARACTERS]
