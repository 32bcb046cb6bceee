"""HEAD, which every GET endpoint answers as GET without the body (RFC 9110, 9.3.2). As plain ASGI, for all of them."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class Head:
    """Lets the endpoints see GET, and keeps the body back."""

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

        await self._app({**scope, "method": "GET"}, receive, send_head)
