"""`/compat/aws`: `AnalyzeExpense` of Amazon Textract, as boto3 and other SDKs of AWS call it."""

from collections.abc import Iterator
from hashlib import sha256
from typing import Any, NamedTuple

from fastapi import Request
from pydantic import BaseModel, ValidationError
from starlette.responses import JSONResponse, Response

from serve_app.api.compat import sigv4
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
    share,
)
from serve_app.api.compat.work import invoices_of_file, result_of, submit
from serve_app.api.uploads import decode_base64
from serve_app.domain.clock import utc_now
from serve_app.domain.errors import MissingFile, ServiceError, Unavailable
from serve_app.domain.invoice import Citation, Confidence, FailureCode, Invoice, Source
from serve_app.http.bodies import complaint
from serve_app.http.dependencies import AnyServices, writing_caller
from serve_app.http.error_table import answer_to
from serve_app.http.errors import RouteNotFound
from serve_app.http.json_bounds import check_values
from serve_app.services.intake.submit import Upload
from serve_app.system.thread_pools import HASHING, decoding_pool

_HELD_SECONDS = 45.0
"""Less than the 60 s after which boto3 gives up. A repeated call waits for the same invoice."""
_JSON = "application/x-amz-json-1.1"
_PERCENT = 100

SUMMARY = (
    Mapped("VENDOR_NAME", "vendor_name"),
    Mapped("TAX_PAYER_ID", "details.vendor_tax_id"),
    *(Mapped(f"VENDOR_{name}") for name in ("ADDRESS", "PHONE", "URL")),
    Mapped("RECEIVER_NAME", "details.buyer_name"),
    Mapped("RECEIVER_VAT_NUMBER", "details.buyer_tax_id"),
    *(Mapped(f"RECEIVER_{name}") for name in ("ADDRESS", "PHONE")),
    *(Mapped(name) for name in ("ACCOUNT_NUMBER", "CUSTOMER_NUMBER")),
    Mapped("INVOICE_RECEIPT_ID", "invoice_number"),
    Mapped("INVOICE_RECEIPT_DATE", "issued_at"),
    Mapped("DUE_DATE", "due_at"),
    *(Mapped(name) for name in ("ORDER_DATE", "DELIVERY_DATE")),
    Mapped("PO_NUMBER", "details.purchase_order"),
    Mapped("PAYMENT_TERMS", "details.payment_terms"),
    Mapped("SUBTOTAL", "details.subtotal", "money"),
    Mapped("DISCOUNT", "details.discount", "money"),
    Mapped("SHIPPING_HANDLING_CHARGE", "details.shipping", "money"),
    Mapped("TAX", "tax", "money"),
    Mapped("TOTAL", "amount", "money"),
    Mapped("AMOUNT_PAID", "details.amount_paid", "money"),
    Mapped("AMOUNT_DUE", "details.amount_due", "money"),
    *(Mapped(name) for name in ("SERVICE_CHARGE", "GRATUITY", "PRIOR_BALANCE")),
)
_ROW = (
    Mapped("ITEM", "line_items[].description"),
    Mapped("QUANTITY", "line_items[].quantity"),
    Mapped("UNIT_PRICE", "line_items[].unit_price", "money"),
    Mapped("PRICE", "line_items[].total", "money"),
    Mapped("PRODUCT_CODE"),
)
LINE_ITEMS = tuple(each._replace(theirs=f"LineItems{CELL}{each.theirs}") for each in _ROW)


class _ErrorRow(NamedTuple):
    type: str
    status: int = 400


_ERRORS = {
    "insufficient_scope": _ErrorRow("AccessDeniedException"),
    "invalid_api_key": _ErrorRow("UnrecognizedClientException"),
    "account_suspended": _ErrorRow("AccessDeniedException"),
    "unsupported_file_type": _ErrorRow("UnsupportedDocumentException"),
    "file_too_large": _ErrorRow("DocumentTooLargeException"),
    "missing_file": _ErrorRow("InvalidParameterException"),
    "invalid_base64": _ErrorRow("InvalidParameterException"),
    "invalid_body": _ErrorRow("InvalidParameterException"),
    "invalid_parameter": _ErrorRow("InvalidParameterException"),
    "route_not_found": _ErrorRow("UnknownOperationException"),
    "rate_limited": _ErrorRow("ThrottlingException"),
    # Clients repeat what was throttled; the quota is used up until next month.
    "monthly_quota_reached": _ErrorRow("LimitExceededException"),
    "monthly_budget_reached": _ErrorRow("LimitExceededException"),
    "idempotency_in_flight": _ErrorRow("ThrottlingException"),
}
_BY_CLASS: dict[type[ServiceError], _ErrorRow] = {
    sigv4.MissingSignature: _ErrorRow("MissingAuthenticationTokenException"),
    sigv4.WrongSignature: _ErrorRow("InvalidSignatureException"),
}
_FAULT = _ErrorRow("InternalServerError", 500)
_FAILURES = {
    FailureCode.DOCUMENT_ENCRYPTED: "UnsupportedDocumentException",
    FailureCode.DOCUMENT_TOO_LARGE: "DocumentTooLargeException",
    FailureCode.EXTRACTION_INTERRUPTED: _FAULT.type,
}


class StillReading(Unavailable):
    """The document was accepted, but is not read yet."""

    message = "The document is still being read. Send the request again with the same `amz-sdk-invocation-id`."


class _Document(BaseModel):
    Bytes: str | None = None


class _Body(BaseModel):
    Document: _Document


def error_of(error: ServiceError) -> Response:
    """The answer to an error, as AWS's JSON protocol has it."""
    row = _BY_CLASS.get(type(error)) or _ERRORS.get(answer_to(error).code, _FAULT)
    return _error(row, error.message)


router = adapter_router("aws", error_of)


@router.post("")
@router.post("/")
async def aws_operation(request: Request, services: AnyServices) -> Response:
    """Read a document; held until it was read."""
    caller = await writing_caller(request, lambda each: _signature(each).access_key)
    body = await request.body()
    sigv4.check(_signature(request), request.url.path, request.headers, await _digest(body), utc_now())
    if request.headers.get("x-amz-target") != "Textract.AnalyzeExpense":
        raise RouteNotFound
    upload = await decoding_pool(len(body)).run(_upload, body)
    invoice_id = await submit(services, caller.account, upload, request.headers.get("amz-sdk-invocation-id"))
    invoice = await result_of(services, caller.account, invoice_id, _HELD_SECONDS)
    if invoice.failure is not None:
        type = _FAILURES.get(invoice.failure.code, "BadDocumentException")
        return _error(_ErrorRow(type, _FAULT.status if type == _FAULT.type else 400), invoice.failure.message)
    if not invoice.is_finished:
        raise StillReading
    invoices = await invoices_of_file(services, caller.account, invoice)
    return JSONResponse(answer_of(invoices), media_type=_JSON)


add_unknown_paths(router)


def _signature(request: Request) -> sigv4.Signature:
    return sigv4.parse(request.headers.get("authorization"))


async def _digest(body: bytes) -> str:
    return await HASHING.run(lambda: sha256(body).hexdigest())


def _upload(body: bytes) -> Upload:
    """Raises InvalidRequest."""
    check_values(body)
    try:
        document = _Body.model_validate_json(body).Document
    except ValidationError as error:
        raise complaint(error) from None
    if document.Bytes is None:
        raise MissingFile("Send the document as `Document.Bytes`; this service reads no buckets.")
    return Upload(decode_base64(document.Bytes), None, Source.API)


def answer_of(invoices: list[Invoice]) -> dict[str, Any]:
    """The answer about the invoices of a file. As with Textract, fields without a value are left out."""
    return {
        "DocumentMetadata": {"Pages": pages_of_file(invoices)},
        "ExpenseDocuments": [_document(number, invoice) for number, invoice in enumerate(invoices, 1)],
    }


def _document(number: int, invoice: Invoice) -> dict[str, Any]:
    rows = column_rows(invoice, LINE_ITEMS)
    kinds = {each.theirs: each.kind for each in _ROW}
    items = [
        {"LineItemExpenseFields": [_field(invoice, name, value, kinds[name]) for name, value in row.items()]}
        for row in rows
    ]
    return {
        "ExpenseIndex": number,
        "SummaryFields": list(_summary(invoice)),
        "LineItemGroups": [{"LineItemGroupIndex": 1, "LineItems": items}] if items else [],
    }


def _summary(invoice: Invoice) -> Iterator[dict[str, Any]]:
    for each in SUMMARY:
        value = None if each.ours is None else found(invoice, each.ours)
        if value is not None:
            yield _field(invoice, each.theirs, value, each.kind)


def _field(invoice: Invoice, name: str, value: Found, kind: str) -> dict[str, Any]:
    level = _percent(invoice, value.level)
    detection = {"Text": value.text, **_geometry(value.place), **level}
    field: dict[str, Any] = {"Type": {"Text": name, **level}, "ValueDetection": detection}
    if value.place is not None:
        field["PageNumber"] = page_of_file(invoice, value.place)
    currency = found(invoice, "currency") if kind == "money" else None
    if currency is not None:
        field["Currency"] = {"Code": currency.value, **_percent(invoice, currency.level)}
    return field


def _percent(invoice: Invoice, level: Confidence | None) -> dict[str, float]:
    known = share(invoice, level)
    return {} if known is None else {"Confidence": known * _PERCENT}


def _geometry(place: Citation | None) -> dict[str, Any]:
    if place is None:
        return {}
    left, top, right, bottom = place.box
    box = {"Left": left, "Top": top, "Width": right - left, "Height": bottom - top}
    return {"Geometry": {"BoundingBox": box, "Polygon": [{"X": x, "Y": y} for x, y in corners(place.box)]}}


def _error(row: _ErrorRow, message: str) -> Response:
    headers = {"x-amzn-ErrorType": row.type}
    return JSONResponse({"__type": row.type, "message": message}, row.status, headers, _JSON)
