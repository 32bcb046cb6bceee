"""Every finished run is told exactly once."""

import asyncio
from collections.abc import Callable

from serve_app.domain.account import Account
from serve_app.domain.event import EventType, Spread
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Extraction, Failure, FailureCode
from serve_app.domain.query import EventQuery
from serve_app.store.base import Store
from tests.support import LEASE, NOON, claim_next, newest_events, queue_new


async def finish_one(store: Store, account: Account) -> None:
    await queue_new(store, account.id)
    claim = await claim_next(store)
    await store.queue.save_result(claim, Extraction(vendor_name="ACME"), NOON)


async def test_a_result_is_reported_with_the_invoice_as_it_stood(store: Store, account: Account) -> None:
    await finish_one(store, account)
    assert await store.outbox.spread_pending(10) == Spread(invoices=1, deliveries=0)
    (event,) = await newest_events(store, account.id)
    assert (event.type, event.created_at) == (EventType.COMPLETED, NOON)
    assert event.id.startswith("evt_")
    assert event.data.invoice == await store.invoices.get(account.id, event.data.invoice.id)


async def test_a_failure_is_reported(store: Store, account: Account) -> None:
    await queue_new(store, account.id)
    claim = await claim_next(store)
    await store.queue.fail(claim, Failure(code=FailureCode.NO_TEXT_FOUND, message="-"), NOON)
    (event,) = await newest_events(store, account.id)
    assert event.type is EventType.FAILED


async def test_a_run_that_finishes_twice_is_reported_once(store: Store, account: Account) -> None:
    await queue_new(store, account.id)
    claim = await claim_next(store)
    saved = await asyncio.gather(*(store.queue.save_result(claim, Extraction(), NOON) for _ in range(5)))
    assert sum(invoice is not None for invoice in saved) == 1
    assert len(await newest_events(store, account.id)) == 1


async def test_spreading_by_many_at_once_logs_each_event_once(
    store: Store, account: Account, open_again: Callable[[], Store]
) -> None:
    for _ in range(6):
        await finish_one(store, account)
    stores = [store, open_again(), open_again()]
    moved = await asyncio.gather(*(store.outbox.spread_pending(2) for store in stores for _ in range(3)))
    assert sum(spread.invoices for spread in moved) == 6
    assert len(await newest_events(store, account.id)) == 6


async def test_the_log_is_newest_first_and_limited(store: Store, account: Account) -> None:
    for _ in range(3):
        await finish_one(store, account)
    ids = [event.id for event in await newest_events(store, account.id)]
    assert ids == sorted(ids, reverse=True)
    page = await store.events.page(account.id, EventQuery(), 2)
    assert ([event.id for event in page.items], page.has_more) == (ids[:2], True)
    rest = await store.events.page(account.id, EventQuery(), 2, after=ids[1])
    assert ([event.id for event in rest.items], rest.has_more) == (ids[2:], False)


async def test_the_log_is_filtered_by_type_and_strict_times(store: Store, account: Account) -> None:
    await finish_one(store, account)
    await queue_new(store, account.id)
    later = NOON + LEASE
    await store.queue.fail(await claim_next(store), Failure(code=FailureCode.NO_TEXT_FOUND, message="-"), later)
    failure, success = await newest_events(store, account.id)

    async def found(query: EventQuery) -> list[str]:
        return [event.id for event in (await store.events.page(account.id, query, 10)).items]

    assert await found(EventQuery(type=EventType.FAILED)) == [failure.id]
    assert await found(EventQuery(created_after=NOON)) == [failure.id]
    assert await found(EventQuery(created_before=later)) == [success.id]
    assert await found(EventQuery(created_after=NOON, type=EventType.COMPLETED)) == []


async def test_a_payload_is_kept_byte_for_byte_and_for_its_account_only(store: Store, account: Account) -> None:
    await finish_one(store, account)
    (event,) = await newest_events(store, account.id)
    logged = await store.events.get(account.id, event.id)
    assert logged is not None
    assert logged.payload == event.model_dump_json()
    assert await store.events.get(new_id(), event.id) is None
    assert await store.events.get(account.id, f"evt_{new_id()}") is None


async def test_an_invoice_counts_as_finished_once_its_event_is_in_the_log(store: Store, account: Account) -> None:
    record = await queue_new(store, account.id)
    await store.queue.save_result(await claim_next(store), Extraction(), NOON)
    await newest_events(store, account.id)
    assert await store.queue.finished_among([record.invoice.id]) == {record.invoice.id}


async def test_the_events_of_one_invoice(store: Store, account: Account) -> None:
    for _ in range(2):
        await finish_one(store, account)
    newer, older = await newest_events(store, account.id)
    invoice_id = older.data.invoice.id
    assert [event.id for event in await store.events.of_invoice(account.id, invoice_id, 10)] == [older.id]
    assert await store.events.of_invoice(new_id(), invoice_id, 10) == []
    assert newer.id != older.id
