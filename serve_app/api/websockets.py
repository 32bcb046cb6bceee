"""Refuses WebSockets in the words of the API: a client shows the status and the body of what is no 101."""

from starlette.datastructures import Headers
from starlette.routing import Match, Mount, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from serve_app.api.error_handlers import answer_of
from serve_app.http.errors import NoWebSocket, RouteNotFound


class RefuseWebSockets:
    """Answers a handshake: 404 at an unknown path, else 400. Other protocols that a client offers (`Upgrade: h2c`) are
    ignored, as HTTP says."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not _is_handshake(scope):
            await self._app(scope, receive, send)
            return
        error = NoWebSocket() if _is_known(scope["app"].router, scope) else RouteNotFound()
        await answer_of(error)(scope, receive, send)


def _is_handshake(scope: Scope) -> bool:
    return scope["method"] == "GET" and Headers(scope=scope).get("upgrade", "").lower() == "websocket"


def _is_known(router: Router, scope: Scope) -> bool:
    """Whether the path leads anywhere, also below what is mounted."""
    for route in router.routes:
        match, inner = route.matches(scope)
        if match is not Match.NONE:
            below = getattr(route.app, "router", None) if isinstance(route, Mount) else None
            return below is None or _is_known(below, {**scope, **inner})
    return False
