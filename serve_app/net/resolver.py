"""Name to addresses, all of them checked. What is given here is what is connected to: no name is looked up twice."""

import asyncio
import socket
from collections.abc import Callable
from concurrent.futures import Executor
from ipaddress import ip_address

from aiohttp.abc import AbstractResolver, ResolveResult

from serve_app.net.addresses import Access
from serve_app.net.outcome import no_public_address, not_https

Lookup = Callable[[str], list[str]]
"""The addresses of a name. Blocks; OSError where it has none."""


def look_up(name: str) -> list[str]:
    """The system's answer: /etc/hosts, then DNS."""
    found = socket.getaddrinfo(name, None, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
    return [str(sockaddr[0]) for *_, sockaddr in found]


class CheckedResolver(AbstractResolver):
    """Resolves for aiohttp, and gives checked addresses only.

    Lookups run on `executor`, threads of their own: a server of names that takes its time must not use up those that
    the rest of the service works on.
    """

    def __init__(self, access: Access, lookup: Lookup, executor: Executor) -> None:
        self._access = access
        self._lookup = lookup
        self._executor = executor

    async def addresses(self, name: str) -> list[str]:
        """The addresses of a name, each once. Unreachable, or BadUrl where only https would be let through."""
        try:
            found = await asyncio.get_running_loop().run_in_executor(self._executor, self._lookup, name)
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
