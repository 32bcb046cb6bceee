"""The address that a request comes from: the peer's, or what trusted proxies say about theirs (TRUSTED_PROXIES)."""

from collections.abc import Sequence
from functools import cache
from ipaddress import ip_address

from starlette.types import ASGIApp, Receive, Scope, Send

from serve_app.net.addresses import Access, parse_networks
from serve_app.services.bundle import Services

FORWARDED_FOR = b"x-forwarded-for"
_FORWARDED_PROTO = b"x-forwarded-proto"
_SCHEMES = {b"http": "http", b"https": "https"}


class ClientAddress:
    """Puts the client's address and scheme into the scope, where the proxy that the request came through is
    trusted."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        services: Services | None = getattr(scope["app"].state, "services", None)
        peer = scope.get("client")
        if services is not None and peer and (trusted := _access(services.settings.trusted_proxies)).allows(peer[0]):
            client = client_of(peer[0], forwarded_for(scope["headers"]), trusted)
            scope = {**scope, "client": (client, 0), "scheme": _scheme(scope)}
        await self._app(scope, receive, send)


def client_of(peer: str, forwarded: Sequence[str], trusted: Access) -> str:
    """The nearest address that is not a trusted proxy's. `forwarded` is what proxies wrote, each at its end. What is
    before an address that nobody vouches for, or that is malformed, may be invented."""
    client = peer
    for text in reversed(forwarded):
        if not trusted.allows(client) or (address := _address(text)) is None:
            break
        client = address
    return client


def forwarded_for(headers: Sequence[tuple[bytes, bytes]]) -> list[str]:
    """The entries of all `X-Forwarded-For` headers, in their order."""
    values = [value.decode("latin-1") for name, value in headers if name.lower() == FORWARDED_FOR]
    return [entry.strip() for entry in ",".join(values).split(",") if entry.strip()]


def _address(text: str) -> str | None:
    """The address of an entry, which some proxies write with its port: `192.0.2.7:4711`, `[2001:db8::7]:4711`."""
    host, _, _ = text[1:].partition("]") if text.startswith("[") else (text, "", "")
    if host.count(":") == 1:
        host, _, _ = host.partition(":")
    try:
        return str(ip_address(host))
    except ValueError:
        return None


def _scheme(scope: Scope) -> str:
    """The scheme that the proxy was asked by, if it says one."""
    said = [value.strip().lower() for name, value in scope["headers"] if name.lower() == _FORWARDED_PROTO]
    return _SCHEMES.get(said[-1], str(scope["scheme"])) if said else str(scope["scheme"])


@cache
def _access(networks: str) -> Access:
    return Access(parse_networks(networks), to_public=False)
