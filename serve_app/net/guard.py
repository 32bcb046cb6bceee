"""The one way out: judges URLs, and opens HTTP sessions that can connect to nothing but what was judged."""

import socket
import ssl
from collections.abc import Sequence
from typing import Any

from aiohttp import ClientSession, ClientTimeout, DummyCookieJar
from yarl import URL

from serve_app.net.addresses import Access, Network
from serve_app.net.connector import MeteredConnector
from serve_app.net.hosts import is_address
from serve_app.net.lookups import Lookup, SharedLookups, look_up
from serve_app.net.outcome import no_public_address, not_https
from serve_app.net.resolver import CheckedResolver
from serve_app.net.urls import follow, parse

USER_AGENT = "invoice-extraction-service"


class Guard:
    """Lets through https to public addresses, and https or http to the networks in `opened`.

    `tls` replaces the system's certificates, `lookup` the system's resolver.
    """

    def __init__(
        self, opened: Sequence[Network] = (), *, tls: ssl.SSLContext | None = None, lookup: Lookup = look_up
    ) -> None:
        self._opened = tuple(opened)
        self._tls = tls
        self._lookups = SharedLookups(lookup)

    def url(self, text: str, base: URL | None = None) -> URL:
        """The URL that `text` means, or that it leads to from `base`, as far as it can be judged by itself.

        BadUrl where it is malformed, holds credentials or is not https; Unreachable where its host is an address that
        may not be connected to.
        """
        url = parse(text) if base is None else follow(base, text)
        if url.scheme != "https" and not self._opened:
            raise not_https()
        host = str(url.raw_host)
        if is_address(host) and not self._access(url).allows(host):
            raise no_public_address() if url.scheme == "https" else not_https()
        return url

    async def check(self, text: str) -> URL:
        """As `url`, and the name of its host is looked up and judged as well. Says nothing about later: names change,
        so every connection of a session is judged anew."""
        url = self.url(text)
        host = str(url.raw_host)
        if not is_address(host):
            await self._resolver(url).addresses(host)
        return url

    def session(self, url: URL, *, keep_alive: bool = False) -> ClientSession:
        """A session for one exchange with `url`, of `Guard.url`, or with `keep_alive` for many with the same; without
        cookies, proxies, caches, decompression and limits of time; those of bytes come with an `Exchange` around each
        request. Every new connection is judged. Follow no redirects with it: each wants a judgement and a session of
        its own."""
        connector = MeteredConnector(
            resolver=self._resolver(url),
            socket_factory=_Gate(self._access(url)),
            use_dns_cache=False,
            force_close=not keep_alive,
            ssl=self._tls or True,
        )
        return ClientSession(
            connector=connector,
            cookie_jar=DummyCookieJar(),
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
    """Makes the sockets, and looks at each address once more: the last line, should one ever come past the others."""

    def __init__(self, access: Access) -> None:
        self._access = access

    def __call__(self, info: tuple[Any, ...]) -> socket.socket:
        family, kind, protocol, _, address = info
        if not self._access.allows(address[0]):
            raise PermissionError("address refused")
        return socket.socket(family, kind, protocol)
