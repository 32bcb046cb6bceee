"""A unit of the quota, a file and a row come together or not at all, whoever dies on the way."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from serve_app.domain.account import Account
from serve_app.domain.batch import Section, records_of
from serve_app.domain.errors import InvoiceContended, QuotaReached, ServiceError, Unavailable
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Extraction, Failure, FailureCode, Invoice, Status
from serve_app.domain.record import Amendment
from serve_app.store.base import Store
from tests.support import MONTH, NOON, Clock, claim_next, make_record, newest_events, queue_invoice, queue_new


async def finished(store: Store, account: Account) -> Invoice:
    record = await queue_new(store, account.id)
    await store.queue.save_result(await claim_next(store), Extraction(vendor_name="ACME"), NOON)
    await newest_events(store, account.id)
    invoice = await store.invoices.get(account.id, record.invoice.id)
    assert invoice is not None
    return invoice


async def test_an_invoice_is_found_by_the_bytes_of_its_file(store: Store, account: Account) -> None:
    hashes = ("a", "a", "b", None)
    records = [
        replace(make_record(account.id, NOON + timedelta(days=day)), sha256=sha256) for day, sha256 in enumerate(hashes)
    ]
    for record in reversed(records):
        await queue_invoice(store, record)

    async def found(sha256: str, days: int, account_id: UUID = account.id) -> UUID | None:
        invoice = await store.invoices.of_file(account_id, sha256, NOON + timedelta(days=days))
        return None if invoice is None else invoice.id

    ids = [record.invoice.id for record in records]
    assert [await found("a", days) for days in range(3)] == [ids[0], ids[1], None]
    assert [await found("b", 0), await found("c", 0), await found("a", 0, new_id())] == [ids[2], None, None]
    kept = await store.invoices.find_record(account.id, ids[2])
    assert kept is not None
    assert kept.sha256 == "b"


async def test_a_reservation_takes_a_unit_and_queues_nothing(store: Store, account: Account) -> None:
    record = make_record(account.id)
    await store.intake.reserve(record, MONTH, 10)
    assert await store.quotas.used(account.id, MONTH) == 1
    assert await store.invoices.get(account.id, record.invoice.id) is None
    assert await store.queue.claim_due_invoice(timedelta(seconds=1)) is None


async def test_what_is_cancelled_gives_its_unit_back_once(store: Store, account: Account) -> None:
    reservations = [await store.intake.reserve(make_record(account.id), MONTH, 10) for _ in range(2)]
    await asyncio.gather(*(store.intake.cancel(reservations[0]) for _ in range(3)))
    assert await store.quotas.used(account.id, MONTH) == 1


async def test_without_a_reservation_nothing_is_queued(store: Store, account: Account) -> None:
    record = make_record(account.id)
    reservation = await store.intake.reserve(record, MONTH, 10)
    await store.intake.cancel(reservation)
    with pytest.raises(Unavailable):
        await store.intake.add(record)
    assert await store.invoices.get(account.id, record.invoice.id) is None


async def test_what_is_given_up_cannot_be_queued_and_stays_recorded(store: Store, account: Account) -> None:
    record = make_record(account.id)
    reservation = await store.intake.reserve(record, MONTH, 10)
    assert await store.intake.give_up(reservation)
    assert await store.quotas.used(account.id, MONTH) == 0
    with pytest.raises(ServiceError):
        await store.intake.add(record)
    (left,) = await store.intake.stale(NOON + timedelta(days=1), 10)
    assert (left.invoice_id, left.file_key) == (record.invoice.id, record.file_key)
    assert await store.intake.give_up(left)
    await store.intake.cancel(reservation)
    assert await store.intake.stale(NOON + timedelta(days=1), 10) == []
    assert await store.quotas.used(account.id, MONTH) == 0


async def test_an_invoice_that_was_queued_is_not_given_up(store: Store, account: Account) -> None:
    record = make_record(account.id)
    reservation = await store.intake.reserve(record, MONTH, 10)
    await store.intake.add(record)
    assert not await store.intake.give_up(reservation)
    await store.intake.cancel(reservation)
    assert await store.quotas.used(account.id, MONTH) == 1
    assert await store.intake.stale(NOON + timedelta(days=1), 10) == []


async def test_a_queued_invoice_keeps_its_unit_whatever_is_cancelled(store: Store, account: Account) -> None:
    record = make_record(account.id)
    reservation = await store.intake.reserve(record, MONTH, 10)
    await store.intake.add(record)
    await store.intake.cancel(reservation)
    assert await store.quotas.used(account.id, MONTH) == 1


async def test_what_a_crash_left_is_found_by_its_age(store: Store, account: Account, clock: Clock) -> None:
    left = await store.intake.reserve(make_record(account.id), MONTH, 10)
    await queue_new(store, account.id)
    clock.advance(60)
    fresh = await store.intake.reserve(make_record(account.id), MONTH, 10)
    assert await store.intake.stale(clock.now, 10) == [left]
    await store.intake.cancel(left)
    assert await store.intake.stale(clock.now, 10) == []
    assert await store.intake.stale(clock.now + timedelta(seconds=1), 10) == [fresh]


async def test_a_file_is_known_by_its_invoice(store: Store, account: Account) -> None:
    record = make_record(account.id)
    await store.intake.reserve(record, MONTH, 10)
    assert not await store.intake.has_invoice(record.file_key)
    await store.intake.add(record)
    assert await store.intake.has_invoice(record.file_key)


async def test_an_invoice_is_queued_again_for_another_unit(store: Store, account: Account) -> None:
    invoice = await finished(store, account)
    queued = await store.intake.rerun(invoice, account.id, MONTH, 10)
    assert queued is not None
    assert (queued.status, queued.id, queued.vendor_name) == (Status.QUEUED, invoice.id, "ACME")
    assert await store.quotas.used(account.id, MONTH) == 2
    assert await store.intake.stale(NOON + timedelta(days=1), 10) == []
    claim = await claim_next(store)
    assert (claim.invoice.id, claim.runs, claim.lost_claims) == (invoice.id, 2, 0)
    await store.queue.save_result(claim, Extraction(vendor_name="Other"), NOON)
    assert len(await newest_events(store, account.id)) == 2


async def test_a_failed_invoice_is_queued_again_without_its_failure(store: Store, account: Account) -> None:
    await queue_new(store, account.id)
    failure = Failure(code=FailureCode.NO_TEXT_FOUND, message="-")
    await store.queue.fail(await claim_next(store), failure, NOON)
    (event,) = await newest_events(store, account.id)
    queued = await store.intake.rerun(event.data.invoice, account.id, MONTH, None)
    assert queued is not None
    assert (queued.status, queued.failure) == (Status.QUEUED, None)


async def test_at_the_limit_nothing_is_queued_again(store: Store, account: Account) -> None:
    invoice = await finished(store, account)
    with pytest.raises(QuotaReached):
        await store.intake.rerun(invoice, account.id, MONTH, 1)
    assert await store.invoices.get(account.id, invoice.id) == invoice
    assert await store.quotas.used(account.id, MONTH) == 1


async def test_of_many_who_ask_at_once_one_queues_it_and_one_unit_is_taken(
    store: Store, account: Account, open_again: Callable[[], Store]
) -> None:
    invoice = await finished(store, account)
    stores = [store, open_again()]
    answers = await asyncio.gather(*(stores[i % 2].intake.rerun(invoice, account.id, MONTH, 10) for i in range(6)))
    assert sum(answer is not None for answer in answers) == 1
    assert await store.quotas.used(account.id, MONTH) == 2


async def test_what_has_changed_since_it_was_read_is_not_queued_again(store: Store, account: Account) -> None:
    invoice = await finished(store, account)
    await store.invoices.amend(account.id, invoice.id, Amendment(paid=True), NOON + timedelta(seconds=1))
    assert await store.intake.rerun(invoice, account.id, MONTH, 10) is None
    assert await store.quotas.used(account.id, MONTH) == 1


async def test_a_month_that_is_over_is_counted_for_itself(store: Store, account: Account) -> None:
    june = MONTH.replace(month=6)
    await queue_invoice(store, make_record(account.id), 1)
    await queue_invoice(store, make_record(account.id), 1, month=june)
    assert [await store.quotas.used(account.id, month) for month in (MONTH, june)] == [1, 1]


async def test_what_a_crash_left_is_taken_over_with_its_unit(store: Store, account: Account, clock: Clock) -> None:
    record = make_record(account.id)
    left = await store.intake.reserve(record, MONTH, 1)
    clock.advance(120)
    # There is no second unit to be had.
    taken = await store.intake.reserve(record, MONTH, 1)
    assert await store.quotas.used(account.id, MONTH) == 1
    assert await store.intake.stale(clock.now + timedelta(seconds=1), 10) == [taken]
    assert taken != left
    await store.intake.add(record)
    assert await store.quotas.used(account.id, MONTH) == 1
    assert await store.intake.stale(clock.now + timedelta(days=1), 10) == []
    assert (await claim_next(store)).invoice.id == record.invoice.id


async def test_a_unit_of_the_month_before_is_given_back_when_it_is_taken_over(
    store: Store, account: Account, clock: Clock
) -> None:
    record, june = make_record(account.id), MONTH.replace(month=6)
    await store.intake.reserve(record, MONTH, 1)
    clock.advance(120)
    await store.intake.reserve(record, june, 1)
    assert [await store.quotas.used(account.id, month) for month in (MONTH, june)] == [0, 1]
    await store.intake.add(record)
    assert [await store.quotas.used(account.id, month) for month in (MONTH, june)] == [0, 1]
    assert await store.intake.stale(clock.now + timedelta(days=1), 10) == []


async def test_whoever_lost_a_reservation_does_not_end_it(store: Store, account: Account, clock: Clock) -> None:
    record = make_record(account.id)
    slow = await store.intake.reserve(record, MONTH, 10)
    clock.advance(120)
    await store.intake.reserve(record, MONTH, 10)
    with pytest.raises(Unavailable):
        await store.intake.give_up(slow)
    await store.intake.cancel(slow)
    assert await store.quotas.used(account.id, MONTH) == 1
    await store.intake.add(record)
    assert not await store.intake.give_up(slow)
    await store.intake.cancel(slow)
    assert await store.quotas.used(account.id, MONTH) == 1


async def test_reservations_of_the_same_moment_are_different_ones(store: Store, account: Account) -> None:
    record = make_record(account.id)
    slow, fast = [await store.intake.reserve(record, MONTH, 10) for _ in range(2)]
    assert slow.made_at == fast.made_at
    with pytest.raises(InvoiceContended):
        await store.intake.give_up(slow)
    await store.intake.cancel(slow)
    assert await store.intake.stale(slow.made_at + timedelta(seconds=1), 10) == [fast]
    await store.intake.add(record)
    assert await store.quotas.used(account.id, MONTH) == 1


async def test_a_file_that_is_being_deleted_stays_so_until_its_own_reservation_ends(
    store: Store, account: Account
) -> None:
    record = make_record(account.id)
    slow, fast = [await store.intake.reserve(record, MONTH, 10) for _ in range(2)]
    assert await store.intake.give_up(fast)
    await store.intake.cancel(slow)
    with pytest.raises(InvoiceContended):
        await store.intake.reserve(record, MONTH, 10)
    await store.intake.cancel(fast)
    await store.intake.reserve(record, MONTH, 10)


async def test_of_two_who_add_the_same_invoice_one_does_and_one_unit_is_taken(
    store: Store, account: Account, clock: Clock
) -> None:
    record = make_record(account.id)
    reservations = []
    for _ in range(2):
        reservations.append(await store.intake.reserve(record, MONTH, 10))
        clock.advance(120)
    added = await asyncio.gather(*(store.intake.add(record) for _ in range(2)), return_exceptions=True)
    assert sorted(isinstance(result, ServiceError) for result in added) == [False, True]
    for reservation in reservations:
        assert not await store.intake.give_up(reservation)
        await store.intake.cancel(reservation)
    assert await store.quotas.used(account.id, MONTH) == 1
    assert await store.intake.stale(clock.now + timedelta(days=1), 10) == []


async def test_for_an_invoice_that_is_there_nothing_is_reserved(store: Store, account: Account) -> None:
    record = await queue_new(store, account.id)
    with pytest.raises(Unavailable):
        await store.intake.reserve(record, MONTH, 10)
    assert await store.quotas.used(account.id, MONTH) == 1


async def test_nothing_is_reserved_while_a_file_is_being_deleted(store: Store, account: Account, clock: Clock) -> None:
    record = make_record(account.id)
    given_up = await store.intake.reserve(record, MONTH, 10)
    assert await store.intake.give_up(given_up)
    clock.advance(120)
    with pytest.raises(Unavailable):
        await store.intake.reserve(record, MONTH, 10)
    assert await store.quotas.used(account.id, MONTH) == 0
    await store.intake.cancel(given_up)
    await store.intake.reserve(record, MONTH, 10)
    await store.intake.add(record)
    assert await store.quotas.used(account.id, MONTH) == 1


async def test_the_place_in_a_trace_stays_until_another_run_is_asked_for(store: Store, account: Account) -> None:
    record = replace(make_record(account.id), trace="00-one")
    await queue_invoice(store, record)
    claim = await claim_next(store)
    assert claim.trace == "00-one"
    sibling = records_of(claim, [Section(1, 1, Extraction()), Section(2, 2, Extraction())], NOON)[1][0]
    assert sibling.trace == "00-one"
    done = await store.queue.save_result(claim, Extraction(), NOON)
    assert done is not None
    await store.intake.rerun(done, account.id, MONTH, None, "00-two")
    assert (await claim_next(store)).trace == "00-two"
