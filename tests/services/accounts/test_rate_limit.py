"""While the store cannot count, a process counts for itself."""

from collections import Counter
from datetime import datetime
from uuid import UUID

from serve_app.domain.account import Account, Caller, Plan, Scope, mint_key
from serve_app.domain.errors import StoreUnreachable
from serve_app.domain.ids import new_id
from serve_app.services.accounts.rate_limit import RateLimit
from tests.support import NOON, Clock

ACCOUNT = Account(new_id(), Plan.FREE, NOON)
CALLER = Caller(ACCOUNT, mint_key(ACCOUNT.id, "till", Scope.FULL, NOON)[0])


class LockedWindows:
    async def count(self, key_id: UUID, window: datetime) -> int:
        raise StoreUnreachable

    async def requests(self, key_id: UUID, window: datetime) -> int:
        raise StoreUnreachable


class FailingWindows:
    """Counts only while it is `up`."""

    def __init__(self) -> None:
        self.up = True
        self.counts = Counter[datetime]()

    async def count(self, key_id: UUID, window: datetime) -> int:
        if not self.up:
            raise StoreUnreachable
        self.counts[window] += 1
        return self.counts[window]

    async def requests(self, key_id: UUID, window: datetime) -> int:
        return self.counts[window]


async def test_reading_goes_on_while_requests_cannot_be_counted() -> None:
    limit = RateLimit(LockedWindows(), 3, Clock())
    found = [await limit.count(CALLER) for _ in range(3)]
    assert [status.exceeded for status in found] == [False] * 3


async def test_no_more_than_the_limit_is_let_through_while_requests_cannot_be_counted() -> None:
    windows, clock = FailingWindows(), Clock()
    limit = RateLimit(windows, 4, clock)
    found = []
    for up in (True, False, False, True, True, False):
        windows.up = up
        found.append(await limit.count(CALLER))
    assert [status.remaining for status in found] == [3, 2, 1, 0, 0, 0]
    assert [status.exceeded for status in found] == [False] * 4 + [True] * 2
    clock.advance(60)
    assert (await limit.count(CALLER)).remaining == 3


async def test_a_status_that_is_looked_up_again_has_what_only_this_process_counted() -> None:
    windows, clock = FailingWindows(), Clock()
    limit = RateLimit(windows, 9, clock)
    windows.up = False
    await limit.count(CALLER)
    windows.up = True
    status = await limit.count(CALLER)
    clock.advance(2)
    assert (await limit.latest(status)).remaining == 7


async def test_a_status_that_cannot_be_looked_up_again_stays() -> None:
    clock = Clock()
    limit = RateLimit(LockedWindows(), 1, clock)
    status = await limit.count(CALLER)
    clock.advance(60)
    assert await limit.latest(status) == status
