"""The name server, as far as the verdicts ask it."""

import time
from typing import Any, Protocol

import dns.exception
import dns.name
import dns.resolver

_QUESTION_SECONDS = 4.0
_ROOT_SECONDS = 1.0
# For what is no valid name: names in mails are untrusted.
_NO_NAMES = (dns.exception.SyntaxError, dns.exception.FormError, dns.name.NameTooLong, dns.name.IDNAException)


class DnsUnavailable(Exception):
    """No answer now; later there may be one."""


class Dns(Protocol):
    """Looks up records; a name that does not exist has none."""

    def txt(self, name: str) -> list[bytes]:
        """The texts, each joined from its strings. Raises DnsUnavailable."""
        ...

    def hosts(self, name: str, kind: str) -> list[str]:
        """The addresses (`A`, `AAAA`) or names (`PTR`). Raises DnsUnavailable."""
        ...

    def mx(self, name: str) -> list[tuple[int, str]]:
        """Preferences and names. Raises DnsUnavailable."""
        ...


class NoDns:
    """The name server while it is known to be away."""

    def txt(self, name: str) -> list[bytes]:
        raise DnsUnavailable(name)

    def hosts(self, name: str, kind: str) -> list[str]:
        raise DnsUnavailable(name)

    def mx(self, name: str) -> list[tuple[int, str]]:
        raise DnsUnavailable(name)

    def is_away(self) -> bool:
        return True


class SystemDns:
    """Asks the servers in `/etc/resolv.conf`; all questions together get `seconds`, and each name is asked for once.
    After a question without an answer in time none is asked any more: in a closed installation no answer will come."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds
        self._is_silent = False
        self._known: dict[tuple[str, str], list[Any]] = {}

    def txt(self, name: str) -> list[bytes]:
        return [b"".join(record.strings) for record in self._records(name, "TXT")]

    def hosts(self, name: str, kind: str) -> list[str]:
        return [record.to_text().rstrip(".") for record in self._records(name, kind)]

    def mx(self, name: str) -> list[tuple[int, str]]:
        return [(record.preference, record.exchange.to_text()) for record in self._records(name, "MX")]

    def is_away(self) -> bool:
        """Whether the name server itself is away, rather than one of a domain that somebody has named in a mail: then
        it does not know the root either."""
        return self._is_silent and not _knows_the_root()

    def _records(self, name: str, kind: str) -> list[Any]:
        key = name.rstrip(".").lower(), kind
        if key not in self._known:
            self._known[key] = self._ask(*key)
        return self._known[key]

    def _ask(self, name: str, kind: str) -> list[Any]:
        left = min(_QUESTION_SECONDS, self._end - time.monotonic())
        if left <= 0 or self._is_silent:
            raise DnsUnavailable(name)
        try:
            return list(dns.resolver.resolve(name, kind, lifetime=left, search=False))
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer, *_NO_NAMES):
            return []
        except (dns.exception.DNSException, OSError) as error:
            self._is_silent = isinstance(error, dns.exception.Timeout)
            raise DnsUnavailable(name) from error


def _knows_the_root() -> bool:
    """Every name server that works has the names of the root at hand; any answer will do."""
    try:
        dns.resolver.resolve(".", "NS", lifetime=_ROOT_SECONDS, search=False)
    except (dns.exception.Timeout, OSError):
        return False
    except dns.exception.DNSException:
        return True
    return True
