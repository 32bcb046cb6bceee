"""What can go wrong. Everything that the client raises on purpose is an `InvoicesError`."""

from typing import Any, cast

import httpx

from invoices_client.models import Invoice


class InvoicesError(Exception):
    """Any error of this client."""


class APIError(InvoicesError):
    """The service refused a call. `code` is for programs, `message` for people; the API reference lists the codes."""

    def __init__(self, response: httpx.Response) -> None:
        detail = _detail(response)
        self.response = response
        self.status = response.status_code
        self.type = str(detail.get("type") or "")
        self.code = str(detail.get("code") or "")
        self.message = str(detail.get("message") or response.reason_phrase)
        self.param: str | None = detail.get("param")
        self.request_id = response.headers.get("X-Request-Id")
        self.is_uncertain = self.status >= 500 or self.code == "idempotency_in_flight"
        """Whether the service may have done what was asked, in the last attempt or an earlier one."""
        super().__init__(f"{self.status} {self.code}: {self.message} (request {self.request_id})")

    @property
    def retry_after(self) -> float | None:
        """The seconds after which the service asks to try again."""
        text = self.response.headers.get("Retry-After", "")
        return float(text) if text.isdecimal() else None


class InvalidRequestError(APIError):
    """The request must be changed: `param` names the cause."""


class AuthenticationError(APIError):
    """The key is missing, unknown, revoked, or not allowed to do this."""


class NotFoundError(APIError):
    """The account has no such object."""


class RateLimitError(APIError):
    """Too many calls, also after the retries."""


class QuotaExceededError(APIError):
    """The account has used its extractions of this month. Repeating the call does not help."""


class ServiceError(APIError):
    """The service could not do it now, also after the retries."""


class APIConnectionError(InvoicesError):
    """No answer arrived, also after the retries."""

    def __init__(self, message: str, *, is_uncertain: bool) -> None:
        super().__init__(message)
        self.is_uncertain = is_uncertain
        """Whether the service may have done what was asked, in the last attempt or an earlier one."""


class APITimeoutError(APIConnectionError):
    """No answer arrived in time."""


class WaitTimeoutError(InvoicesError):
    """The invoice was accepted, but not finished before the deadline. `invoice` is its last state."""

    def __init__(self, invoice: Invoice) -> None:
        super().__init__(f"invoice {invoice.id} is still {invoice.status}")
        self.invoice = invoice


class UnconfirmedError(InvoicesError):
    """A document was sent in an earlier run without an answer, too long ago to repeat it safely. Look for its invoice
    before you send it again with another journal."""


class WebhookVerificationError(InvoicesError):
    """A webhook is not signed with any of the secrets, or too old."""


_CLASSES: dict[str, type[APIError]] = {
    "invalid_request_error": InvalidRequestError,
    "authentication_error": AuthenticationError,
    "not_found": NotFoundError,
    "rate_limit_error": RateLimitError,
    "quota_exceeded": QuotaExceededError,
    "api_error": ServiceError,
}


def api_error(response: httpx.Response) -> APIError:
    """The error of an unsuccessful response, in the class of its type. A proxy's answer has none of the types."""
    return _CLASSES.get(str(_detail(response).get("type")), APIError)(response)


def _detail(response: httpx.Response) -> dict[str, Any]:
    try:
        detail = response.json()["error"]
    except (ValueError, KeyError, TypeError):
        return {}
    return cast("dict[str, Any]", detail) if isinstance(detail, dict) else {}
