"""Limits how much of a body is read to what a call can need."""

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from serve_app.domain.errors import FileTooLarge, ServiceError
from serve_app.http.errors import InvalidBody

_CREATE = ("/v1/invoices", "/app/send")
_MAIL = "/mail/in/"
_COMPAT = "/compat/"
MAX_MAIL_BODY = 24 * 2**20
"""The longest body with a mail, in bytes: the longest that Serve's proxy lets through."""
# Allowed for the names, headers and boundaries around a document, and for the bodies of all other calls.
_OVERHEAD = 256 * 1024


def largest_body(scope: Scope, max_file_bytes: int) -> int:
    """The largest body that a call can need, in bytes. If the call creates an invoice, a form contains the document as
    is; any other body may contain it as base64, which takes 4/3 of its size, plus line breaks and escapes. A mail may
    be as long as the proxy allows."""
    if _is_mail(scope):
        return MAX_MAIL_BODY
    if not _creates(scope):
        return _OVERHEAD
    is_form = Headers(scope=scope).get("content-type", "").lower().startswith("multipart/form-data")
    return (max_file_bytes if is_form else max_file_bytes * 3 // 2) + _OVERHEAD


def too_large(scope: Scope, max_file_bytes: int) -> ServiceError:
    """413 `file_too_large` if the call creates an invoice or brings a mail, else 400 `invalid_body`."""
    if _is_mail(scope):
        return FileTooLarge(MAX_MAIL_BODY)
    if _creates(scope):
        return FileTooLarge(max_file_bytes)
    return InvalidBody(f"The body is too large: this call takes at most {_OVERHEAD} bytes.")


def announced_length(scope: Scope) -> int:
    """The declared body length in bytes; 0 if none is declared. Exact up to 19 digits; a large value for more."""
    text = Headers(scope=scope).get("content-length", "")
    # Python refuses to convert thousands of digits, including leading zeros.
    return int(text.lstrip("0")[:19] or "0") if text.isdecimal() and text.isascii() else 0


def _creates(scope: Scope) -> bool:
    # Serve may mount the application under a prefix.
    path = scope["path"]
    return bool(scope["method"] == "POST" and (path.endswith(_CREATE) or _COMPAT in path))


def _is_mail(scope: Scope) -> bool:
    return bool(scope["method"] == "POST" and _MAIL in scope["path"])


class BodyLimit:
    """Refuses a body whose declared or actual length is too large.

    It acts only when the body is first read, so authentication comes first.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        services = getattr(scope["app"].state, "services", None)
        if scope["type"] == "http" and services is not None:
            receive = _Counted(scope, receive, services.settings.max_file_bytes)
        await self._app(scope, receive, send)


class _Counted:
    def __init__(self, scope: Scope, receive: Receive, max_file_bytes: int) -> None:
        self._limit = largest_body(scope, max_file_bytes)
        self._error = too_large(scope, max_file_bytes)
        self._announced = announced_length(scope)
        self._receive = receive
        self._seen = 0

    async def __call__(self) -> Message:
        if self._announced > self._limit:
            raise self._error
        message = await self._receive()
        self._seen += len(message.get("body", b""))
        if self._seen > self._limit:
            raise self._error
        return message
