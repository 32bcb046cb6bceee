"""`/compat/azure`: the model `prebuilt-invoice` of Azure Document Intelligence, as its clients and those of Form
Recognizer call it."""

from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from itertools import groupby
from typing import Any, NamedTuple
from urllib.parse import quote

from fastapi import Request
from pydantic import BaseModel, ValidationError
from starlette.responses import JSONResponse, Response

from serve_app.api.compat.routing import adapter_router, add_unknown_paths
from serve_app.api.compat.values import (
    CELL,
    Found,
    Mapped,
    column_rows,
    corners,
    found,
    page_of_file,
    pages_of_file,
    plain,
    share,
)
from serve_app.api.compat.work import invoices_of_file, result_of, submit
from serve_app.api.uploads import decode_base64
from serve_app.domain.errors import MissingFile, ServiceError
from serve_app.domain.invoice import Citation, Failure, Invoice, Source
from serve_app.http.bodies import complaint
from serve_app.http.dependencies import AnyServices, reading_caller, writing_caller
from serve_app.http.error_table import answer_to
from serve_app.http.errors import MissingApiKey
from serve_app.http.json_bounds import check_values
from serve_app.http.own_address import own_address
from serve_app.services.bundle import Services
from serve_app.services.intake.submit import Upload
from serve_app.system.thread_pools import decoding_pool

_MODEL = "prebuilt-invoice"
_VERSION = "2024-11-30"
_KEY = "Ocp-Apim-Subscription-Key"

FIELDS = (
    Mapped("VendorName", "vendor_name", "string"),
    Mapped("VendorTaxId", "details.vendor_tax_id", "string"),
    *(Mapped(name) for name in ("VendorAddress", "VendorAddressRecipient")),
    Mapped("CustomerName", "details.buyer_name", "string"),
    Mapped("CustomerTaxId", "details.buyer_tax_id", "string"),
    *(Mapped(name) for name in ("CustomerId", "CustomerAddress", "CustomerAddressRecipient")),
    *(Mapped(f"{kind}Address{part}") for kind in ("Billing", "Shipping", "Remittance") for part in ("", "Recipient")),
    *(Mapped(name) for name in ("ServiceAddress", "ServiceAddressRecipient", "ServiceStartDate", "ServiceEndDate")),
    Mapped("InvoiceId", "invoice_number", "string"),
    Mapped("InvoiceDate", "issued_at", "date"),
    Mapped("DueDate", "due_at", "date"),
    Mapped("PurchaseOrder", "details.purchase_order", "string"),
    Mapped("PaymentTerm", "details.payment_terms", "string"),
    Mapped("SubTotal", "details.subtotal", "currency"),
    Mapped("TotalDiscount", "details.discount", "currency"),
    Mapped("TotalTax", "tax", "currency"),
    Mapped("InvoiceTotal", "amount", "currency"),
    Mapped("AmountDue", "details.amount_due", "currency"),
    *(Mapped(name) for name in ("PreviousUnpaidBalance", "PaidInFourInstallements", "KVKNumber")),
    Mapped("PaymentDetails[].IBAN", "details.iban", "string"),
    *(Mapped(f"PaymentDetails[].{name}") for name in ("SWIFT", "BankAccountNumber", "BPayBillerCode", "BPayReference")),
    Mapped("TaxDetails[].Amount", "details.tax_lines[].amount", "currency"),
    Mapped("TaxDetails[].Rate", "details.tax_lines[].rate", "percent"),
    Mapped("Items[].Description", "line_items[].description", "string"),
    Mapped("Items[].Quantity", "line_items[].quantity", "number"),
    Mapped("Items[].UnitPrice", "line_items[].unit_price", "currency"),
    Mapped("Items[].Amount", "line_items[].total", "currency"),
    Mapped("Items[].TaxRate", "line_items[].tax_rate", "percent"),
    *(Mapped(f"Items[].{name}") for name in ("Tax", "Unit", "ProductCode", "Date")),
)
_GROUPS = {
    name: tuple(rows) for name, rows in groupby(FIELDS, lambda each: each.theirs.partition(".")[0].removesuffix("[]"))
}


class _ErrorRow(NamedTuple):
    status: int
    code: str
    inner: str | None = None


_ERRORS = {
    "missing_api_key": _ErrorRow(401, "401"),
    "invalid_api_key": _ErrorRow(401, "401"),
    "account_suspended": _ErrorRow(401, "401"),
    "insufficient_scope": _ErrorRow(403, "Forbidden"),
    "unsupported_file_type": _ErrorRow(400, "InvalidRequest", "InvalidContent"),
    "missing_file": _ErrorRow(400, "InvalidRequest", "InvalidContent"),
    "invalid_base64": _ErrorRow(400, "InvalidRequest", "InvalidContent"),
    "file_too_large": _ErrorRow(400, "InvalidRequest", "InvalidContentLength"),
    "file_url_unreachable": _ErrorRow(400, "InvalidRequest", "ContentSourceNotAccessible"),
    "invalid_body": _ErrorRow(400, "InvalidRequest", "InvalidParameter"),
    "invalid_parameter": _ErrorRow(400, "InvalidRequest", "InvalidParameter"),
    "invoice_not_found": _ErrorRow(404, "NotFound", "OperationNotFound"),
    "route_not_found": _ErrorRow(404, "NotFound", "ModelNotFound"),
    "rate_limited": _ErrorRow(429, "429"),
    # Clients wait for as long as a 429 says, which would be until the next month.
    "monthly_quota_reached": _ErrorRow(403, "403"),
    "monthly_budget_reached": _ErrorRow(403, "403"),
    # A repeated request whose first one still runs; clients repeat 503 again.
    "idempotency_in_flight": _ErrorRow(503, "ServiceUnavailable"),
}
_OTHER = _ErrorRow(503, "ServiceUnavailable")


class Family(StrEnum):
    """The present and the earlier name of Azure's service, in paths."""

    PRESENT = "documentintelligence"
    EARLIER = "formrecognizer"


class MissingAzureKey(MissingApiKey):
    """A request without a key."""

    message = f"Send your API key as the header `{_KEY}`."


class _Source(BaseModel):
    urlSource: str | None = None
    base64Source: str | None = None


def error_of(error: ServiceError) -> Response:
    """The answer to an error, in Azure's envelope."""
    answer = answer_to(error)
    row = _ERRORS.get(answer.code, _OTHER)
    headers = {} if row.status == 403 else answer.headers
    return JSONResponse({"error": _envelope(row, error.message)}, row.status, headers)


router = adapter_router("azure", error_of)


@router.post("/{family}/documentModels/prebuilt-invoice:analyze")
async def azure_analyze(family: Family, request: Request, services: AnyServices) -> Response:
    """Accept a document."""
    caller = await writing_caller(request, _key)
    upload = await _upload(request, services)
    invoice_id = await submit(services, caller.account, upload, request.headers.get("x-ms-client-request-id"))
    place = f"{own_address(request, services.settings)}{router.prefix}/{family}/documentModels/{_MODEL}"
    location = f"{place}/analyzeResults/{invoice_id}?api-version={quote(_version(request))}"
    return Response(status_code=202, headers={"Operation-Location": location})


@router.get("/{family}/documentModels/prebuilt-invoice/analyzeResults/{id}")
async def azure_result(family: Family, id: str, request: Request, services: AnyServices) -> Response:
    """What was read from a document; held until it was read, for some seconds."""
    caller = await reading_caller(request, _key)
    invoice = await result_of(services, caller.account, id)
    if invoice.failure is not None:
        return JSONResponse(_operation(invoice, "failed") | {"error": _failure(invoice.failure)})
    if not invoice.is_finished:
        return JSONResponse(_operation(invoice, "running"), headers={"Retry-After": "1"})
    invoices = await invoices_of_file(services, caller.account, invoice)
    return JSONResponse(_operation(invoice, "succeeded") | {"analyzeResult": _result(invoices, _version(request))})


add_unknown_paths(router)


def _key(request: Request) -> str:
    key = request.headers.get(_KEY, "").strip()
    if not key:
        raise MissingAzureKey
    return key


def _version(request: Request) -> str:
    return request.query_params.get("api-version", _VERSION)


async def _upload(request: Request, services: Services) -> Upload:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    body = await request.body()
    if kind != "application/json":
        return Upload(body, None, Source.API)
    source = await decoding_pool(len(body)).run(_parsed, body)
    if isinstance(source, bytes):
        return Upload(source, None, Source.API)
    return await services.file_urls.fetch(source, None)


def _parsed(body: bytes) -> bytes | str:
    """The document, or its address. Raises InvalidRequest."""
    check_values(body)
    try:
        source = _Source.model_validate_json(body)
    except ValidationError as error:
        raise complaint(error) from None
    if source.base64Source is not None:
        return decode_base64(source.base64Source)
    if source.urlSource is None:
        raise MissingFile("The body has neither `urlSource` nor `base64Source`.")
    return source.urlSource


def _operation(invoice: Invoice, status: str) -> dict[str, Any]:
    return {
        "status": status,
        "createdDateTime": _moment(invoice.created_at),
        "lastUpdatedDateTime": _moment(invoice.updated_at),
    }


def _result(invoices: list[Invoice], version: str) -> dict[str, Any]:
    pages = range(1, pages_of_file(invoices) + 1)
    return {
        "apiVersion": version,
        "modelId": _MODEL,
        "stringIndexType": "unicodeCodePoint",
        "content": "",
        # The size of a page is not stored, so places are fractions of it.
        "pages": [{"pageNumber": page, "width": 1.0, "height": 1.0, "words": [], "spans": []} for page in pages],
        "documents": [document_of(invoice) for invoice in invoices],
    }


def document_of(invoice: Invoice) -> dict[str, Any]:
    """An invoice. As with Azure, fields without a value are left out."""
    fields = {name: field for name, mapped in _GROUPS.items() if (field := _group(invoice, mapped)) is not None}
    return {
        "docType": "invoice",
        "boundingRegions": [],
        "spans": [],
        "fields": fields,
        "confidence": share(invoice, invoice.document_type_confidence),
    }


def _group(invoice: Invoice, mapped: tuple[Mapped, ...]) -> dict[str, Any] | None:
    first = mapped[0]
    if CELL not in first.theirs:
        value = None if first.ours is None else found(invoice, first.ours)
        return None if value is None else _field(invoice, value, first.kind)
    kinds = {each.theirs.partition(CELL)[2]: each.kind for each in mapped}
    rows = column_rows(invoice, mapped)
    return {"type": "array", "valueArray": [_object(invoice, row, kinds) for row in rows]} if rows else None


def _object(invoice: Invoice, row: dict[str, Found], kinds: dict[str, str]) -> dict[str, Any]:
    first = next(iter(row.values()), None)
    return {
        "type": "object",
        "valueObject": {name: _field(invoice, value, kinds[name]) for name, value in row.items()},
        **({} if first is None else _whereabouts(invoice, first)),
    }


def _field(invoice: Invoice, value: Found, kind: str) -> dict[str, Any]:
    return {**_typed(invoice, value.value, kind), "content": value.text, **_whereabouts(invoice, value)}


def _typed(invoice: Invoice, value: Any, kind: str) -> dict[str, Any]:
    if kind == "currency":
        return {"type": kind, "valueCurrency": {"amount": float(value), "currencyCode": invoice.currency}}
    if isinstance(value, Decimal) and kind == "number":
        return {"type": kind, "valueNumber": float(value)}
    if kind == "date":
        return {"type": kind, "valueDate": plain(value)}
    return {"type": "string", "valueString": f"{plain(value)}%" if kind == "percent" else plain(value)}


def _whereabouts(invoice: Invoice, value: Found) -> dict[str, Any]:
    regions = [] if value.place is None else [_region(invoice, value.place)]
    return {"boundingRegions": regions, "spans": [], "confidence": share(invoice, value.level)}


def _region(invoice: Invoice, place: Citation) -> dict[str, Any]:
    points = [number for corner in corners(place.box) for number in corner]
    return {"pageNumber": page_of_file(invoice, place), "polygon": points}


def _failure(failure: Failure) -> dict[str, Any]:
    return _envelope(_ErrorRow(400, "InvalidRequest", "InvalidContent"), failure.message)


def _envelope(row: _ErrorRow, message: str) -> dict[str, Any]:
    inner = {} if row.inner is None else {"innererror": {"code": row.inner, "message": message}}
    return {"code": row.code, "message": message, **inner}


def _moment(moment: datetime) -> str:
    return moment.replace(microsecond=0).isoformat().replace("+00:00", "Z")
