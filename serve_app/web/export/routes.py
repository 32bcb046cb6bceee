"""Downloads of any list of invoices as CSV or XLSX."""

import asyncio
import shutil
import tempfile
from enum import StrEnum
from pathlib import Path

from fastapi import APIRouter
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response, StreamingResponse

from serve_app.domain.clock import utc_now
from serve_app.domain.errors import InvalidParameter
from serve_app.domain.query import InvoiceQuery
from serve_app.services.bundle import Services
from serve_app.services.csv.export import INCOMPLETE, CsvLayout
from serve_app.web.asking import one_of
from serve_app.web.changes import record
from serve_app.web.invoices.filters import asked_for
from serve_app.web.invoices.view import COUNTED
from serve_app.web.pages import page
from serve_app.web.visitor import AnyServices, AnyVisitor, Visitor

router = APIRouter()

_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
# Each needs room on the disk while it is made.
_WORKBOOKS_AT_ONCE = 2
_turns = asyncio.Semaphore(_WORKBOOKS_AT_ONCE)


class Form(StrEnum):
    CSV = "csv"
    XLSX = "xlsx"


class Rows(StrEnum):
    INVOICES = "invoices"
    LINE_ITEMS = "line_items"


@router.get("/export")
async def ask_for_export(request: Request, services: AnyServices, visitor: AnyVisitor) -> HTMLResponse:
    """What would be exported, and in which form."""
    asked = asked_for(request.query_params)
    totals = await services.invoices.totals(visitor.account.id, asked.query, COUNTED)
    count = sum(total.count for total in totals)
    return page(
        request,
        visitor,
        "export/export.html",
        asked=asked,
        count=count,
        is_cut=count >= COUNTED,
        incomplete=INCOMPLETE,
    )


@router.get("/export/file")
async def export(
    request: Request, services: AnyServices, visitor: AnyVisitor, form: str = "csv", rows: str = "invoices"
) -> Response:
    """The file."""
    asked = asked_for(request.query_params)
    if asked.problems:
        name, problem = next(iter(asked.problems.items()))
        raise InvalidParameter(f"The filter {name} cannot be used: {problem}.")
    wanted, layout = one_of(Form, form) or Form.CSV, CsvLayout((one_of(Rows, rows) or Rows.INVOICES).value)
    await record(services, visitor, "invoices.exported", wanted, rows=layout.value)
    name = f"{layout.value.replace('_', '-')}-{utc_now():%Y-%m-%d}.{wanted}"
    if wanted is Form.XLSX:
        return await _workbook(services, visitor, asked.query, layout, name)
    parts = services.csv.export_or_say_so(visitor.account.id, asked.query, layout)
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(parts, media_type="text/csv; charset=utf-8", headers=headers)


async def _workbook(
    services: Services, visitor: Visitor, query: InvoiceQuery, layout: CsvLayout, name: str
) -> FileResponse:
    """Made whole before it is sent, because an XLSX file can be read only from its end."""
    folder = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="invoices-export-"))
    path = folder / name
    try:
        async with _turns:
            await services.workbooks.write(path, visitor.account.id, query, layout)
    except BaseException:
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
        raise
    cleaning = BackgroundTask(shutil.rmtree, folder, ignore_errors=True)
    return FileResponse(path, media_type=_XLSX, filename=name, background=cleaning)
