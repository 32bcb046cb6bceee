"""The page of one invoice, its pictures, its file and its JSON."""

from datetime import UTC, datetime
from uuid import UUID

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from serve_app.domain.comment import MAX_TEXT
from serve_app.domain.errors import InvoiceNotFound, PartNotFound
from serve_app.domain.ids import parse_id
from serve_app.domain.invoice import Invoice
from serve_app.domain.query import position_of
from serve_app.http.answers import PictureAnswer
from serve_app.http.attachments import attachment, whole_attachment
from serve_app.web.formats import formats_of
from serve_app.web.invoice.failures import FAILURE_HELP
from serve_app.web.invoice.history import history_of
from serve_app.web.invoice.view import view_of
from serve_app.web.invoices.filters import LIST, InvoiceFilters, filters_of
from serve_app.web.invoices.view import approval_of
from serve_app.web.links import own_address
from serve_app.web.pages import page
from serve_app.web.visitor import AnyServices, AnyVisitor

router = APIRouter(prefix="/invoices/{id}")

_MISSING_PAGE = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="800" height="1131" viewBox="0 0 800 1131">'
    '<rect width="800" height="1131" fill="#f4f5f7"/><text x="400" y="560" text-anchor="middle" '
    'font-family="sans-serif" font-size="28" fill="#5b6270">This page cannot be shown as a picture.</text></svg>'
)


@router.get("")
async def show_invoice(request: Request, id: str, services: AnyServices, visitor: AnyVisitor) -> HTMLResponse:
    """One invoice beside its pages. The address may carry the list that it was opened from."""
    now = datetime.now(UTC)
    invoice = await services.invoices.get(visitor.account.id, _id(id))
    formats = formats_of(request.headers.get("accept-language", ""))
    filters = filters_of(request.query_params, formats, now.date())
    return page(
        request,
        visitor,
        "invoice/invoice.html",
        view=view_of(invoice, formats, now.date()),
        history=await history_of(services, visitor.account.id, invoice),
        comments=await services.comments.of_invoice(visitor.account.id, invoice.id),
        members=[member.person.called for member in await services.people.members.of_account(visitor.account.id)],
        max_comment=MAX_TEXT,
        filters=filters,
        next_path=await _next(services, visitor, invoice, filters),
        failure_help=FAILURE_HELP,
        deletions=[
            plan for plan in await services.deletions.open(visitor.account.id) if invoice.id in plan.invoice_ids
        ],
        approval=approval_of(invoice.approval_status),
        call=f"curl '{own_address(request, services.settings)}/v1/invoices/{invoice.id}' \\\n"
        '  -H "Authorization: Bearer $INVOICES_KEY"',
    )


@router.get("/state")
async def show_state(id: str, services: AnyServices, visitor: AnyVisitor) -> Response:
    """Polled while the document is being read: nothing changes until the page is worth loading again."""
    invoice = await services.invoices.get(visitor.account.id, _id(id))
    return Response(status_code=204, headers={"HX-Refresh": "true"} if invoice.is_finished else {})


@router.get("/pages/{number}.jpg")
async def show_page(id: str, number: int, services: AnyServices, visitor: AnyVisitor) -> Response:
    """A page as a picture. The document itself is never shown in the browser: it may be HTML or a hostile PDF."""
    try:
        picture = await services.pictures.get(visitor.account.id, _id(id), number)
    except PartNotFound:
        return Response(_MISSING_PAGE, media_type="image/svg+xml")
    return PictureAnswer(picture)


@router.get("/file")
async def download_file(request: Request, id: str, services: AnyServices, visitor: AnyVisitor) -> Response:
    """The document; of several in one file, the invoice's own pages, or the whole file if they cannot be cut out."""
    account_id, invoice_id = visitor.account.id, _id(id)
    try:
        download = await services.file_links.download(account_id, invoice_id, whole=False)
    except PartNotFound:
        download = await services.file_links.download(account_id, invoice_id, whole=True)
    return await attachment(request, download)


@router.get("/einvoice")
async def download_einvoice(id: str, services: AnyServices, visitor: AnyVisitor) -> Response:
    """The electronic invoice of the file, as it was received."""
    return whole_attachment(await services.einvoice_files.original(visitor.account.id, _id(id)))


@router.get("/json")
async def show_json(id: str, services: AnyServices, visitor: AnyVisitor) -> Response:
    """The invoice as the API answers it."""
    invoice = await services.invoices.get(visitor.account.id, _id(id))
    return Response(invoice.model_dump_json(indent=2), media_type="application/json")


def _id(text: str) -> UUID:
    found = parse_id(text)
    if found is None:
        raise InvoiceNotFound
    return found


async def _next(services: AnyServices, visitor: AnyVisitor, invoice: Invoice, filters: InvoiceFilters) -> str:
    """The address of the invoice that follows in the list, if there is one."""
    account_id = visitor.account.id
    if filters.order is None:
        page = await services.invoices.list(account_id, filters.query, 1, invoice.id)
    else:
        here = position_of(invoice, filters.order.key)
        page = await services.invoices.sorted_list(account_id, filters.query, filters.order, 1, here)
    state = filters.state()
    return f"{LIST}/{page.items[0].id}" + (f"?{state}" if state else "") if page.items else ""
