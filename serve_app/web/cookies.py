"""Cookies: of this host only, over https only, out of reach of scripts."""

import re

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from serve_app.domain.session import SESSION_LIFE
from serve_app.domain.sign_in import KNOWN_BROWSER_LIFE, MAIL_LIFE
from serve_app.settings import Settings

SESSION = "__Host-invoices"
SIGN_IN_REQUEST = "__Host-invoices-asked"
"""The browser's half of a sign-in by mail."""
KNOWN = "__Host-invoices-known"
"""Who signed in in this browser before; signs nobody in."""

_PREFIX = "__Host-"
_OURS = ("invoices", "invoices-asked", "invoices-known", "invoices-oidc", "notice")
_LOOPBACK = re.compile(r"(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])(:\d+)?", re.IGNORECASE)
_SECURE = re.compile(rb";\s*secure\b", re.IGNORECASE)


def set_session(response: Response, secret: str) -> None:
    """Sign the browser in."""
    set_cookie(response, SESSION, secret, int(SESSION_LIFE.total_seconds()))


def set_sign_in_request(response: Response, value: str) -> None:
    """Let the browser use the mail that it asked for."""
    set_cookie(response, SIGN_IN_REQUEST, value, int(MAIL_LIFE.total_seconds()))


def set_known(response: Response, value: str) -> None:
    """Let the browser be known as the person's, also after it is signed out."""
    set_cookie(response, KNOWN, value, int(KNOWN_BROWSER_LIFE.total_seconds()))


def set_cookie(response: Response, name: str, value: str, seconds: int) -> None:
    response.set_cookie(name, value, seconds, path="/", secure=True, httponly=True, samesite="lax")


def drop_cookie(response: Response, name: str) -> None:
    response.delete_cookie(name, path="/", secure=True, httponly=True, samesite="lax")


def is_dropped_by_browsers(request: Request, settings: Settings) -> bool:
    """Whether the browser will silently drop cookies like these, so that nobody can sign in: plain http at another
    address than the machine's own. A browser that finds the connection secure says where a request comes from."""
    if settings.cookies_over_http or "sec-fetch-site" in request.headers:
        return False
    is_https = request.url.scheme == "https" or (settings.public_url or "").startswith("https://")
    return not is_https and not _LOOPBACK.fullmatch(request.headers.get("host", ""))


class CookiesOverHttp:
    """With `cookies_over_http`: gives browsers on a plain connection the same cookies in a form that they keep, without
    the prefix and `Secure`. The rest of the application knows one form only."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not _is_plain(scope):
            await self._app(scope, receive, send)
            return
        scope = {**scope, "headers": [_as_secure(*header) for header in scope["headers"]]}

        async def send_plain(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [_as_plain(*header) for header in message["headers"]]}
            await send(message)

        await self._app(scope, receive, send_plain)


def _is_plain(scope: Scope) -> bool:
    services = getattr(scope["app"].state, "services", None)
    is_wanted = scope["type"] == "http" and services is not None and services.settings.cookies_over_http
    return is_wanted and not any(name == b"sec-fetch-site" for name, _ in scope["headers"])


def _as_secure(name: bytes, value: bytes) -> tuple[bytes, bytes]:
    if name != b"cookie":
        return name, value
    pairs = [pair.strip().partition("=") for pair in value.decode("latin-1").split(";")]
    named = [(_PREFIX + key if key in _OURS else key) + sign + text for key, sign, text in pairs]
    return name, "; ".join(named).encode("latin-1")


def _as_plain(name: bytes, value: bytes) -> tuple[bytes, bytes]:
    if name.lower() != b"set-cookie":
        return name, value
    return name, _SECURE.sub(b"", value.removeprefix(_PREFIX.encode()))
