"""`/v1/invoices/{id}/file`, and the download links that it returns."""

from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from serve_app.api.dependencies import AnyCaller, AnyServices, InvoiceId
from serve_app.api.documented import DOWNLOAD, errors_with, success
from serve_app.api.own_address import own_address
from serve_app.api.parameters import Flag
from serve_app.services.files.links import Download, FileLink

router = APIRouter(tags=["files"])
_HEADERS = {"X-Content-Type-Options": "nosniff", "Cache-Control": "private, no-store", "Referrer-Policy": "no-referrer"}


@router.get(
    "/v1/invoices/{id}/file",
    response_model=FileLink,
    responses={**success(), **errors_with("invalid_parameter", "invoice_not_found", "document_removed")},
)
async def get_file_link(
    request: Request,
    invoice_id: InvoiceId,
    services: AnyServices,
    caller: AnyCaller,
    original: Annotated[
        Flag, Query(description="The whole file that contained the invoice, not only the invoice's pages.")
    ] = False,
) -> FileLink:
    """A link to the document, valid for an hour."""
    invoice = await services.invoices.with_document(caller.account.id, invoice_id)
    downloads = f"{own_address(request, services.settings)}/v1/files"
    return services.file_links.link(caller.account.id, invoice, downloads, original=original)


@router.get(
    "/v1/files/{token}",
    response_class=Response,
    responses=DOWNLOAD,
    openapi_extra={"security": []},
)
async def download_file(token: str, services: AnyServices) -> Response:
    """The document that a link names; the link itself is the authority."""
    return attachment(await services.file_links.redeem(token))


def attachment(download: Download) -> Response:
    """The response that saves a document, and never shows it: it may be HTML."""
    disposition = f"attachment; filename=\"{_ascii(download.name)}\"; filename*=UTF-8''{quote(download.name, safe='')}"
    headers = {**_HEADERS, "Content-Disposition": disposition}
    return Response(download.data, media_type=download.mime_type, headers=headers)


def _ascii(name: str) -> str:
    """The name for clients that do not support RFC 6266's `filename*`."""
    return "".join(c if c.isascii() and c.isprintable() and c not in '"\\' else "_" for c in name)
