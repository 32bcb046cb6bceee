"""The HTTP answer to each error: status, type, code and headers. Nothing else knows them."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import NamedTuple

from serve_app.domain import errors
from serve_app.domain.clock import month_start, utc_now
from serve_app.domain.errors import ServiceError
from serve_app.http import errors as http

DOC_PATH = "/docs/errors"
"""The page about all errors; each has an anchor of the name of its code."""
RETRY_SECONDS = 5
"""How long a caller is told to wait, in seconds, while the storage is out of reach or an idempotency key is in use."""


class ErrorType(StrEnum):
    INVALID_REQUEST = "invalid_request_error"
    AUTHENTICATION = "authentication_error"
    NOT_FOUND = "not_found"
    RATE_LIMIT = "rate_limit_error"
    QUOTA_EXCEEDED = "quota_exceeded"
    API = "api_error"


class ErrorRow(NamedTuple):
    """The HTTP answer to one error."""

    status: int
    type: ErrorType
    code: str


_ROWS: Mapping[type[ServiceError], ErrorRow] = {
    errors.MissingFile: ErrorRow(400, ErrorType.INVALID_REQUEST, "missing_file"),
    http.InvalidBase64: ErrorRow(400, ErrorType.INVALID_REQUEST, "invalid_base64"),
    http.InvalidBody: ErrorRow(400, ErrorType.INVALID_REQUEST, "invalid_body"),
    errors.InvalidParameter: ErrorRow(400, ErrorType.INVALID_REQUEST, "invalid_parameter"),
    errors.AlreadyComplete: ErrorRow(400, ErrorType.INVALID_REQUEST, "already_complete"),
    errors.NotComplete: ErrorRow(400, ErrorType.INVALID_REQUEST, "invoice_not_complete"),
    http.MissingApiKey: ErrorRow(401, ErrorType.AUTHENTICATION, "missing_api_key"),
    errors.UnknownKey: ErrorRow(401, ErrorType.AUTHENTICATION, "invalid_api_key"),
    errors.AccountSuspended: ErrorRow(401, ErrorType.AUTHENTICATION, "account_suspended"),
    errors.ReadOnlyKey: ErrorRow(403, ErrorType.AUTHENTICATION, "insufficient_scope"),
    errors.InvalidFileLink: ErrorRow(403, ErrorType.AUTHENTICATION, "invalid_file_link"),
    errors.ExpiredFileLink: ErrorRow(403, ErrorType.AUTHENTICATION, "file_link_expired"),
    errors.InvoiceNotFound: ErrorRow(404, ErrorType.NOT_FOUND, "invoice_not_found"),
    errors.DocumentGone: ErrorRow(404, ErrorType.NOT_FOUND, "document_removed"),
    errors.EventNotFound: ErrorRow(404, ErrorType.NOT_FOUND, "event_not_found"),
    errors.ExportNotFound: ErrorRow(404, ErrorType.NOT_FOUND, "export_not_found"),
    errors.WebhookEndpointNotFound: ErrorRow(404, ErrorType.NOT_FOUND, "webhook_endpoint_not_found"),
    errors.AccountNotFound: ErrorRow(404, ErrorType.NOT_FOUND, "account_not_found"),
    errors.ApiKeyNotFound: ErrorRow(404, ErrorType.NOT_FOUND, "api_key_not_found"),
    errors.MailNotFound: ErrorRow(404, ErrorType.NOT_FOUND, "mail_not_found"),
    errors.PurchaseOrderNotFound: ErrorRow(404, ErrorType.NOT_FOUND, "purchase_order_not_found"),
    errors.OwnFieldNotFound: ErrorRow(404, ErrorType.NOT_FOUND, "field_not_found"),
    errors.NoEInvoice: ErrorRow(404, ErrorType.NOT_FOUND, "einvoice_not_found"),
    errors.PartNotFound: ErrorRow(404, ErrorType.NOT_FOUND, "part_unavailable"),
    http.RouteNotFound: ErrorRow(404, ErrorType.NOT_FOUND, "route_not_found"),
    http.MethodNotAllowed: ErrorRow(405, ErrorType.INVALID_REQUEST, "method_not_allowed"),
    http.RequestTimeout: ErrorRow(408, ErrorType.INVALID_REQUEST, "request_timeout"),
    errors.ReviewChanged: ErrorRow(409, ErrorType.INVALID_REQUEST, "review_changed"),
    errors.InvoiceExported: ErrorRow(409, ErrorType.INVALID_REQUEST, "invoice_exported"),
    errors.InvoiceKept: ErrorRow(409, ErrorType.INVALID_REQUEST, "invoice_kept"),
    errors.AccountKept: ErrorRow(409, ErrorType.INVALID_REQUEST, "account_kept"),
    errors.NothingToExport: ErrorRow(422, ErrorType.INVALID_REQUEST, "nothing_to_export"),
    errors.ChartChanged: ErrorRow(409, ErrorType.INVALID_REQUEST, "chart_changed"),
    errors.LeftAlone: ErrorRow(409, ErrorType.INVALID_REQUEST, "review_changed"),
    errors.RequestInFlight: ErrorRow(409, ErrorType.API, "idempotency_in_flight"),
    errors.FileTooLarge: ErrorRow(413, ErrorType.INVALID_REQUEST, "file_too_large"),
    errors.UnsupportedFileType: ErrorRow(415, ErrorType.INVALID_REQUEST, "unsupported_file_type"),
    http.RangeNotSatisfiable: ErrorRow(416, ErrorType.INVALID_REQUEST, "range_not_satisfiable"),
    errors.EInvoiceIncomplete: ErrorRow(422, ErrorType.INVALID_REQUEST, "einvoice_incomplete"),
    errors.EInvoiceInvalid: ErrorRow(422, ErrorType.INVALID_REQUEST, "einvoice_invalid"),
    errors.KeyReused: ErrorRow(422, ErrorType.INVALID_REQUEST, "idempotency_key_reused"),
    errors.FileUrlUnreachable: ErrorRow(422, ErrorType.INVALID_REQUEST, "file_url_unreachable"),
    errors.RateLimitReached: ErrorRow(429, ErrorType.RATE_LIMIT, "rate_limited"),
    errors.MailLimitReached: ErrorRow(429, ErrorType.RATE_LIMIT, "rate_limited"),
    errors.QuotaReached: ErrorRow(429, ErrorType.QUOTA_EXCEEDED, "monthly_quota_reached"),
    errors.BudgetReached: ErrorRow(429, ErrorType.QUOTA_EXCEEDED, "monthly_budget_reached"),
    http.InternalError: ErrorRow(500, ErrorType.API, "internal"),
    errors.MailNotSent: ErrorRow(502, ErrorType.API, "email_delivery_failed"),
    errors.Unavailable: ErrorRow(503, ErrorType.API, "service_unavailable"),
    errors.QueueTooLong: ErrorRow(503, ErrorType.API, "queue_too_long"),
    errors.QueryTimeout: ErrorRow(503, ErrorType.API, "query_timeout"),
}


@dataclass(frozen=True, slots=True)
class ErrorAnswer:
    """The answer to one error; `envelope` is its JSON body."""

    status: int
    code: str
    envelope: dict[str, dict[str, str | None]]
    headers: dict[str, str]


def all_rows() -> set[ErrorRow]:
    """Every answer to an error."""
    return set(_ROWS.values())


def row_of(error: type[ServiceError]) -> ErrorRow:
    """The row of an error, or of the nearest error above it that has one."""
    return next(_ROWS[kind] for kind in error.__mro__ if kind in _ROWS)


def answer_to(error: ServiceError) -> ErrorAnswer:
    """The answer to an error."""
    row = row_of(type(error))
    fields = {"type": str(row.type), "code": row.code, "message": error.message}
    envelope = {"error": {**fields, "param": error.param, "doc_url": f"{DOC_PATH}#{row.code}"}}
    return ErrorAnswer(row.status, row.code, envelope, _headers_of(error))


def _headers_of(error: ServiceError) -> dict[str, str]:
    match error:
        case errors.RateLimitReached() | errors.MailLimitReached() | errors.QueueTooLong():
            return {"Retry-After": str(error.retry_seconds)}
        case errors.MonthlyLimitReached():
            return {"Retry-After": str(_seconds_to_next_month())}
        case errors.ReviewChanged() | errors.ChartChanged():
            return {"Retry-After": "1"}
        case errors.Unavailable() | errors.RequestInFlight():
            return {"Retry-After": str(RETRY_SECONDS)}
        # Amazon SNS sends its password only if it is asked for one.
        case http.WrongMailSecret():
            return {"WWW-Authenticate": 'Basic realm="mail"'}
        case http.MissingApiKey() | errors.UnknownKey() | errors.AccountSuspended():
            return {"WWW-Authenticate": "Bearer"}
        case http.RangeNotSatisfiable():
            return {"Content-Range": f"bytes */{error.size}"}
        case http.MethodNotAllowed():
            return {"Allow": error.allowed}
        case _:
            return {}


def _seconds_to_next_month() -> int:
    now = utc_now()
    # No month is longer than 31 days, so 32 days after its start lies in the next month.
    return math.ceil((month_start(month_start(now) + timedelta(days=32)) - now).total_seconds())
