"""OpenAPI descriptions of errors and headers; each endpoint names those that it uses."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any
from uuid import UUID

from pydantic import BaseModel

from serve_app.api.schemas import ErrorEnvelope
from serve_app.documents import sniff
from serve_app.domain.errors import (
    AccountKept,
    AccountNotFound,
    AccountSuspended,
    AlreadyComplete,
    ApiKeyNotFound,
    BudgetReached,
    ChartChanged,
    DocumentGone,
    EInvoiceIncomplete,
    EInvoiceInvalid,
    EventNotFound,
    ExpiredFileLink,
    ExportNotFound,
    FileTooLarge,
    FileUrlUnreachable,
    InvalidFileLink,
    InvalidParameter,
    InvoiceExported,
    InvoiceKept,
    InvoiceNotFound,
    KeyReused,
    MailNotFound,
    MailNotSent,
    MissingFile,
    NoEInvoice,
    NotComplete,
    NothingToExport,
    OwnFieldNotFound,
    PartNotFound,
    PurchaseOrderNotFound,
    QueryTimeout,
    QueueTooLong,
    QuotaReached,
    RateLimitReached,
    ReadOnlyKey,
    RequestInFlight,
    ReviewChanged,
    ServiceError,
    StoreUnreachable,
    UnknownKey,
    UnsupportedFileType,
    WebhookEndpointNotFound,
)
from serve_app.domain.limits import MAX_FILE_BYTES
from serve_app.http.error_table import ErrorAnswer, answer_to
from serve_app.http.errors import InternalError, InvalidBase64, InvalidBody, MissingApiKey, RangeNotSatisfiable

Responses = dict[int | str, dict[str, Any]]

_ERRORS: tuple[ServiceError, ...] = (
    MissingFile("The form has no file named `file`.", "file"),
    InvalidBase64(),
    InvalidBody("entity_tag: must have at most 60 characters", "entity_tag"),
    InvalidParameter("limit: must be at most 100", "limit"),
    NotComplete(),
    AlreadyComplete(),
    MissingApiKey(),
    UnknownKey(),
    AccountSuspended(),
    ReadOnlyKey(),
    InvalidFileLink(),
    ExpiredFileLink(),
    InvoiceNotFound(),
    DocumentGone(),
    NoEInvoice(),
    PartNotFound(),
    EventNotFound(),
    WebhookEndpointNotFound(),
    AccountNotFound(),
    ApiKeyNotFound(),
    MailNotFound(),
    ExportNotFound(),
    PurchaseOrderNotFound(),
    OwnFieldNotFound(),
    RequestInFlight(),
    ReviewChanged(),
    InvoiceExported(),
    InvoiceKept("2036-12-31", "DE", "§ 147 AO"),
    AccountKept("DE", UUID("019e2f3a-8e4f-7071-9283-a4b5c6d7e8f9")),
    ChartChanged(),
    FileTooLarge(MAX_FILE_BYTES),
    UnsupportedFileType("Unsupported file type. Supported types: PDF, JPEG, PNG, HEIC, HTML."),
    RangeNotSatisfiable(48213),
    EInvoiceIncomplete(["BT-40 Seller country code", "BT-55 Buyer country code"]),
    EInvoiceInvalid(["BR-CO-13: Invoice total amount without VAT (BT-109) = ..."]),
    NothingToExport(["nobody has confirmed or approved it"]),
    KeyReused(),
    FileUrlUnreachable("`file_url` could not be fetched: the server answered with status 404."),
    RateLimitReached(60, 17),
    QuotaReached(200),
    BudgetReached(Decimal(40), "EUR"),
    InternalError(),
    MailNotSent(),
    StoreUnreachable(),
    QueueTooLong(40),
    QueryTimeout(),
)
_EXAMPLES: tuple[ErrorAnswer, ...] = tuple(answer_to(error) for error in _ERRORS)
ERRORS_BY_CODE: Mapping[str, ServiceError] = {answer_to(error).code: error for error in _ERRORS}
"""An error of each code."""
_ALWAYS = ("missing_api_key", "invalid_api_key", "account_suspended", "rate_limited", "internal", "service_unavailable")
_RATE = {
    "X-RateLimit-Limit": "Requests allowed per minute.",
    "X-RateLimit-Remaining": "Requests left in this minute.",
    "X-RateLimit-Reset": "When the next minute begins, in Unix seconds.",
}
_MORE = {
    "ETag": "The value to send in `If-None-Match` of a later call.",
    "Vary": "`Accept-Encoding`, if a large response would be compressed on request.",
    "Location": "The path of the new object.",
    "Idempotency-Replayed": "`true` if this response was sent before.",
}
REPEATABLE = ("idempotency_in_flight", "idempotency_key_reused")
"""The errors of a change that takes an `Idempotency-Key`."""
_TAGGED = ("ETag", "Vary")
_UNCHANGED = "Unchanged since the response with the `ETag` in `If-None-Match`."
IF_NONE_MATCH: dict[str, Any] = {
    "parameters": [
        {
            "name": "If-None-Match",
            "in": "header",
            "required": False,
            "description": "The `ETag` of an earlier response, or several: 304 if the response would be the same.",
            "schema": {"type": "string"},
        }
    ]
}
"""The header that `tagged` responses honour. It is described here rather than declared to the framework, which is slow
to read each parameter."""

# The first type stands for files of unknown type; generated clients treat it as bytes.
_FILE_TYPES = ("application/octet-stream", *sniff.NAMES, sniff.XML)


def success(
    status: int = 200,
    model: type[BaseModel] | None = None,
    description: str | None = None,
    headers: tuple[str, ...] = (),
) -> Responses:
    """A success response with its headers. `model` and `description` are needed only if they differ from the endpoint's
    own."""
    described: dict[str, Any] = {"headers": headers_of(more={name: _MORE[name] for name in headers})}
    if model is not None:
        described["model"] = model
    if description is not None:
        described["description"] = description
    return {status: described}


def tagged() -> Responses:
    """The responses of a GET with an ETag: success, and 304 if nothing has changed since."""
    return success(headers=_TAGGED) | success(304, description=_UNCHANGED, headers=_TAGGED)


def _tags() -> dict[str, str]:
    return {name: _MORE[name] for name in _TAGGED}


def errors_with(*codes: str) -> Responses:
    """An endpoint's error responses: those in `codes`, and those of every endpoint that requires a key."""
    return _errors([*codes, *_ALWAYS])


def operator_errors_with(*codes: str) -> Responses:
    """The same for an endpoint that requires the key of an operator, which belongs to no account."""
    return _errors([*codes, *(code for code in _ALWAYS if code != "account_suspended")])


def _errors(documented_codes: list[str]) -> Responses:
    found = [error for error in _EXAMPLES if error.code in documented_codes]
    unknown = set(documented_codes) - {error.code for error in found}
    if unknown:
        raise ValueError(f"no such errors: {unknown}")
    return _by_status(found)


def _by_status(found: list[ErrorAnswer], *, has_key: bool = True) -> Responses:
    return {status: _described(status, found, has_key) for status in sorted({error.status for error in found})}


def _described(status: int, found: list[ErrorAnswer], has_key: bool) -> dict[str, Any]:
    here = [error for error in found if error.status == status]
    content = {"application/json": {"examples": {error.code: {"value": error.envelope} for error in here}}}
    codes = ", ".join(f"`{error.code}`" for error in here)
    described: dict[str, Any] = {"model": ErrorEnvelope, "description": codes, "content": content}
    headers = headers_of(rate=has_key and status != 401, retry=status in {409, 429, 503})
    return described | {"headers": headers}


def _download_errors() -> Responses:
    codes = (
        "invalid_file_link",
        "file_link_expired",
        "invoice_not_found",
        "document_removed",
        "part_unavailable",
        "range_not_satisfiable",
        "internal",
        "service_unavailable",
    )
    found = [error for error in _EXAMPLES if error.code in codes]
    return _by_status(found, has_key=False)


def headers_of(*, rate: bool = True, retry: bool = False, more: dict[str, str] | None = None) -> dict[str, Any]:
    """Descriptions of a response's headers."""
    described = {"X-Request-Id": "The request's id, as in the service's logs."} | (_RATE if rate else {}) | (more or {})
    headers: dict[str, Any] = {
        name: {"description": text, "schema": {"type": "integer" if name in _RATE else "string"}}
        for name, text in described.items()
    }
    if retry:
        text = "Seconds to wait before the next try; if the quota or the budget is used up, until the end of the month."
        headers["Retry-After"] = {"description": text, "schema": {"type": "integer"}}
    return headers


PICTURE: Responses = {
    200: {
        "description": "The page as a JPEG.",
        "content": {"image/jpeg": {"schema": {"type": "string", "format": "binary"}}},
        "headers": headers_of(more=_tags()),
    },
    304: {"description": _UNCHANGED, "headers": headers_of(more=_tags())},
}
_DISPOSITION = {"Content-Disposition": "`attachment`, with the file's name."}
XML: Responses = {
    200: {
        "description": "The XML as it was received, or the electronic invoice that was written.",
        "content": {
            kind: {"schema": {"type": "string", "format": "binary"}}
            for kind in (_FILE_TYPES[0], sniff.XML, "application/pdf")
        },
        "headers": headers_of(more=_DISPOSITION),
    }
}
EXPORT_FILE: Responses = {
    200: {
        "description": "The file, as a download with its name and type.",
        "content": {
            kind: {"schema": {"type": "string", "format": "binary"}}
            for kind in (_FILE_TYPES[0], "text/csv", "text/plain", "application/json")
        },
        "headers": headers_of(more=_DISPOSITION),
    }
}
_OF_DOWNLOADS = {
    "Accept-Ranges": "`bytes`.",
    **_DISPOSITION,
    "ETag": "The version of the document, for `If-Range`.",
}


def _download(description: str, **more: str) -> dict[str, Any]:
    return {
        "description": description,
        "content": {kind: {"schema": {"type": "string", "format": "binary"}} for kind in _FILE_TYPES},
        "headers": headers_of(rate=False, more=_OF_DOWNLOADS | more),
    }


RANGE: dict[str, Any] = {
    "parameters": [
        {
            "name": name,
            "in": "header",
            "required": False,
            "description": description,
            "schema": {"type": "string"},
        }
        for name, description in (
            (
                "Range",
                "One range of bytes, such as `bytes=0-1023`, gives 206 with only these. Several give the whole "
                "document.",
            ),
            ("If-Range", "The `ETag` of an earlier response: the whole document if it has changed."),
        )
    ]
}
"""The headers that a download honours."""
DOWNLOAD: Responses = {
    200: _download("The document, as a download with its name and type."),
    206: _download(
        "The requested range of bytes.",
        **{"Content-Range": "The position of these bytes and the length of the document."},
    ),
    **_download_errors(),
}
