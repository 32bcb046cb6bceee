"""Limits how many endpoints are served at a time, so that slow ones delay no others."""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID


class Served(Protocol):
    """An endpoint that is being served."""

    @property
    def account_id(self) -> UUID: ...

    @property
    def is_slow(self) -> bool:
        """Whether the endpoint was slow to answer when its lane was claimed, or has been since."""
        ...


@dataclass(frozen=True, slots=True)
class Share:
    """How many endpoints may be served at a time, in total and per account."""

    in_all: int
    of_account: int


@dataclass(frozen=True, slots=True)
class Capacity:
    """Whether another endpoint may be served, and the accounts that have reached their limit."""

    is_free: bool
    full_accounts: Collection[UUID]


@dataclass(frozen=True, slots=True)
class Shares:
    """Two shares: slow endpoints have one of their own, and leave the other as soon as they turn slow.

    Slow endpoints may therefore exceed their share. `most` limits both kinds together, in total and per account:
    hundreds of dead endpoints of a few accounts, not yet known to be dead, leave capacity for the rest.
    """

    prompt: Share = Share(128, 32)
    slow: Share = Share(32, 8)
    most: Share = Share(512, 64)

    def room(self, served: Iterable[Served], *, slow: bool) -> Capacity:
        """The capacity for another endpoint of this kind. Endpoints known to be slow leave the whole share of the
        prompt ones free."""
        every = list(served)
        share = self.slow if slow else self.prompt
        most = self.most.in_all - (self.prompt.in_all if slow else 0)
        alike = Counter(endpoint.account_id for endpoint in every if endpoint.is_slow == slow)
        is_free = alike.total() < share.in_all and len(every) < most
        all_kinds = Counter(endpoint.account_id for endpoint in every)
        return Capacity(is_free, _at_least(share.of_account, alike) | _at_least(self.most.of_account, all_kinds))


def _at_least(count: int, of_account: Counter[UUID]) -> set[UUID]:
    return {account_id for account_id, has in of_account.items() if has >= count}
