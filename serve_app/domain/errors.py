"""Errors that one package raises and another handles.

ServiceError                 an answer with the error envelope,
                             created by the functions below, one per row of the contract's table
DocumentError                a document that cannot be read: its run ends as `failed`
"""

from enum import StrEnum

from serve_app.domain.invoice import FailureCode
from serve_app.domain.limits import megabytes

RETRY_SECONDS = 5
"""How long a caller is told to wait, in seconds, while the storage is out of reach or an idempotency key is in use."""
_RETRY = {"Retry-After": str(RETRY_SECONDS)}
_UNAVAILABLE = "service_unavailable"
_CHALLENGE = {"WWW-Authenticate": "Bearer"}


class ErrorType(StrEnum):
    INVALID_REQUEST = "invalid_request_error"
    AUTHENTICATION = "authentication_error"
    NOT_FOUND = "not_found"
    RATE_LIMIT = "rate_limit_error"
    QUOTA_EXCEEDED = "quota_exceeded"
    API = "api_error"


class ServiceError(Exception):
    """A request that cannot be answered as asked; carries the HTTP status and the envelope's three strings."""

    def __init__(
        self,
        status: int,
        type: ErrorType,
        code: str,
        message: str,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.type = type
        self.code = code
        self.message = message
        self.headers = headers or {}

    def envelope(self) -> dict[str, dict[str, str]]:
        """The JSON body of the answer."""
        return {"error": {"type": self.type, "code": self.code, "message": self.message}}

    def __reduce__(self) -> tuple[type["ServiceError"], tuple[object, ...]]:
        # Needed to pass it between processes: by default an exception is rebuilt from its `args`.
        return ServiceError, (self.status, self.type, self.code, self.message, self.headers)


class OutcomeUnknown(ServiceError):
    """503: the store or the files went out of reach at a change, which may have been made."""

    def __init__(self) -> None:
        message = (
            "The service cannot reach its storage, and what you asked for may have been done all the same. A request "
            "with an Idempotency-Key can safely be sent again with the same key; before you repeat any other, look."
        )
        super().__init__(503, ErrorType.API, _UNAVAILABLE, message, dict(_RETRY))


class DocumentError(Exception):
    """A document that cannot be read, and why; never the service's fault, so never retried."""

    def __init__(self, code: FailureCode, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message


def missing_file(message: str) -> ServiceError:
    """400: no document in the request."""
    return ServiceError(400, ErrorType.INVALID_REQUEST, "missing_file", message)


def invalid_base64() -> ServiceError:
    """400: `file_base64` is not base64 text."""
    return ServiceError(400, ErrorType.INVALID_REQUEST, "invalid_base64", "`file_base64` is not valid base64.")


def invalid_body(message: str) -> ServiceError:
    """400: a body that is malformed or does not match its description."""
    return ServiceError(400, ErrorType.INVALID_REQUEST, "invalid_body", message)


def invalid_parameter(message: str) -> ServiceError:
    """400: a path, query or header parameter with a bad value."""
    return ServiceError(400, ErrorType.INVALID_REQUEST, "invalid_parameter", message)


def missing_api_key() -> ServiceError:
    """401: no bearer key."""
    message = "Send your API key as `Authorization: Bearer <API_KEY>`."
    return ServiceError(401, ErrorType.AUTHENTICATION, "missing_api_key", message, _CHALLENGE)


def invalid_api_key() -> ServiceError:
    """401: a key that is unknown or revoked."""
    message = "This API key is unknown or revoked."
    return ServiceError(401, ErrorType.AUTHENTICATION, "invalid_api_key", message, _CHALLENGE)


def insufficient_scope() -> ServiceError:
    """403: a read-only key on an endpoint that writes."""
    message = "This API key may only read."
    return ServiceError(403, ErrorType.AUTHENTICATION, "insufficient_scope", message)


def file_link_invalid() -> ServiceError:
    """403: a download link that this deployment did not sign, or that was changed."""
    message = "This download link is not valid."
    return ServiceError(403, ErrorType.AUTHENTICATION, "invalid_file_link", message)


def file_link_expired() -> ServiceError:
    """403: a download link that is too old."""
    message = "This download link has expired; ask for a new one."
    return ServiceError(403, ErrorType.AUTHENTICATION, "file_link_expired", message)


def already_complete() -> ServiceError:
    """400: a complete invoice is read again only if forced."""
    message = "The invoice is complete. Send `force` = true to read its document again."
    return ServiceError(400, ErrorType.INVALID_REQUEST, "already_complete", message)


def idempotency_in_flight() -> ServiceError:
    """409: the first request with this key has no answer yet."""
    message = "A request with this Idempotency-Key is still being processed. Try again in a moment."
    headers = {"Retry-After": str(RETRY_SECONDS)}
    return ServiceError(409, ErrorType.API, "idempotency_in_flight", message, headers)


def invoice_not_complete() -> ServiceError:
    """400: an operation that needs a complete invoice."""
    message = "Only a complete invoice can be marked as paid or sent for approval."
    return ServiceError(400, ErrorType.INVALID_REQUEST, "invoice_not_complete", message)


def invoice_not_found() -> ServiceError:
    """404: unknown, or another account's."""
    return ServiceError(404, ErrorType.NOT_FOUND, "invoice_not_found", "There is no invoice with this id.")


def part_unavailable() -> ServiceError:
    """404: the pages of an invoice cannot be cut out of the file that it came in."""
    message = (
        "The pages of this invoice cannot be cut out of its file. `?original=true` on the call for the link gives the "
        "whole file."
    )
    return ServiceError(404, ErrorType.NOT_FOUND, "part_unavailable", message)


def event_not_found() -> ServiceError:
    """404: unknown, or another account's."""
    return ServiceError(404, ErrorType.NOT_FOUND, "event_not_found", "There is no event with this id.")


def route_not_found() -> ServiceError:
    """404: a path that the API does not have."""
    return ServiceError(404, ErrorType.NOT_FOUND, "route_not_found", "There is nothing at this path.")


def method_not_allowed(allowed: str) -> ServiceError:
    """405: `allowed` lists the methods that the path has, separated by commas."""
    message = f"This path does not have this method; it has: {allowed}."
    return ServiceError(405, ErrorType.INVALID_REQUEST, "method_not_allowed", message, {"Allow": allowed})


def file_too_large(max_bytes: int) -> ServiceError:
    """413: a document over the size limit."""
    message = f"The file is over the limit of {megabytes(max_bytes)} ({max_bytes} bytes)."
    return ServiceError(413, ErrorType.INVALID_REQUEST, "file_too_large", message)


def unsupported_file_type(message: str) -> ServiceError:
    """415: a document of no supported type."""
    return ServiceError(415, ErrorType.INVALID_REQUEST, "unsupported_file_type", message)


def file_url_unreachable(message: str) -> ServiceError:
    """422: the document that `file_url` names cannot be fetched."""
    return ServiceError(422, ErrorType.INVALID_REQUEST, "file_url_unreachable", message)


def rate_limited(limit: int, retry_seconds: int) -> ServiceError:
    """429: more requests in this minute than the key may send."""
    message = f"Over {limit} requests in a minute. Try again in {retry_seconds} s."
    headers = {"Retry-After": str(retry_seconds)}
    return ServiceError(429, ErrorType.RATE_LIMIT, "rate_limited", message, headers)


def too_many_mails(limit: int, whose: str, retry_seconds: int) -> ServiceError:
    """429: the account has sent as many approval mails today as it may; `whose` continues "mails a day"."""
    message = f"At most {limit} approval mails a day {whose}. Nothing was sent; try again in {retry_seconds} s."
    headers = {"Retry-After": str(retry_seconds)}
    return ServiceError(429, ErrorType.RATE_LIMIT, "rate_limited", message, headers)


def monthly_quota_reached(limit: int) -> ServiceError:
    """429: the account's extractions of this calendar month are used up."""
    message = f"The monthly quota of {limit} extractions is used up; it resets at the start of next month (UTC)."
    return ServiceError(429, ErrorType.QUOTA_EXCEEDED, "monthly_quota_reached", message)


def internal() -> ServiceError:
    """500: a fault of the service; safe to retry with backoff."""
    message = "Something broke on our side. It is safe to try again."
    return ServiceError(500, ErrorType.API, "internal", message)


def email_delivery_failed() -> ServiceError:
    """502: the mail server refused a mail, or is out of reach."""
    message = "The e-mail could not be sent: the mail server refused it or is out of reach. Nothing was changed."
    return ServiceError(502, ErrorType.API, "email_delivery_failed", message)


def service_unavailable() -> ServiceError:
    """503: the store or the files are out of reach; nothing was changed."""
    message = "The service cannot reach its storage. Nothing was changed; try again."
    return ServiceError(503, ErrorType.API, _UNAVAILABLE, message, dict(_RETRY))


def query_timeout() -> ServiceError:
    """503: a list whose filters leave too much to look through."""
    message = "Finding these entries takes too long. Filter by something that fewer entries have, or try again later."
    return ServiceError(503, ErrorType.API, "query_timeout", message, dict(_RETRY))
