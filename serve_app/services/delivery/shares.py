"""Limits how many endpoints are served at a time, so that slow ones delay no others."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from serve_app.domain.webhook import LaneRoom


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
class Shares:
    """Two shares: slow endpoints have one of their own, and leave the other as soon as they turn slow.

    Slow endpoints may therefore exceed their share. `most` limits both kinds together, in total and per account:
    hundreds of dead endpoints of a few accounts, not yet known to be dead, leave capacity for the rest.
    """

    prompt: Share = Share(128, 32)
    slow: Share = Share(32, 8)
    most: Share = Share(512, 64)

    def room(self, served: Iterable[Served], *, slow: bool) -> LaneRoom:
        """The room for further endpoints of this kind. Endpoints known to be slow leave the whole share of the
        prompt ones free."""
        every = list(served)
        share = self.slow if slow else self.prompt
        most = self.most.in_all - (self.prompt.in_all if slow else 0)
        alike = Counter(endpoint.account_id for endpoint in every if endpoint.is_slow == slow)
        all_kinds = Counter(endpoint.account_id for endpoint in every)
        left = {
            account_id: min(share.of_account - alike[account_id], self.most.of_account - count)
            for account_id, count in all_kinds.items()
        }
        in_all = min(share.in_all - alike.total(), most - len(every))
        return LaneRoom(max(0, in_all), min(share.of_account, self.most.of_account), left)
