"""`/v1/invoices/{id}/file`, and the download links that it returns."""

import hashlib
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from serve_app.api.dependencies import AnyCaller, AnyServices, InvoiceId
from serve_app.api.documented import DOWNLOAD, RANGE, errors_with, success
from serve_app.api.own_address import own_address
from serve_app.api.parameters import Flag
from serve_app.api.ranges import requested_range
from serve_app.services.files.links import Download, FileLink
from serve_app.thread_pools import HASHING

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
    openapi_extra={"security": [], **RANGE},
)
async def download_file(request: Request, token: str, services: AnyServices) -> Response:
    """The document that a link names, or a range of its bytes; the link itself is the authority."""
    return await attachment(request, await services.file_links.redeem(token))


async def attachment(request: Request, download: Download) -> Response:
    """The response that saves a document, or the range of it that the request wants; it is never shown, because it may
    be HTML. Raises RangeNotSatisfiable."""
    data = download.data
    tag = f'"{(await HASHING.run(hashlib.sha256, data)).hexdigest()[:32]}"'
    disposition = f"attachment; filename=\"{_ascii(download.name)}\"; filename*=UTF-8''{quote(download.name, safe='')}"
    headers = {**_HEADERS, "Content-Disposition": disposition, "ETag": tag, "Accept-Ranges": "bytes"}
    part = requested_range(request.headers, tag, len(data))
    if part is None:
        return Response(data, media_type=download.mime_type, headers=headers)
    headers["Content-Range"] = part.content_range
    return Response(data[part.first : part.last + 1], 206, headers, download.mime_type)


def _ascii(name: str) -> str:
    """The name for clients that do not support RFC 6266's `filename*`."""
    return "".join(c if c.isascii() and c.isprintable() and c not in '"\\' else "_" for c in name)
