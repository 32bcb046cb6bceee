"""Resolves names to checked addresses. Connections use exactly these addresses: no name is looked up a second time."""

import socket
from ipaddress import ip_address

from aiohttp.abc import AbstractResolver, ResolveResult

from serve_app.net.addresses import Access
from serve_app.net.lookups import SharedLookups
from serve_app.net.outcome import no_public_address, not_https


class CheckedResolver(AbstractResolver):
    """aiohttp's resolver; returns checked addresses only. Resolvers may share a lookup, but each checks the result
    against its own `access`."""

    def __init__(self, access: Access, lookups: SharedLookups) -> None:
        self._access = access
        self._lookups = lookups

    async def addresses(self, name: str) -> list[str]:
        """The addresses of a name, without duplicates. Raises Unreachable, or BadUrl if only https would be allowed."""
        try:
            found = await self._lookups(name)
        except (OSError, UnicodeError):
            raise no_public_address() from None
        # One refused address refuses the name. Public names have no private addresses, so the answer is an attack or
        # an internal name; the outcome must not depend on a race between the addresses.
        if not found or not all(map(self._access.allows, found)):
            raise no_public_address() if self._access.to_public else not_https()
        return list(dict.fromkeys(found))

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Called by aiohttp's connector. Raises BadUrl and Unreachable as `addresses` does."""
        return [result_of(host, address, port) for address in await self.addresses(host)]

    async def close(self) -> None:
        """Does nothing: there are no resources to release."""


def result_of(name: str, address: str, port: int) -> ResolveResult:
    """An address as aiohttp wants it."""
    family = socket.AF_INET if ip_address(address).version == 4 else socket.AF_INET6
    flags = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV
    return ResolveResult(hostname=name, host=address, port=port, family=family, proto=0, flags=flags)
