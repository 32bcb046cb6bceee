"""HEAD for every GET endpoint: the same response without the body (RFC 9110, 9.3.2). Plain ASGI, for all endpoints."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class Head:
    """Presents HEAD to the endpoints as GET, and omits the response body."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return

        async def send_head(message: Message) -> None:
            if message["type"] == "http.response.start":
                await send(message)
            elif not message.get("more_body", False):
                await send({"type": "http.response.body"})

        # A range is of GET alone.
        headers = [(name, value) for name, value in scope["headers"] if name != b"range"]
        await self._app({**scope, "method": "GET", "headers": headers}, receive, send_head)
