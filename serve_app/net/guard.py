"""The only path for outgoing requests: checks URLs, and opens HTTP sessions that connect only to checked addresses."""

import socket
import ssl
from collections.abc import Collection, Sequence
from typing import Any

from aiohttp import ClientMiddlewareType, ClientSession, ClientTimeout, DummyCookieJar
from aiohttp.abc import AbstractResolver
from yarl import URL

from serve_app.net.addresses import Access, Network
from serve_app.net.connector import MeteredConnector
from serve_app.net.hosts import is_address
from serve_app.net.lookups import Lookup, SharedLookups, look_up
from serve_app.net.outcome import no_public_address, not_https
from serve_app.net.proxy import Proxy, ProxyResolver, Tunnel
from serve_app.net.resolver import CheckedResolver
from serve_app.net.urls import follow, parse

USER_AGENT = "invoice-extraction-service"


class Guard:
    """Allows https to public addresses, and https or http to the networks in `opened`.

    With a `proxy`, everything outside of these networks goes through it. `tls` replaces the system's certificates,
    `lookup` the system's resolver.
    """

    def __init__(
        self,
        opened: Sequence[Network] = (),
        *,
        proxy: Proxy | None = None,
        tls: ssl.SSLContext | None = None,
        lookup: Lookup = look_up,
    ) -> None:
        self._proxy = proxy
        self._opened = tuple(opened)
        self._tls = tls
        self._lookups = SharedLookups(lookup)

    def url(self, text: str, base: URL | None = None) -> URL:
        """The URL in `text`, resolved against `base` if given, checked as far as possible without a name lookup.

        Raises BadUrl if it is malformed, contains credentials or is not https; Unreachable if its host is an IP address
        that is not allowed.
        """
        url = parse(text) if base is None else follow(base, text)
        if url.scheme != "https" and not self._opened:
            raise not_https()
        host = str(url.raw_host)
        if is_address(host) and not self._access(url).allows(host):
            raise no_public_address() if url.scheme == "https" else not_https()
        return url

    async def check(self, text: str) -> URL:
        """Like `url`, but also looks up the host name and checks its addresses. The result holds for now only: names
        change, so a session checks every connection again."""
        url = self.url(text)
        host = str(url.raw_host)
        if not is_address(host):
            await self._resolver(url).addresses(host)
        return url

    def session(self, url: URL, *, keep_alive: bool = False) -> ClientSession:
        """A session for one exchange with `url` (a result of `Guard.url`), or for many with `keep_alive`. It has no
        cookies, caches, decompression or timeouts, and no proxy of the environment; wrap each request in an `Exchange`
        to limit its bytes. Every new connection is checked. Do not follow redirects with it: each needs its own check
        and its own session."""
        resolver, access = self._resolver(url), self._access(url)
        if self._proxy is None:
            return self._session(resolver, _Gate(access), (), keep_alive)
        way_out = ProxyResolver(self._proxy, self._lookups, resolver)
        gate = _Gate(Access(self._opened, to_public=False), way_out.addresses_of_proxy)
        return self._session(way_out, gate, (Tunnel(self._proxy, resolver, access),), keep_alive)

    def _session(
        self,
        resolver: AbstractResolver,
        gate: "_Gate",
        middlewares: Sequence[ClientMiddlewareType],
        keep_alive: bool,
    ) -> ClientSession:
        connector = MeteredConnector(
            resolver=resolver,
            socket_factory=gate,
            use_dns_cache=False,
            force_close=not keep_alive,
            ssl=self._tls or True,
        )
        return ClientSession(
            connector=connector,
            cookie_jar=DummyCookieJar(),
            middlewares=middlewares,
            trust_env=False,
            auto_decompress=False,
            timeout=ClientTimeout(),
            headers={"User-Agent": USER_AGENT, "Accept-Encoding": "identity"},
        )

    def _access(self, url: URL) -> Access:
        return Access(self._opened, to_public=url.scheme == "https")

    def _resolver(self, url: URL) -> CheckedResolver:
        return CheckedResolver(self._access(url), self._lookups)


class _Gate:
    """Creates the sockets, and checks each address again: the last defense if one ever bypasses the other checks. Those
    in `also` are allowed, too."""

    def __init__(self, access: Access, also: Collection[str] = ()) -> None:
        self._access = access
        self._also = also

    def __call__(self, info: tuple[Any, ...]) -> socket.socket:
        family, kind, protocol, _, address = info
        if not (self._access.allows(address[0]) or address[0] in self._also):
            raise PermissionError("address refused")
        return socket.socket(family, kind, protocol)
