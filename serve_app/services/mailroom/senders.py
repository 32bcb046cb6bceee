"""Senders on the lists of an address."""

import re
from collections.abc import Iterable
from functools import cache

from publicsuffixlist import PublicSuffixList

from serve_app.domain.email_address import is_email_address
from serve_app.domain.errors import InvalidParameter

_DOMAIN = re.compile(
    r"(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])", re.IGNORECASE
)


def senders_in(text: str) -> tuple[str, ...]:
    """The addresses and domains that a person has entered, one a line or with commas between. Raises
    InvalidParameter."""
    found = [
        line.strip().removeprefix("*").removeprefix("@").lower() for line in re.split(r"[\n,;]", text) if line.strip()
    ]
    for sender in found:
        if not (is_email_address(sender) if "@" in sender else _DOMAIN.fullmatch(sender)):
            raise InvalidParameter(f"“{sender[:80]}” is neither an e-mail address nor a domain such as example.com.")
    return tuple(dict.fromkeys(found))


def check_senders(senders: Iterable[str]) -> None:
    """Raises InvalidParameter for a domain below which everybody can have one (`co.uk`): it would let all of these in.
    Blocks for a fraction of a second the first time."""
    for sender in senders:
        if "@" not in sender and _suffixes().is_public(sender):
            raise InvalidParameter(f"“{sender}” is a public suffix, not the domain of one sender.")


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()
