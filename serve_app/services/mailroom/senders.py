"""Senders on the lists of an address."""

from collections.abc import Iterable
from functools import cache

from publicsuffixlist import PublicSuffixList

from serve_app.domain.errors import InvalidParameter


def check_senders(senders: Iterable[str]) -> None:
    """Raises InvalidParameter for a domain below which everybody can have one (`co.uk`): it would let all of these in.
    Blocks for a fraction of a second the first time."""
    for sender in senders:
        if "@" not in sender and _suffixes().is_public(sender):
            raise InvalidParameter(f"“{sender}” is not a domain of one sender: everybody can have one below it.")


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()
