"""`/v1/invoices/{id}/file` with the download links that it returns, and the electronic invoice of a file."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from serve_app.api.documented import DOWNLOAD, RANGE, XML, errors_with, success
from serve_app.domain.einvoice_order import EInvoiceFormat, EInvoiceOrder, ZeroRate
from serve_app.http.attachments import attachment, whole_attachment
from serve_app.http.dependencies import AnyCaller, AnyServices, InvoiceId
from serve_app.http.own_address import own_address
from serve_app.http.parameters import Flag
from serve_app.services.files.links import FileLink

_COUNTRY = r"^[A-Z]{2}$"

router = APIRouter(tags=["files"])


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
        Flag, Query(description="The whole file that contained the invoice, not only its own pages.")
    ] = False,
) -> FileLink:
    """A link to the document, valid for an hour."""
    invoice = await services.invoices.with_document(caller.account.id, invoice_id)
    downloads = f"{own_address(request, services.settings)}/v1/files"
    return services.file_links.link(caller.account.id, invoice, downloads, original=original)


@router.get(
    "/v1/invoices/{id}/einvoice",
    response_class=Response,
    responses={
        **XML,
        **errors_with(
            "invalid_parameter",
            "invoice_not_complete",
            "invoice_not_found",
            "document_removed",
            "einvoice_not_found",
            "part_unavailable",
            "einvoice_incomplete",
            "einvoice_invalid",
        ),
    },
)
async def get_einvoice(
    invoice_id: InvoiceId,
    services: AnyServices,
    caller: AnyCaller,
    written_as: Annotated[
        EInvoiceFormat | None,
        Query(alias="format", description="Write a valid EN 16931 invoice; `facturx` is CII within the invoice's PDF."),
    ] = None,
    seller_country: Annotated[
        str | None, Query(pattern=_COUNTRY, description="With `format`: BT-40, if the invoice does not state it.")
    ] = None,
    buyer_country: Annotated[
        str | None, Query(pattern=_COUNTRY, description="With `format`: BT-55, if the invoice does not state it.")
    ] = None,
    zero_rate: Annotated[
        ZeroRate | None,
        Query(description="With `format`: the VAT category of rates of 0 % that were read from a page."),
    ] = None,
) -> Response:
    """The electronic invoice of the file as it was received: the file itself if it is XML, or the XML in a PDF. Its
    signatures are not verified. With `format`, one is written of the invoice, whatever its file is."""
    account_id = caller.account.id
    if written_as is None:
        return whole_attachment(await services.einvoice_files.original(account_id, invoice_id))
    order = EInvoiceOrder(written_as, seller_country, buyer_country, zero_rate)
    return whole_attachment(await services.einvoice_files.write(account_id, invoice_id, order))


@router.get(
    "/v1/files/{token}",
    response_class=Response,
    responses=DOWNLOAD,
    openapi_extra={"security": [], **RANGE},
)
async def download_file(request: Request, token: str, services: AnyServices) -> Response:
    """The document of a download link, or a range of its bytes. The link needs no API key."""
    return await attachment(request, await services.file_links.redeem(token))
