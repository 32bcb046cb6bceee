"""What protects the pages: response headers, and the refusal of forged requests."""

from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from serve_app.web.error_pages import forged

_SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self';"
        " form-action 'self'; base-uri 'none'; frame-ancestors 'none'; worker-src 'none'; manifest-src 'self'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "X-Robots-Tag": "noindex",
    "Cache-Control": "no-store",
}


class PageHeaders:
    """Adds the protecting headers to every response that does not bring its own."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_with_headers)


class RefuseForgeries:
    """Refuses requests that another site makes a signed-in browser send (CSRF): those that change something must come
    from a page of this service. The check is that of Go's `http.CrossOriginProtection`, and stricter in one point:
    a request with neither `Sec-Fetch-Site` nor `Origin` is refused, because no program has business with the pages."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] not in _SAFE_METHODS and not _is_own(scope):
            await forged()(scope, receive, send)
            return
        await self._app(scope, receive, send)


def _is_own(scope: Scope) -> bool:
    headers = Headers(scope=scope)
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = headers.get("origin", "null")
    services = getattr(scope["app"].state, "services", None)
    public = services.settings.public_url if services is not None else None
    if public:
        return _authority(origin) == _authority(public)
    # Behind a proxy, the service does not know whether browsers use https.
    host = headers.get("host", "")
    return bool(host) and _authority(origin)[1] == host.lower()


def _authority(url: str) -> tuple[str, str]:
    """Scheme, and host with port."""
    parts = urlsplit(url)
    default = {"https": ":443", "http": ":80"}.get(parts.scheme, "")
    return parts.scheme, parts.netloc.lower().removesuffix(default)
