"""A guard in front of Serve's own HTTP handling, which acts on headers of the client before the application sees them.

Serve's proxy loads it when RAY_SERVE_HTTP_PROXY_CALLBACK_IMPORT_PATH is `actors.proxy:middlewares`.
"""

import json

from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from actors.serve_answers import replacement

# Headers with which a client could change how Serve treats its request: time limit, cancellation, choice of replica.
STRIPPED = frozenset(
    {
        b"x-request-timeout-seconds",
        b"x-request-disconnect-disabled",
        b"serve-multiplexed-model-id",
    }
)
REQUEST_ID = b"x-request-id"
# The proxy holds a body in memory as a whole. The API's own limit is lower and answers with more care: the largest
# file in base64 is 20 MiB. This one only protects the proxy.
MAX_BODY_BYTES = 24 * 2**20
TOO_LARGE = json.dumps(
    {
        "error": {
            "type": "invalid_request_error",
            "code": "file_too_large",
            "message": "The request body is larger than any file that is accepted (15 MB).",
        }
    }
).encode()


def middlewares() -> list[Middleware]:
    """What Serve's proxy puts around its own application."""
    return [Middleware(ProxyGuard)]


class ProxyGuard:
    """Drops headers meant for Serve, bodies that are too large, and Serve's second request id; answers with the error
    envelope where Serve itself has to answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope = {**scope, "headers": [header for header in scope["headers"] if not _is_stripped(header[0])]}
        if _declared_length(scope) > MAX_BODY_BYTES:
            await _answer_too_large(send)
            return
        exchange = _Exchange(receive, send, is_serves_own=scope.get("path", "").startswith("/-/"))
        await self._app(scope, exchange.receive, exchange.send)
        if exchange.is_too_large and not exchange.has_answered:
            await _answer_too_large(send)


class _Exchange:
    """One request and its answer: counts a body that does not declare its length, cleans the answer's headers, and puts
    errors of Serve's into the API's words, unless the path is one of `is_serves_own`, for operators."""

    def __init__(self, receive: Receive, send: Send, *, is_serves_own: bool) -> None:
        self._receive = receive
        self._send = send
        self._is_serves_own = is_serves_own
        self._received = 0
        self._is_replaced = False
        self.has_answered = False

    @property
    def is_too_large(self) -> bool:
        return self._received > MAX_BODY_BYTES

    async def receive(self) -> Message:
        message = await self._receive()
        self._received += len(message.get("body", b""))
        # To Serve it looks as if the client had left, so it lets go of the body.
        return {"type": "http.disconnect"} if self.is_too_large else message

    async def send(self, message: Message) -> None:
        if self._is_replaced or (self.is_too_large and not self.has_answered):
            return
        self.has_answered = True
        if message["type"] == "http.response.start":
            await self._start(message)
        else:
            await self._send(message)

    async def _start(self, message: Message) -> None:
        instead = None if self._is_serves_own else replacement(message)
        self._is_replaced = instead is not None
        for part in instead or [{**message, "headers": _with_one_request_id(message["headers"])}]:
            await self._send(part)


def _with_one_request_id(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Serve appends its own id to the application's; the application's comes first and stays."""
    ids = [header for header in headers if header[0].lower() == REQUEST_ID]
    others = [header for header in headers if header[0].lower() != REQUEST_ID]
    return [*others, *ids[:1]]


def _is_stripped(name: bytes) -> bool:
    return name.lower().replace(b"_", b"-") in STRIPPED


def _declared_length(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            return int(value)
    return 0


async def _answer_too_large(send: Send) -> None:
    headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": TOO_LARGE})
