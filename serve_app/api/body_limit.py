"""No body is read further than the largest document can need."""

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from serve_app.domain import errors

# For the names, headers and boundaries around a document.
_OVERHEAD = 256 * 1024


def largest_body(max_file_bytes: int, content_type: str) -> int:
    """Bytes of the largest body that can hold a document. A form has it as it is; elsewhere it may be base64, which
    takes 4/3, and its line breaks and escapes some more."""
    is_form = content_type.lower().startswith("multipart/form-data")
    return (max_file_bytes if is_form else max_file_bytes * 3 // 2) + _OVERHEAD


class BodyLimit:
    """Answers 413 `file_too_large` when a body is announced, or turns out, to be too large.

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
        headers = Headers(scope=scope)
        length = headers.get("content-length", "")
        self._limit = largest_body(max_file_bytes, headers.get("content-type", ""))
        self._announced = int(length) if length.isdecimal() and length.isascii() else 0
        self._receive = receive
        self._max_file_bytes = max_file_bytes
        self._seen = 0

    async def __call__(self) -> Message:
        if self._announced > self._limit:
            raise errors.file_too_large(self._max_file_bytes)
        message = await self._receive()
        self._seen += len(message.get("body", b""))
        if self._seen > self._limit:
            raise errors.file_too_large(self._max_file_bytes)
        return message
