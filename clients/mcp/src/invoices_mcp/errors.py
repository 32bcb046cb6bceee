"""Errors of the service in words for an agent. None contains a key, a header or a path of this machine."""

from invoices_client import (
    APIConnectionError,
    APIError,
    AuthenticationError,
    InvoicesError,
    QuotaExceededError,
    RateLimitError,
    ServiceError,
)


def explanation(error: InvoicesError) -> str:
    """What happened, and what to do."""
    if isinstance(error, APIConnectionError):
        done = " The call may have been received: read the invoice before you repeat it." if error.is_uncertain else ""
        return f"The invoice service does not answer. Try again later.{done}"
    if isinstance(error, APIError):
        return f"{_cause(error)} ({error.status} {error.code}{_request(error)})"
    return str(error)


def _cause(error: APIError) -> str:
    if isinstance(error, AuthenticationError):
        return f"The invoice service refused the API key: {error.message}"
    if isinstance(error, QuotaExceededError):
        return f"The account's monthly extractions are used up: {error.message}"
    if isinstance(error, RateLimitError):
        wait = f" in {error.retry_after:.0f} s" if error.retry_after else " later"
        return f"Too many calls. Try again{wait}."
    if isinstance(error, ServiceError):
        return f"The invoice service could not do it now. Try again later. {error.message}"
    return error.message


def _request(error: APIError) -> str:
    return f", request {error.request_id}" if error.request_id else ""
