"""Every finished run is told exactly once."""

import asyncio
from collections.abc import Callable

from serve_app.domain.account import Account
from serve_app.domain.event import EventType
from serve_app.domain.invoice import Extraction, Failure, FailureCode
from serve_app.store.base import Store
from tests.support import LEASE, MONTH, NOON, make_record


async def finish_one(store: Store, account: Account) -> None:
    await store.invoices.add(make_record(account.id), MONTH, None)
    claim = await store.invoices.claim_due_invoice(NOON, NOON + LEASE)
    assert claim is not None
    await store.invoices.save_result(claim, Extraction(vendor_name="ACME"), NOON)


async def test_a_result_is_told_with_the_invoice_as_it_stood(store: Store, account: Account) -> None:
    await finish_one(store, account)
    assert await store.events.spread_pending(10) == 1
    (event,) = await store.events.newest(account.id, 10)
    assert (event.type, event.created_at) == (EventType.COMPLETED, NOON)
    assert event.id.startswith("evt_")
    assert event.data.invoice == await store.invoices.get(account.id, event.data.invoice.id)


async def test_a_failure_is_told(store: Store, account: Account) -> None:
    await store.invoices.add(make_record(account.id), MONTH, None)
    claim = await store.invoices.claim_due_invoice(NOON, NOON + LEASE)
    assert claim is not None
    await store.invoices.fail(claim, Failure(code=FailureCode.NO_TEXT_FOUND, message="-"), NOON)
    await store.events.spread_pending(10)
    (event,) = await store.events.newest(account.id, 10)
    assert event.type is EventType.FAILED


async def test_a_run_that_finishes_twice_is_told_once(store: Store, account: Account) -> None:
    await store.invoices.add(make_record(account.id), MONTH, None)
    claim = await store.invoices.claim_due_invoice(NOON, NOON + LEASE)
    assert claim is not None
    saved = await asyncio.gather(*(store.invoices.save_result(claim, Extraction(), NOON) for _ in range(5)))
    assert sum(invoice is not None for invoice in saved) == 1
    await store.events.spread_pending(10)
    assert len(await store.events.newest(account.id, 10)) == 1


async def test_spreading_by_many_at_once_logs_each_event_once(
    store: Store, account: Account, open_again: Callable[[], Store]
) -> None:
    for _ in range(6):
        await finish_one(store, account)
    stores = [store, open_again(), open_again()]
    moved = await asyncio.gather(*(one.events.spread_pending(2) for one in stores for _ in range(3)))
    assert sum(moved) == 6
    assert len(await store.events.newest(account.id, 100)) == 6


async def test_the_log_is_newest_first_and_limited(store: Store, account: Account) -> None:
    for _ in range(3):
        await finish_one(store, account)
    await store.events.spread_pending(10)
    ids = [event.id for event in await store.events.newest(account.id, 10)]
    assert ids == sorted(ids, reverse=True)
    assert [event.id for event in await store.events.newest(account.id, 2)] == ids[:2]
