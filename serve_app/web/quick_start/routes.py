"""The first call to the API, step by step."""

from functools import cache

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from serve_app.domain.account import Scope
from serve_app.domain.clock import utc_now
from serve_app.domain.errors import InvalidParameter
from serve_app.domain.invoice import Source, without_citations
from serve_app.domain.query import InvoiceQuery
from serve_app.system.shipped_files import SAMPLES
from serve_app.system.thread_pools import FILES
from serve_app.web.changes import record
from serve_app.web.links import own_address
from serve_app.web.pages import fragment, page
from serve_app.web.quick_start.view import curl_example, moment_in, python_example
from serve_app.web.visitor import AnyServices, FreshOwner, Owner

router = APIRouter()

_SAMPLE = SAMPLES / "invoice.pdf"
_NAME = "Quick start"


@router.get("/quick-start")
async def show_quick_start(request: Request, services: AnyServices, visitor: Owner) -> HTMLResponse:
    """The steps, before there is a key."""
    address = own_address(request, services.settings)
    endpoints = await services.webhooks.endpoints.list(visitor.account.id)
    return page(
        request,
        visitor,
        "quick_start/quick_start.html",
        raw="",
        since="",
        invoice=None,
        endpoints=endpoints,
        curl=curl_example(address, "$INVOICES_KEY"),
        python=python_example(address),
    )


@router.post("/quick-start")
async def make_key(request: Request, services: AnyServices, visitor: FreshOwner) -> HTMLResponse:
    """The same with a new key in it, shown this once."""
    key, raw = await services.accounts.create_key(visitor.account.id, _NAME, Scope.FULL)
    await record(services, visitor, "key.created", key.name, scope=key.scope, prefix=key.prefix)
    address = own_address(request, services.settings)
    return page(
        request,
        visitor,
        "quick_start/quick_start.html",
        raw=raw,
        since=utc_now().isoformat(),
        invoice=None,
        endpoints=await services.webhooks.endpoints.list(visitor.account.id),
        curl=curl_example(address, raw),
        python=python_example(address),
    )


@router.get("/quick-start/answer")
async def show_answer(request: Request, services: AnyServices, visitor: Owner, since: str) -> HTMLResponse:
    """What has come of the first document that the API got since a moment."""
    moment = moment_in(since)
    if moment is None:
        raise InvalidParameter(f"“{since}” is not a date and time.")
    query = InvoiceQuery(source=Source.API, created_after=moment)
    found = await services.invoices.list(visitor.account.id, query, 1)
    invoice = found.items[0] if found.items else None
    text = without_citations(invoice).model_dump_json(indent=2) if invoice is not None else ""
    return fragment(request, visitor, "quick_start/quick_start.html", "answer", since=since, invoice=invoice, text=text)


@router.get("/quick-start/sample.pdf")
async def send_sample() -> Response:
    """The sample document. Anybody may have it: programs fetch it without a session."""
    content = await FILES.run(_sample)
    if content is None:
        raise HTTPException(404)
    headers = {"Content-Disposition": 'attachment; filename="sample.pdf"'}
    return Response(content, media_type="application/pdf", headers=headers)


@cache
def _sample() -> bytes | None:
    return _SAMPLE.read_bytes() if _SAMPLE.is_file() else None
