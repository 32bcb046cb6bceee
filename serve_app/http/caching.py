"""What may be kept of responses."""

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

PRIVATE = "private, no-cache"
"""The browser may keep it, and must ask before each use whether it may still show it."""


class CacheControl:
    """Lets nobody keep a response that does not say otherwise: nearly all hold an account's data, some a link or a
    secret. Those with an ETag may be kept by their caller, and used again after asking."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_header(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("Cache-Control", PRIVATE if "etag" in headers else "no-store")
            await send(message)

        await self._app(scope, receive, send_with_header)
