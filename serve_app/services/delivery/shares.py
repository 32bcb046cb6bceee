"""How many endpoints are served at a time, so that slow ones delay nobody else."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID


class Served(Protocol):
    """An endpoint that is being served."""

    @property
    def account_id(self) -> UUID: ...

    @property
    def is_slow(self) -> bool:
        """Whether it was slow to answer when it was taken up, or has been since."""
        ...


@dataclass(frozen=True, slots=True)
class Share:
    """How many endpoints may be served at a time, in all and of one account."""

    in_all: int
    of_account: int


@dataclass(frozen=True, slots=True)
class Shares:
    """Two shares: endpoints that are slow have one of their own, and leave the other as soon as they turn slow."""

    prompt: Share = Share(128, 32)
    slow: Share = Share(32, 8)
    # Endpoints that turn slow while they are served may be more than the share of the slow: not more than these.
    most: int = 512

    def room(self, served: Iterable[Served], *, slow: bool) -> tuple[bool, list[UUID]]:
        """Whether another endpoint of this kind may be taken up, and the accounts that have no room for one."""
        every = list(served)
        share = self.slow if slow else self.prompt
        of_account = Counter(one.account_id for one in every if one.is_slow == slow)
        is_free = of_account.total() < share.in_all and len(every) < self.most
        return is_free, [account_id for account_id, count in of_account.items() if count >= share.of_account]
