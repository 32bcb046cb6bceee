"""A guard in front of Serve's HTTP handling, which acts on client headers before the application sees them.

Serve's proxy loads it when RAY_SERVE_HTTP_PROXY_CALLBACK_IMPORT_PATH is `actors.proxy:middlewares`.
"""

import asyncio
import logging
import os
import sys

from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http import auto

from actors.http_protocol import AnyVerbProtocol
from actors.peers import Peers
from actors.serve_answers import answer_of, replacement
from actors.serve_logs import log_in_serve
from serve_app.domain.errors import ServiceError
from serve_app.http.body_limit import announced_length
from serve_app.http.client_address import FORWARDED_FOR, forwarded_for
from serve_app.http.errors import InternalError, RouteNotFound
from serve_app.http.request_ids import HEADER, is_safe, request_id_of
from serve_app.keys.ray_environment import is_behind_haproxy
from serve_app.settings.edge import EdgeSettings

# Headers with which a client could change how Serve treats its request: time limit, cancellation, choice of replica.
STRIPPED = frozenset(
    {
        b"x-request-timeout-seconds",
        b"x-request-disconnect-disabled",
        b"serve-multiplexed-model-id",
        b"x-session-id",
    }
)
# A download of any size takes longer than Serve gives to other requests (`request_timeout_s`), but ends, too.
_DOWNLOADS = frozenset({"/app/export/file"})
_DOWNLOAD_LIMIT = (b"x-request-timeout-seconds", b"3600")
# The proxy holds a whole body in memory. This limit only protects the proxy. The API's own limits are lower (the
# largest file in base64 is 20 MiB): it refuses a body that was cut here, after it has looked at the key.
MAX_BODY_BYTES = 24 * 2**20

_HEALTH = "/-/healthz"

log = logging.getLogger(f"serve_app.{__name__}")


def middlewares() -> list[Middleware]:
    """The middlewares in which Serve's proxy wraps its own application."""
    settings = EdgeSettings()
    log_in_serve(settings)
    # HAProxy brings the connections of everybody.
    limit = sys.maxsize if os.environ.get("RAY_SERVE_ENABLE_HA_PROXY") == "1" else settings.connections_per_peer
    AnyVerbProtocol.peers = Peers(limit, settings.proxies)
    # Serve leaves the choice to uvicorn, which looks here when the proxy starts to listen.
    auto.AutoHTTPProtocol = AnyVerbProtocol
    return [Middleware(ProxyGuard, behind_haproxy=is_behind_haproxy())]


class ProxyGuard:
    """Drops headers meant for Serve, what is too much of a body, and Serve's second request id. Replaces Serve's own
    error responses with the error envelope, and responds with it if Serve fails."""

    def __init__(self, app: ASGIApp, *, behind_haproxy: bool = False) -> None:
        """`behind_haproxy`: every request comes from HAProxy, which says in `X-Forwarded-For` from whom it has it."""
        self._app = app
        self._is_behind_haproxy = behind_haproxy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = [header for header in scope["headers"] if not _is_dropped(*header)]
        if scope["path"] in _DOWNLOADS:
            headers.append(_DOWNLOAD_LIMIT)
        scope = {**scope, "headers": headers}
        if self._is_behind_haproxy:
            scope = _as_haproxy_received(scope)
        exchange = _Exchange(scope, receive, send)
        if not _is_public(scope["path"]):
            await exchange.refuse(RouteNotFound())
            return
        try:
            await self._app(scope, exchange.receive, exchange.send)
        except Exception:
            if exchange.has_answered:
                raise
            log.exception("the proxy failed", extra={"request_id": exchange.request_id})
            await exchange.refuse(InternalError())


class _Exchange:
    """One request and its response: cuts a body that is too large, cleans the response headers, and replaces Serve's
    errors with the API's, unless the path is for operators."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._receive = receive
        self._send = send
        self._is_serves_own = scope["path"] == _HEALTH
        self._received = 0
        # Nothing is read of a body that is declared too large.
        self._is_cut = announced_length(scope) > MAX_BODY_BYTES
        self._has_ended = False
        self._answered = asyncio.Event()
        self._is_replaced = False
        self.request_id = request_id_of(scope["headers"])
        self.has_answered = False

    async def receive(self) -> Message:
        if self._is_cut:
            return await self._end()
        message = await self._receive()
        self._received += len(message.get("body", b""))
        self._is_cut = self._received > MAX_BODY_BYTES
        return message

    async def _end(self) -> Message:
        """The end of a body that was cut; nothing more is read from the client. Serve asks once more, to learn whether
        the client has left, and goes by the end of the answer."""
        if not self._has_ended:
            self._has_ended = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self._answered.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        if not message.get("more_body", False) and message["type"] == "http.response.body":
            self._answered.set()
        if self._is_replaced:
            return
        self.has_answered = True
        if message["type"] == "http.response.start":
            await self._start(message)
        else:
            await self._send(message)

    async def refuse(self, error: ServiceError) -> None:
        """Respond in place of Serve, without reading the rest of the request."""
        self.has_answered = True
        for part in answer_of(error, self.request_id.encode(), closes=True):
            await self._send(part)

    async def _start(self, message: Message) -> None:
        instead = None if self._is_serves_own else replacement(message)
        self._is_replaced = instead is not None
        start, *rest = instead or [{**message, "headers": _with_one_request_id(message["headers"])}]
        if self._is_cut:
            # The rest of the request is still on its way, and must not be taken for the next one.
            start = {**start, "headers": [*start["headers"], (b"connection", b"close")]}
        for part in (start, *rest):
            await self._send(part)


def _as_haproxy_received(scope: Scope) -> Scope:
    """The request with HAProxy's peer as its client: the last address in `X-Forwarded-For`, which HAProxy adds."""
    forwarded = forwarded_for(scope["headers"])
    if not forwarded:
        return scope
    *others, peer = forwarded
    headers = [header for header in scope["headers"] if header[0].lower() != FORWARDED_FOR]
    earlier = [(FORWARDED_FOR, ", ".join(others).encode("latin-1"))] if others else []
    return {**scope, "client": (peer, 0), "headers": [*headers, *earlier]}


def _is_public(path: str) -> bool:
    """Not what Serve tells about itself, except for load balancers; nor what is no path, as in `OPTIONS *`: Serve
    treats it as a path that it does not know yet."""
    return path == _HEALTH or (path.startswith("/") and not path.startswith("/-/"))


def _with_one_request_id(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Serve appends its own id after the application's; keep only the first, the application's."""
    ids = [header for header in headers if header[0].lower() == HEADER]
    others = [header for header in headers if header[0].lower() != HEADER]
    return [*others, *ids[:1]]


def _is_dropped(name: bytes, value: bytes) -> bool:
    """Whether to drop the header. Unsafe request ids are dropped, too: Serve fails on ids that are not text."""
    plain = name.lower().replace(b"_", b"-")
    return plain in STRIPPED or (plain == HEADER and not is_safe(value))
