"""No body is read further than a call can need."""

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from serve_app.domain import errors
from serve_app.domain.errors import ServiceError

_CREATE = "/v1/invoices"
# For the names, headers and boundaries around a document, and for the bodies of all other calls.
_OVERHEAD = 256 * 1024


def largest_body(scope: Scope, max_file_bytes: int) -> int:
    """Bytes of the largest body that a call can need. Where it creates an invoice, a form has the document as it is;
    elsewhere it may be base64, which takes 4/3, and its line breaks and escapes some more."""
    if not _creates(scope):
        return _OVERHEAD
    is_form = Headers(scope=scope).get("content-type", "").lower().startswith("multipart/form-data")
    return (max_file_bytes if is_form else max_file_bytes * 3 // 2) + _OVERHEAD


def too_large(scope: Scope, max_file_bytes: int) -> ServiceError:
    """413 `file_too_large` where the body is to hold a document, 400 `invalid_body` elsewhere."""
    if _creates(scope):
        return errors.file_too_large(max_file_bytes)
    return errors.invalid_body(f"The body is too large: this call takes at most {_OVERHEAD} bytes.")


def announced_length(scope: Scope) -> int:
    """Bytes that the request says its body has; 0 where it says nothing. Exact up to 19 digits, and large with more."""
    text = Headers(scope=scope).get("content-length", "")
    # Python refuses to convert thousands of digits, zeros included.
    return int(text.lstrip("0")[:19] or "0") if text.isdecimal() and text.isascii() else 0


def _creates(scope: Scope) -> bool:
    # The application may lie under a prefix of Serve's.
    return bool(scope["method"] == "POST" and scope["path"].endswith(_CREATE))


class BodyLimit:
    """Refuses a body that is announced, or turns out, to be too large.

    It acts when the body is first read, not before: authentication comes first.
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
