"""Name to addresses, all of them checked. What is given here is what is connected to: no name is looked up twice."""

import socket
from ipaddress import ip_address

from aiohttp.abc import AbstractResolver, ResolveResult

from serve_app.net.addresses import Access
from serve_app.net.lookups import SharedLookups
from serve_app.net.outcome import no_public_address, not_https


class CheckedResolver(AbstractResolver):
    """Resolves for aiohttp, and gives checked addresses only. A lookup may be shared; each who asked judges its answer
    by their own `access`."""

    def __init__(self, access: Access, lookups: SharedLookups) -> None:
        self._access = access
        self._lookups = lookups

    async def addresses(self, name: str) -> list[str]:
        """The addresses of a name, each once. Unreachable, or BadUrl where only https would be let through."""
        try:
            found = await self._lookups(name)
        except (OSError, UnicodeError):
            raise no_public_address() from None
        # One address that is refused refuses the name: public names have no private addresses, so the answer is an
        # attack or a name of the inside, and a race between its addresses should not decide which.
        if not found or not all(map(self._access.allows, found)):
            raise no_public_address() if self._access.to_public else not_https()
        return list(dict.fromkeys(found))

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """For aiohttp's connector. BadUrl and Unreachable as in `addresses`."""
        return [_result(host, address, port) for address in await self.addresses(host)]

    async def close(self) -> None:
        """Nothing is held."""


def _result(name: str, address: str, port: int) -> ResolveResult:
    family = socket.AF_INET if ip_address(address).version == 4 else socket.AF_INET6
    flags = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV
    return ResolveResult(hostname=name, host=address, port=port, family=family, proto=0, flags=flags)
