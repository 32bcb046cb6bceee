"""Counting is exact, also when many count at once."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from serve_app.domain.account import Account
from serve_app.domain.errors import QuotaReached
from serve_app.domain.ids import new_id
from serve_app.store.base import Store
from tests.support import MONTH, NOON, make_record, queue_invoice


async def accepted(store: Store, account: Account, limit: int | None) -> bool:
    try:
        await queue_invoice(store, make_record(account.id), limit)
    except QuotaReached:
        return False
    return True


async def test_the_quota_is_exact_when_many_submit_at_once(
    store: Store, account: Account, open_again: Callable[[], Store]
) -> None:
    stores = [store, open_again(), open_again()]
    answers = await asyncio.gather(*(accepted(store, account, 10) for store in stores for _ in range(8)))
    assert sum(answers) == 10
    assert await store.quotas.used(account.id, MONTH) == 10


async def test_a_refused_invoice_leaves_nothing(store: Store, account: Account) -> None:
    record = make_record(account.id)
    with pytest.raises(QuotaReached, match="quota of 0"):
        await queue_invoice(store, record, 0)
    assert await store.invoices.get(account.id, record.invoice.id) is None
    assert await store.quotas.used(account.id, MONTH) == 0


async def test_no_limit_means_none_and_months_are_counted_apart(store: Store, account: Account) -> None:
    for _ in range(3):
        assert await accepted(store, account, None)
    assert await store.quotas.used(account.id, MONTH) == 3
    assert await store.quotas.used(account.id, datetime(2026, 6, 1, tzinfo=UTC)) == 0


async def test_requests_are_counted_exactly(store: Store, open_again: Callable[[], Store]) -> None:
    key = new_id()
    stores = [store, open_again()]
    counts = await asyncio.gather(*(store.rate_windows.count(key, NOON) for store in stores for _ in range(10)))
    assert sorted(counts) == list(range(1, 21))


async def test_windows_are_counted_apart(store: Store) -> None:
    key, other = new_id(), new_id()
    later = NOON + timedelta(minutes=1)
    assert [await store.rate_windows.count(key, NOON) for _ in range(2)] == [1, 2]
    assert await store.rate_windows.count(key, later) == 1
    assert await store.rate_windows.count(other, later) == 1


async def test_a_request_of_an_older_window_does_not_bring_it_back(store: Store) -> None:
    key, later = new_id(), NOON + timedelta(minutes=1)
    for _ in range(2):
        await store.rate_windows.count(key, NOON)
    assert await store.rate_windows.count(key, later) == 1
    assert await store.rate_windows.count(key, NOON) in {2, 3}
    assert await store.rate_windows.count(key, later) in {2, 3}
