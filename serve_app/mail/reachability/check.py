"""The check: names, addresses, the way back, the greeting."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from ipaddress import ip_address

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.mail_reachability import Finding
from serve_app.mail.reachability.greeting import Greeting, NoAnswer, greet
from serve_app.mail.trust.dns import Dns, DnsUnavailable, SystemDns
from serve_app.system.thread_pools import WAITING

_MOST_SERVERS = 3
_SOON = timedelta(days=14)
_DNS_SECONDS = 20.0
_OWN = ("localhost", "")

Greet = Callable[[str], Awaitable[Greeting]]


class ReachabilityCheck:
    """Looks at `domain` as others see it: which servers it names, and what these say."""

    def __init__(
        self,
        domain: str,
        names: Callable[[], Dns] = lambda: SystemDns(_DNS_SECONDS),
        greet: Greet = greet,
        clock: Clock = utc_now,
    ) -> None:
        self._domain = domain
        self._names = names
        self._greet = greet
        self._clock = clock

    async def __call__(self) -> list[Finding]:
        """What was found, in the order in which a mail would meet it. Takes 40 s at most."""
        if self._domain in _OWN:
            return [
                Finding(
                    "MAIL_DOMAIN", False, "MAIL_DOMAIN is not set, so only programs on this machine can send mail here."
                )
            ]
        names = self._names()
        try:
            servers = await WAITING.run(_servers_of, self._domain, names)
        except DnsUnavailable:
            return [Finding("Name server", False, "The name server does not answer.")]
        if not servers:
            words = f"{self._domain} has neither an MX record nor an address, so it cannot receive mail."
            return [Finding("MX", False, words)]
        found = [Finding("MX", True, f"Mail for {self._domain} goes to {', '.join(servers)}.")]
        looked = await asyncio.gather(*(self._server(server, names) for server in servers[:_MOST_SERVERS]))
        return found + [each for part in looked for each in part]

    async def _server(self, server: str, names: Dns) -> list[Finding]:
        try:
            found = await WAITING.run(_addresses, server, names)
        except DnsUnavailable:
            return [Finding(server, False, "The name server does not know its address.")]
        if not found[0].is_good:
            return found
        return [*found, *await self._greeting(server)]

    async def _greeting(self, server: str) -> list[Finding]:
        try:
            greeting = await self._greet(server)
        except NoAnswer as error:
            words = (
                f"Port 25 does not answer from this machine ({error}). Many networks block outgoing connections to "
                "it; test from another network."
            )
            return [Finding(server, False, words)]
        answers = Finding(server, True, "Port 25 answers.")
        if not greeting.has_starttls:
            return [
                answers,
                Finding(
                    server, False, "The server does not offer encryption (STARTTLS), so mails arrive in plain text."
                ),
            ]
        if greeting.problem:
            words = f"Its certificate is not valid: {greeting.problem}. Some senders refuse such a server."
            return [answers, Finding(server, False, words)]
        return [answers, self._certificate(server, greeting.valid_until)]

    def _certificate(self, server: str, until: datetime | None) -> Finding:
        if until is None:
            return Finding(server, True, "Its certificate is valid.")
        is_good = until - self._clock() > _SOON
        return Finding(server, is_good, f"Its certificate is valid until {until:%Y-%m-%d}.")


def _servers_of(domain: str, names: Dns) -> list[str]:
    """Without an MX record, senders use the domain itself."""
    servers = [host.rstrip(".") for _, host in sorted(names.mx(domain))]
    return servers or ([domain] if _hosts(domain, names) else [])


def _addresses(server: str, names: Dns) -> list[Finding]:
    hosts = _hosts(server, names)
    if not hosts:
        return [Finding(server, False, "It has no address.")]
    return [Finding(server, True, f"It has the address {', '.join(hosts)}."), _reverse(server, hosts[0], names)]


def _reverse(server: str, host: str, names: Dns) -> Finding:
    """Only servers that send mail are asked for a reverse name."""
    back = [name.rstrip(".") for name in names.hosts(ip_address(host).reverse_pointer, "PTR")]
    if server.lower() in map(str.lower, back):
        return Finding(server, True, f"The reverse name of {host} is correct.")
    called = f"is {back[0]}" if back else "is missing"
    return Finding(
        server, None, f"The reverse name of {host} {called}; this matters only if the server also sends mail."
    )


def _hosts(name: str, names: Dns) -> list[str]:
    return [*names.hosts(name, "A"), *names.hosts(name, "AAAA")]
