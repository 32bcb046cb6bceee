"""`/compat/mindee`: the extraction product of Mindee's API v2, as its clients call it."""

from datetime import datetime
from decimal import Decimal
from itertools import groupby
from typing import Any

from fastapi import Request
from starlette.datastructures import FormData, UploadFile
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
)
from serve_app.api.compat.work import invoices_of_file, result_of, submit
from serve_app.api.mail_in.fields import parse_urlencoded
from serve_app.domain.account import Caller
from serve_app.domain.errors import InvalidParameter, InvalidRequest, InvoiceNotFound, MissingFile, ServiceError
from serve_app.domain.invoice import Confidence, Failure, Invoice, Source, Status
from serve_app.domain.metadata import VALUE_LENGTH
from serve_app.http.dependencies import AnyServices, reading_caller, writing_caller
from serve_app.http.error_table import answer_to
from serve_app.http.errors import InvalidBody, MissingApiKey
from serve_app.http.forms import read_form
from serve_app.http.own_address import own_address
from serve_app.services.bundle import Services
from serve_app.services.intake.submit import Upload
from serve_app.system.thread_pools import decoding_pool

_ADDRESS = (
    *("street_number", "street_name", "po_box", "address_complement"),
    *("city", "postal_code", "state", "country", "complete"),
)
FIELDS = (
    Mapped("supplier_name", "vendor_name"),
    *(Mapped(f"supplier_address.{part}") for part in _ADDRESS),
    Mapped("supplier_phone_number"),
    Mapped("supplier_website"),
    Mapped("supplier_email"),
    Mapped("supplier_company_registration[].number", "details.vendor_tax_id"),
    Mapped("supplier_company_registration[].type"),
    Mapped("supplier_payment_details[].iban", "details.iban"),
    Mapped("supplier_payment_details[].account_number"),
    Mapped("supplier_payment_details[].routing_number"),
    Mapped("supplier_payment_details[].swift"),
    Mapped("customer_name", "details.buyer_name"),
    Mapped("customer_id"),
    *(Mapped(f"customer_address.{part}") for part in _ADDRESS),
    Mapped("customer_company_registration[].number", "details.buyer_tax_id"),
    Mapped("customer_company_registration[].type"),
    *(Mapped(f"billing_address.{part}") for part in _ADDRESS),
    *(Mapped(f"shipping_address.{part}") for part in _ADDRESS),
    Mapped("document_type", "document_type"),
    Mapped("invoice_number", "invoice_number"),
    Mapped("po_number", "details.purchase_order"),
    Mapped("reference_numbers[].value"),
    Mapped("date", "issued_at"),
    Mapped("due_date", "due_at"),
    Mapped("payment_date"),
    Mapped("locale.currency", "currency"),
    Mapped("locale.country"),
    Mapped("locale.language"),
    Mapped("total_net", "details.subtotal"),
    Mapped("total_tax", "tax"),
    Mapped("total_amount", "amount"),
    Mapped("taxes[].rate", "details.tax_lines[].rate", "fraction"),
    Mapped("taxes[].base", "details.tax_lines[].base"),
    Mapped("taxes[].amount", "details.tax_lines[].amount"),
    Mapped("line_items[].description", "line_items[].description"),
    Mapped("line_items[].quantity", "line_items[].quantity"),
    Mapped("line_items[].unit_price", "line_items[].unit_price"),
    Mapped("line_items[].total_price", "line_items[].total"),
    Mapped("line_items[].tax_rate", "line_items[].tax_rate", "fraction"),
    Mapped("line_items[].tax_amount"),
    Mapped("line_items[].product_code"),
    Mapped("line_items[].unit_measure"),
)
LEVELS = {Confidence.HIGH: "High", Confidence.MID: "Medium", Confidence.LOW: "Low"}
"""Mindee's documentation books `High` unseen, and has people check `Medium`. Nothing is `Certain`."""

_BAD_FORM = "Invalid fields in form"
_GROUPS = {
    name: tuple(rows) for name, rows in groupby(FIELDS, lambda each: each.theirs.partition(".")[0].removesuffix("[]"))
}


class MissingMindeeKey(MissingApiKey):
    """A request without a key."""

    message = "Send your API key as the header `Authorization`."


def error_of(error: ServiceError) -> Response:
    """The answer to an error: a problem of RFC 9457 with Mindee's code."""
    answer = answer_to(error)
    is_form = isinstance(error, InvalidRequest) and answer.status == 400
    status = 422 if is_form else answer.status
    title = _BAD_FORM if is_form else answer.code.replace("_", " ").capitalize()
    errors = [{"pointer": f"#/{error.param}", "detail": error.message}] if is_form and error.param else []
    return JSONResponse(_problem(status, title, error.message, errors), status, answer.headers)


router = adapter_router("mindee", error_of)


@router.post("/v2/products/extraction/enqueue")
async def mindee_enqueue(request: Request, services: AnyServices) -> Response:
    """Accept a document."""
    caller = await writing_caller(request, _key)
    invoice_id = await submit(services, caller.account, await _upload(request, services))
    invoice = await services.invoices.get(caller.account.id, invoice_id)
    return JSONResponse({"job": _job(request, services, invoice)}, 202)


@router.get("/v2/jobs/{id}")
async def mindee_job(id: str, request: Request, services: AnyServices) -> Response:
    """Whether a document was read; held until it was, for some seconds."""
    caller = await reading_caller(request, _key)
    invoice = await result_of(services, caller.account, id)
    return JSONResponse({"job": _job(request, services, invoice)})


@router.get("/v2/products/extraction/results/{id}")
async def mindee_result(id: str, request: Request, services: AnyServices) -> Response:
    """What was read from a document."""
    caller = await reading_caller(request, _key)
    invoice = await result_of(services, caller.account, id)
    if invoice.failure is not None:
        return JSONResponse(_failure(invoice.failure), 422)
    if invoice.status is not Status.COMPLETE:
        raise InvoiceNotFound
    return JSONResponse({"inference": await _inference(services, caller, invoice)})


add_unknown_paths(router)


def _key(request: Request) -> str:
    key = request.headers.get("authorization", "").strip()
    if not key:
        raise MissingMindeeKey
    return key


async def _upload(request: Request, services: Services) -> Upload:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "application/x-www-form-urlencoded":
        body = await request.body()
        fields = await decoding_pool(len(body)).run(parse_urlencoded, body)
        texts = {name: value.decode("utf-8", "replace") for name, value in fields.items()}
        return await _fetched(services, texts)
    if kind != "multipart/form-data":
        raise InvalidBody("Send multipart/form-data with `file` or `url`.")
    form = await read_form(request)
    try:
        return await _sent(form) or await _fetched(services, _texts(form))
    finally:
        await form.close()


async def _sent(form: FormData) -> Upload | None:
    file = form.get("file")
    if not isinstance(file, UploadFile):
        return None
    return Upload(await file.read(), file.filename, Source.API, _notes(_texts(form)))


async def _fetched(services: Services, texts: dict[str, str]) -> Upload:
    if "url" not in texts:
        raise MissingFile("The form has neither `file` nor `url`.", "file")
    fetched = await services.file_urls.fetch(texts["url"], None)
    return Upload(fetched.data, fetched.name, Source.API, _notes(texts))


def _texts(form: FormData) -> dict[str, str]:
    return {name: value for name, value in form.items() if isinstance(value, str)}


def _notes(texts: dict[str, str]) -> dict[str, str]:
    """What answers repeat: the metadata of the invoice. Raises InvalidParameter."""
    notes: dict[str, str] = {name: texts[name] for name in ("model_id", "alias") if name in texts}
    if not notes.get("model_id"):
        raise InvalidParameter("model_id: is required.", "model_id")
    for name, text in notes.items():
        if len(text) > VALUE_LENGTH:
            raise InvalidParameter(f"{name}: must have at most {VALUE_LENGTH} characters.", name)
    return notes


def _job(request: Request, services: Services, invoice: Invoice) -> dict[str, Any]:
    base = f"{own_address(request, services.settings)}{router.prefix}/v2"
    status = {Status.COMPLETE: "Processed", Status.FAILED: "Failed"}.get(invoice.status, "Processing")
    result = f"{base}/products/extraction/results/{invoice.id}" if invoice.status is Status.COMPLETE else None
    return {
        "id": str(invoice.id),
        "model_id": invoice.metadata.get("model_id"),
        "filename": invoice.file.name,
        "alias": invoice.metadata.get("alias"),
        "created_at": _moment(invoice.created_at),
        "completed_at": None,
        "status": status,
        "polling_url": f"{base}/jobs/{invoice.id}",
        "result_url": result,
        "webhooks": [],
        "error": None if invoice.failure is None else _failure(invoice.failure),
    }


async def _inference(services: Services, caller: Caller, invoice: Invoice) -> dict[str, Any]:
    pages = pages_of_file(await invoices_of_file(services, caller.account, invoice))
    return {
        "id": str(invoice.id),
        "job": {"id": str(invoice.id)},
        "model": {"id": invoice.metadata.get("model_id")},
        "file": {
            "name": invoice.file.name,
            "alias": invoice.metadata.get("alias"),
            "page_count": pages,
            "mime_type": invoice.file.mime_type,
        },
        "result": {"fields": fields_of(invoice), "raw_text": None, "rag": None},
        "active_options": {
            **{"raw_text": False, "polygon": True, "confidence": True, "rag": False, "text_context": False},
            "data_schema": {"replace": False},
        },
    }


def fields_of(invoice: Invoice) -> dict[str, Any]:
    """All of Mindee's fields; their values are null if the service has none."""
    return {name: _group(invoice, mapped) for name, mapped in _GROUPS.items()}


def _group(invoice: Invoice, mapped: tuple[Mapped, ...]) -> dict[str, Any]:
    first = mapped[0].theirs
    if CELL in first:
        columns = {each.theirs.partition(CELL)[2]: each.kind for each in mapped}
        items = [_object(invoice, columns, row) for row in column_rows(invoice, mapped)]
        return {"items": items, "confidence": _lowest(items)}
    if "." in first:
        values = {each.theirs.partition(".")[2]: each.ours and found(invoice, each.ours) for each in mapped}
        return _object(invoice, dict.fromkeys(values, ""), {name: value for name, value in values.items() if value})
    return _simple(invoice, found(invoice, mapped[0].ours) if mapped[0].ours else None)


def _object(invoice: Invoice, kinds: dict[str, str], values: dict[str, Found]) -> dict[str, Any]:
    fields = {name: _simple(invoice, values.get(name), kind) for name, kind in kinds.items()}
    return {"locations": [], "confidence": _lowest(list(fields.values())), "fields": fields}


def _lowest(parts: list[dict[str, Any]]) -> str | None:
    levels = [part["confidence"] for part in parts if part["confidence"] is not None]
    return max(levels, key=list(LEVELS.values()).index, default=None)


def _simple(invoice: Invoice, value: Found | None, kind: str = "") -> dict[str, Any]:
    if value is None:
        return {"locations": [], "confidence": None, "value": None}
    places = [] if value.place is None else [value.place]
    locations = [{"page": page_of_file(invoice, place) - 1, "polygon": corners(place.box)} for place in places]
    level = None if value.level is None else LEVELS[value.level]
    return {"locations": locations, "confidence": level, "value": _json(value.value, kind)}


def _json(value: Any, kind: str) -> Any:
    if not isinstance(value, Decimal):
        return plain(value)
    return float(value / 100 if kind == "fraction" else value)


def _failure(failure: Failure) -> dict[str, Any]:
    return _problem(422, failure.code.replace("_", " ").capitalize(), failure.message, [])


def _problem(status: int, title: str, detail: str, errors: list[dict[str, str]]) -> dict[str, Any]:
    return {"status": status, "title": title, "detail": detail, "code": f"{status}-001", "errors": errors}


def _moment(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")
