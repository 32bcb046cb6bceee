"""The contract's table of errors: status, type and code of each."""

from typing import NamedTuple


class ErrorRow(NamedTuple):
    status: int
    type: str
    code: str


def rows(status: int, type: str, codes: str) -> tuple[ErrorRow, ...]:
    """The rows of these codes, which are parted by spaces."""
    return tuple(ErrorRow(status, type, code) for code in codes.split())


ERRORS = (
    *rows(400, "invalid_request_error", "missing_file invalid_base64 invalid_body invalid_parameter"),
    *rows(401, "authentication_error", "missing_api_key invalid_api_key"),
    *rows(403, "authentication_error", "insufficient_scope"),
    *rows(404, "not_found", "invoice_not_found route_not_found"),
    *rows(405, "invalid_request_error", "method_not_allowed"),
    *rows(409, "api_error", "idempotency_in_flight"),
    *rows(413, "invalid_request_error", "file_too_large"),
    *rows(415, "invalid_request_error", "unsupported_file_type"),
    *rows(422, "invalid_request_error", "file_url_unreachable"),
    *rows(429, "rate_limit_error", "rate_limited"),
    *rows(429, "quota_exceeded", "monthly_quota_reached"),
    *rows(500, "api_error", "internal"),
    *rows(502, "api_error", "email_delivery_failed"),
)
OF_NO_ENDPOINT = {
    *("route_not_found", "method_not_allowed", "request_timeout"),
    *("account_not_found", "api_key_not_found", "account_kept"),
}
"""Responses outside any endpoint of accounts, so no endpoint's description names them."""
