"""Downloads of any list of invoices as CSV or XLSX."""

from enum import StrEnum
from uuid import UUID

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse

from serve_app.domain.clock import utc_now
from serve_app.domain.errors import InvalidParameter
from serve_app.domain.ids import parse_id
from serve_app.services.csv.export import INCOMPLETE, CsvLayout
from serve_app.web.changes import record
from serve_app.web.formats import formats_of
from serve_app.web.invoices.filters import filters_of
from serve_app.web.invoices.view import COUNTED
from serve_app.web.pages import page
from serve_app.web.query_parameters import one_of
from serve_app.web.visitor import AnyServices, AnyVisitor

router = APIRouter()

_CSV = "text/csv; charset=utf-8"
_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


class Form(StrEnum):
    CSV = "csv"
    XLSX = "xlsx"


class Rows(StrEnum):
    INVOICES = "invoices"
    LINE_ITEMS = "line_items"


@router.get("/export")
async def ask_for_export(request: Request, services: AnyServices, visitor: AnyVisitor) -> HTMLResponse:
    """What would be exported, and in which form."""
    filters, ids = (
        filters_of(request.query_params, formats_of(request.headers.get("accept-language", ""))),
        _selected(request),
    )
    totals = await services.invoices.totals(visitor.account.id, filters.query, COUNTED) if not ids else ()
    count = len(ids) or sum(total.count for total in totals)
    return page(
        request,
        visitor,
        "export/export.html",
        filters=filters,
        count=count,
        ids=ids,
        is_cut=not ids and count >= COUNTED,
        incomplete=INCOMPLETE,
    )


def _selected(request: Request) -> list[UUID]:
    """The invoices that the address names; none for all that match."""
    found = (parse_id(text) for text in request.query_params.getlist("id"))
    return list(dict.fromkeys(id for id in found if id is not None))


@router.get("/export/file")
async def export(
    request: Request, services: AnyServices, visitor: AnyVisitor, form: str = "csv", rows: str = "invoices"
) -> Response:
    """The file."""
    filters = filters_of(request.query_params, formats_of(request.headers.get("accept-language", "")))
    if filters.problems:
        name, problem = next(iter(filters.problems.items()))
        raise InvalidParameter(f"The filter {name} cannot be used: {problem}.")
    file_form, layout = one_of(Form, form) or Form.CSV, CsvLayout((one_of(Rows, rows) or Rows.INVOICES).value)
    await record(services, visitor, "invoices.exported", file_form, rows=layout.value)
    name = f"{layout.value.replace('_', '-')}-{utc_now():%Y-%m-%d}.{file_form}"
    source, media_type = (services.workbooks, _XLSX) if file_form is Form.XLSX else (services.csv, _CSV)
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    parts = source.export_or_say_so(visitor.account.id, filters.query, layout, _selected(request))
    return StreamingResponse(parts, media_type=media_type, headers=headers)
