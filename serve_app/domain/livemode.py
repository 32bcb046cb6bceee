"""Test mode: an account has a sandbox (ADR 0160).

The sandbox is an account of its own, so that whatever belongs to an account, from lists to vendors, events and memory,
keeps live and test data apart. Its id says what it is: it is the account's, with version 8 of RFC 9562 ("custom") in
the place of version 7.
"""

from uuid import UUID

_VERSION = 0xF << 76
_TEST = 8 << 76


def is_live(account_id: UUID) -> bool:
    """Whether the account's data is real."""
    return account_id.int & _VERSION != _TEST


def sandbox_id(account_id: UUID) -> UUID:
    """The id of the account's sandbox; a sandbox's own."""
    return UUID(int=account_id.int & ~_VERSION | _TEST)
