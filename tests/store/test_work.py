"""Who works on what: opened reviews, assignment, and what waits for a person."""

import asyncio
from datetime import date, timedelta
from decimal import Decimal

import pytest

from serve_app.domain.account import Account
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Extraction, ReviewStatus
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.review import Verdict
from serve_app.domain.work import Lease, Reader, WorkCounts, WorkOrder, WorkQuery
from serve_app.store.base import Store
from tests.store.test_reviews import found, read_new, say
from tests.support import NOON, Clock

ANN, BOB = Reader(new_id(), "Ann", "window 1"), Reader(new_id(), "Bob", "window 2")
ANN_ELSEWHERE = Reader(ANN.person_id, "Ann", "window 3")
MINUTES = timedelta(minutes=2)


async def test_an_opened_review_is_one_readers_until_the_lease_ends(
    store: Store, account: Account, clock: Clock
) -> None:
    record = await read_new(store, account)
    ids = account.id, record.invoice.id
    opened = clock.now
    assert await store.work.take(*ids, ANN, MINUTES) == Lease(ANN, clock.now + MINUTES, opened)
    for other in (BOB, ANN_ELSEWHERE):
        taken = await store.work.take(*ids, other, MINUTES)
        assert taken is not None
        assert taken.reader == ANN
    assert (await found(store, record)).lease == Lease(ANN, clock.now + MINUTES, opened)
    clock.advance(60)
    assert await store.work.take(*ids, ANN, MINUTES) == Lease(ANN, clock.now + MINUTES, opened)
    clock.advance(120)
    assert await store.work.take(*ids, BOB, MINUTES) == Lease(BOB, clock.now + MINUTES, clock.now)


async def test_a_review_opened_before_the_clock_was_set_back_is_free(
    store: Store, account: Account, clock: Clock
) -> None:
    record = await read_new(store, account)
    ids = account.id, record.invoice.id
    await store.work.take(*ids, ANN, MINUTES)
    clock.advance(-3600)
    assert len(await store.work.waiting(account.id, WorkQuery(free_for=BOB.window), 10)) == 1
    assert await store.work.take(*ids, BOB, MINUTES) == Lease(BOB, clock.now + MINUTES, clock.now)


async def test_it_can_be_taken_over_and_given_back(store: Store, account: Account) -> None:
    record = await read_new(store, account)
    ids = account.id, record.invoice.id
    await store.work.take(*ids, ANN, MINUTES)
    taken = await store.work.take(*ids, BOB, MINUTES, by_force=True)
    assert taken is not None
    assert taken.reader == BOB
    await store.work.release_lease(*ids, ANN.window)
    assert (await found(store, record)).lease == taken
    await store.work.release_lease(*ids, BOB.window)
    assert (await found(store, record)).lease is None


async def test_of_two_who_open_it_at_once_one_has_it(store: Store, account: Account) -> None:
    record = await read_new(store, account)
    ids = account.id, record.invoice.id
    leases = await asyncio.gather(*(store.work.take(*ids, reader, MINUTES) for reader in (ANN, BOB)))
    assert len({lease.reader.window for lease in leases if lease}) == 1


async def test_a_lease_changes_nothing_of_the_invoice(store: Store, account: Account) -> None:
    record = await read_new(store, account)
    await store.work.take(account.id, record.invoice.id, ANN, MINUTES)
    await store.work.assign(account.id, [record.invoice.id], ANN.person_id)
    now = await found(store, record)
    assert (now.invoice, now.review, now.assignee) == (record.invoice, record.review, ANN.person_id)


async def test_another_accounts_invoice_is_nobodys_work(store: Store, account: Account) -> None:
    record = await read_new(store, account)
    other, id = new_id(), record.invoice.id
    assert await store.work.take(other, id, ANN, MINUTES) is None
    assert await store.work.assign(other, [id], ANN.person_id) == 0
    assert await store.work.waiting(other, WorkQuery(), 10) == []
    await store.work.take(account.id, id, ANN, MINUTES)
    await store.work.release_lease(other, id, ANN.window)
    assert (await found(store, record)).lease is not None


async def three(store: Store, account: Account) -> list[InvoiceRecord]:
    """Of the first each thing comes last but its age."""
    sets = [
        Extraction(vendor_name="Zeta", amount=Decimal(1), quality_score=0.9),
        Extraction(vendor_name="Émile", amount=Decimal(300), due_at=date(2026, 6, 1), quality_score=0.5),
        Extraction(vendor_name="Acme", amount=Decimal(20), due_at=date(2026, 5, 1), quality_score=0.2),
    ]
    return [await read_new(store, account, each) for each in sets]


@pytest.mark.parametrize(
    ("order", "wanted"),
    [
        (WorkOrder.DUE, "210"),
        (WorkOrder.AMOUNT, "120"),
        (WorkOrder.AGE, "012"),
        (WorkOrder.VENDOR, "210"),
        (WorkOrder.DOUBT, "210"),
    ],
)
async def test_what_is_asked_for_comes_first(store: Store, account: Account, order: WorkOrder, wanted: str) -> None:
    ids = [record.invoice.id for record in await three(store, account)]
    items = await store.work.waiting(account.id, WorkQuery(order), 10)
    assert "".join(str(ids.index(item.invoice.id)) for item in items) == wanted
    pages = [await store.work.waiting(account.id, WorkQuery(order), 1, skip) for skip in range(4)]
    assert [item for page in pages for item in page] == items


async def test_it_is_filtered_by_vendor_assignee_and_who_has_it_open(
    store: Store, account: Account, clock: Clock
) -> None:
    ids = [record.invoice.id for record in await three(store, account)]

    async def numbers(query: WorkQuery) -> list[int]:
        return [ids.index(item.invoice.id) for item in await store.work.waiting(account.id, query, 10)]

    assert await numbers(WorkQuery(WorkOrder.AGE, vendor="EMIL")) == [1]
    await store.work.assign(account.id, ids[:2], ANN.person_id)
    assert await numbers(WorkQuery(WorkOrder.AGE, assignee=ANN.person_id)) == [0, 1]
    assert await numbers(WorkQuery(WorkOrder.AGE, unassigned=True)) == [2]
    await store.work.take(account.id, ids[0], ANN, MINUTES)
    assert await numbers(WorkQuery(WorkOrder.AGE, free_for=BOB.window)) == [1, 2]
    assert await numbers(WorkQuery(WorkOrder.AGE, free_for=ANN.window)) == [0, 1, 2]
    clock.advance(120)
    assert await numbers(WorkQuery(WorkOrder.AGE, free_for=BOB.window)) == [0, 1, 2]


@pytest.mark.parametrize("order", [WorkOrder.AGE, WorkOrder.DUE])
async def test_what_a_person_puts_off_comes_last_for_that_person_the_oldest_first(
    store: Store, account: Account, clock: Clock, order: WorkOrder
) -> None:
    ids = [record.invoice.id for record in await three(store, account)]

    async def numbers(query: WorkQuery) -> list[int]:
        return [ids.index(item.invoice.id) for item in await store.work.waiting(account.id, query, 10)]

    usual = await numbers(WorkQuery(order))
    for number in (usual[1], usual[0]):
        clock.advance(1)
        assert await store.work.snooze(account.id, ids[number], ANN.person_id)
    assert await numbers(WorkQuery(order, put_off_by=ANN.person_id)) == [usual[2], usual[1], usual[0]]
    assert await numbers(WorkQuery(order, put_off_by=BOB.person_id)) == usual
    clock.advance(1)
    assert await store.work.snooze(account.id, ids[usual[1]], ANN.person_id)
    query = WorkQuery(order, put_off_by=ANN.person_id)
    assert await numbers(query) == [usual[2], usual[0], usual[1]]
    pages = [await store.work.waiting(account.id, query, 1, skip) for skip in range(4)]
    assert [ids.index(item.invoice.id) for page in pages for item in page] == [usual[2], usual[0], usual[1]]
    assert not await store.work.snooze(new_id(), ids[0], ANN.person_id)


async def test_what_was_decided_waits_no_more_and_is_counted(store: Store, account: Account) -> None:
    record, *_ = await three(store, account)
    assert await store.work.counts(account.id, NOON, 100) == WorkCounts(waiting=3, decided=0)
    verdict = Verdict(status=ReviewStatus.CONFIRMED, by="Ann", at=NOON + MINUTES)
    await say(store, record, record.review.changed({}, verdict))
    assert await store.work.counts(account.id, NOON, 100) == WorkCounts(waiting=2, decided=1)
    assert await store.work.counts(account.id, NOON + 2 * MINUTES, 100) == WorkCounts(waiting=2, decided=0)
    assert await store.work.counts(account.id, NOON, 1) == WorkCounts(waiting=1, decided=1)
    assert record.invoice.id not in {item.invoice.id for item in await store.work.waiting(account.id, WorkQuery(), 10)}
