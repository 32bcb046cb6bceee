"""The way out through a forward proxy, so that all requests come from one address (ADR 0065)."""

import socket
from collections.abc import Mapping
from dataclasses import dataclass, field

from aiohttp import ClientHandlerType, ClientRequest, ClientResponse, encode_basic_auth
from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from serve_app.net.addresses import Access
from serve_app.net.hosts import is_address
from serve_app.net.lookups import SharedLookups
from serve_app.net.resolver import CheckedResolver, result_of

_RULE = "it must look like http://host:3128 or http://user:password@host:3128, without a path"


@dataclass(frozen=True, slots=True)
class Proxy:
    """A forward proxy of the operator, which is asked for tunnels (CONNECT). `url` has no credentials, `headers` have
    them."""

    url: URL
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)


def parse_proxy(text: str) -> Proxy:
    """Parse the setting. Raises ValueError if it is malformed; the message contains nothing of it."""
    try:
        url = URL(text)
        port = url.explicit_port
    except ValueError:
        raise ValueError(_RULE) from None
    if url.scheme != "http" or not url.raw_host or not port or url.path not in ("", "/") or url.raw_query_string:
        raise ValueError(_RULE)
    login = {"Proxy-Authorization": encode_basic_auth(url.user, url.password or "")} if url.user else {}
    return Proxy(URL.build(scheme="http", host=url.raw_host, port=port), login)


class Tunnel:
    """A client middleware of aiohttp. It has the proxy connect to an address that was checked here, never to a name, so
    that the proxy looks up nothing. TLS is spoken with the server itself, through the tunnel. Addresses in networks
    that the operator has opened are connected to directly."""

    def __init__(self, proxy: Proxy, resolver: CheckedResolver, access: Access) -> None:
        self._proxy = proxy
        self._resolver = resolver
        self._access = access

    async def __call__(self, request: ClientRequest, handler: ClientHandlerType) -> ClientResponse:
        """Called by aiohttp for every request. Raises BadUrl and Unreachable as the resolver does."""
        name = str(request.url.raw_host)
        addresses = [name] if is_address(name) else await self._resolver.addresses(name)
        outside = [address for address in addresses if not self._access.is_opened(address)]
        if outside:
            request.url = request.url.with_host(_preferred(outside))
            request.server_hostname = name
            request.update_proxy(self._proxy.url, None, self._proxy.headers)
        return await handler(request)


class ProxyResolver(AbstractResolver):
    """aiohttp's resolver beside a tunnel: finds the proxy, which may be anywhere, and checks every other name.
    `addresses_of_proxy` are those found so far."""

    def __init__(self, proxy: Proxy, lookups: SharedLookups, checked: CheckedResolver) -> None:
        host = str(proxy.url.raw_host)
        self.addresses_of_proxy = {host} if is_address(host) else set()
        self._host = host
        self._lookups = lookups
        self._checked = checked

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Called by aiohttp's connector. Raises OSError if there is no such proxy."""
        if host != self._host:
            return await self._checked.resolve(host, port, family)
        found = await self._lookups(host)
        self.addresses_of_proxy.update(found)
        return [result_of(host, address, port) for address in found]

    async def close(self) -> None:
        """Does nothing: there are no resources to release."""


def _preferred(addresses: list[str]) -> str:
    """IPv4, if there is one, because many proxies have no IPv6. Only one address can be tried."""
    return next((address for address in addresses if ":" not in address), addresses[0])
