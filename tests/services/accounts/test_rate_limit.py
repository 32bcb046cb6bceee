"""What cannot be counted is let through."""

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


async def test_reading_goes_on_while_requests_cannot_be_counted() -> None:
    limit = RateLimit(LockedWindows(), 1, Clock())
    found = [await limit.count(CALLER) for _ in range(3)]
    assert [status.exceeded for status in found] == [False] * 3


async def test_a_status_that_cannot_be_looked_up_again_stays() -> None:
    clock = Clock()
    limit = RateLimit(LockedWindows(), 1, clock)
    status = await limit.count(CALLER)
    clock.advance(60)
    assert await limit.latest(status) == status
