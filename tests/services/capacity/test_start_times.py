"""When a queued document will be started, and when no more are accepted."""

from dataclasses import replace
from datetime import timedelta
from math import isnan, nan
from uuid import UUID

import pytest

from serve_app.domain.account import Account, Plan
from serve_app.domain.errors import QueueTooLong
from serve_app.domain.ids import new_id
from serve_app.domain.load import Load, PageKind
from serve_app.domain.pace import Pace, Stage
from serve_app.domain.record import InvoiceRecord
from serve_app.services.capacity.start_times import StartTimes
from serve_app.store.base import Store
from tests.support import NOON, Clock, claim_next, make_record, queue_invoice

COSTS = {(Stage.READ, PageKind.SCAN): 2.0}
LONGEST = timedelta(seconds=30)


async def queue(store: Store, account_id: UUID, scans: int) -> list[InvoiceRecord]:
    records = [replace(make_record(account_id), load=Load(PageKind.SCAN, 1)) for _ in range(scans)]
    for record in records:
        await queue_invoice(store, record)
    return records


async def add_account(store: Store) -> Account:
    account = Account(new_id(), Plan.FREE, NOON)
    await store.accounts.add(account)
    return account


def start_times(store: Store, clock: Clock, max_wait: timedelta | None = None) -> StartTimes:
    return StartTimes(store.queue, store.paces, max_wait, clock, monotonic=lambda: clock.now.timestamp())


async def wait_of(times: StartTimes, account: Account, record: InvoiceRecord, clock: Clock) -> float:
    estimated = await times.with_start_estimate(account.id, record.invoice)
    start = estimated.estimated_start_at
    return nan if start is None else (start - clock.now).total_seconds()


async def test_nothing_is_estimated_before_the_speed_is_known(store: Store, account: Account, clock: Clock) -> None:
    (record,) = await queue(store, account.id, 1)
    times = start_times(store, clock)
    assert isnan(await wait_of(times, account, record, clock))
    await store.paces.note(Pace("a", NOON, COSTS))
    clock.advance(3)
    assert isnan(await wait_of(times, account, record, clock))


async def test_a_document_waits_for_those_before_it(store: Store, account: Account, clock: Clock) -> None:
    records = await queue(store, account.id, 40)
    # Two dispatchers, one of which has not measured yet.
    await store.paces.note(Pace("a", NOON, COSTS, speed=2.0))
    await store.paces.note(Pace("b", NOON, COSTS))
    times = start_times(store, clock)
    first, last = [await wait_of(times, account, records[at], clock) for at in (0, -1)]
    # 39 documents of 2 s at 4 s of work a second, rounded up to five seconds.
    assert 0 <= first < 5
    assert 39 * 2 / 4 <= last < 39 * 2 / 4 + 5


async def test_accounts_take_turns(store: Store, account: Account, clock: Clock) -> None:
    await queue(store, account.id, 100)
    other = await add_account(store)
    (only,) = await queue(store, other.id, 1)
    await store.paces.note(Pace("a", NOON, COSTS, speed=1.0))
    wait = await wait_of(start_times(store, clock), other, only, clock)
    assert 0 <= wait < 5


async def test_a_started_document_has_no_estimate(store: Store, account: Account, clock: Clock) -> None:
    await queue(store, account.id, 1)
    await store.paces.note(Pace("a", NOON, COSTS, speed=1.0))
    claim = await claim_next(store)
    found = await store.invoices.get(account.id, claim.invoice.id)
    assert found is not None
    assert (await start_times(store, clock).with_start_estimate(account.id, found)).estimated_start_at is None


async def test_an_account_whose_documents_would_wait_too_long_learns_when_to_come_again(
    store: Store, account: Account, clock: Clock
) -> None:
    await store.paces.note(Pace("a", NOON, COSTS, speed=1.0))
    await queue(store, account.id, 15)
    times = start_times(store, clock, LONGEST)
    await times.check(account.id)
    await queue(store, account.id, 5)
    clock.advance(3)
    with pytest.raises(QueueTooLong) as refused:
        await times.check(account.id)
    # 40 s of work wait; in 10 s it will be 30.
    assert refused.value.retry_seconds == 10
    await times.check((await add_account(store)).id)


async def test_while_nothing_moves_age_decides(store: Store, account: Account, clock: Clock) -> None:
    await queue(store, account.id, 1)
    times = start_times(store, clock, LONGEST)
    clock.advance(30)
    await times.check(account.id)
    clock.advance(3)
    with pytest.raises(QueueTooLong):
        await times.check(account.id)
    await times.check((await add_account(store)).id)


async def test_by_default_everything_is_accepted(store: Store, account: Account, clock: Clock) -> None:
    await queue(store, account.id, 1)
    clock.advance(3600)
    await start_times(store, clock).check(account.id)
