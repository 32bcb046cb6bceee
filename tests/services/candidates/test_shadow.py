"""Reading along: while nothing else is to do, without any effect on what runs."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from serve_app.domain.account import Account
from serve_app.domain.batch import records_of
from serve_app.domain.comparison import INVOICES, Difference, Signs
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import Extraction, FailureCode
from serve_app.domain.model_pairs import FIRST
from serve_app.domain.record import InvoiceRecord
from serve_app.services.candidates import shadow as module
from serve_app.services.candidates.shadow import MOST_WAITING, TRIES, Answer, ShadowReading, ShadowRequest
from serve_app.services.ports import TransientError
from serve_app.store.base import Store
from tests.services.candidates.conftest import FOUND, OTHER, FakePairs, document_of, sections_of
from tests.support import NOON, Clock, claim_next, queue_new
from tests.support.meters import FakeMeter, installed_meter
from tests.support.until import until

DIFFERENT = (Difference("vendor", "Acme", "Acne"),)


@pytest.fixture
def pairs() -> FakePairs:
    return FakePairs()


@pytest.fixture
def reading(store: Store, pairs: FakePairs, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> ShadowReading:
    monkeypatch.setattr(module, "_POLL_SECONDS", 0.02)
    return ShadowReading(pairs, store.queue, store.comparisons, clock=clock)


@pytest.fixture
def meter() -> Iterator[FakeMeter]:
    with installed_meter() as meter:
        yield meter


@asynccontextmanager
async def running(reading: ShadowReading) -> AsyncIterator[None]:
    task = asyncio.create_task(reading.loop.run())
    try:
        yield
    finally:
        await reading.stop()
        await task


def outcomes(meter: FakeMeter) -> dict[str, float]:
    return {key[1]: number for key, number in meter.counts.items() if key[0] == "invoices_shadow_documents_total"}


def has_published(meter: FakeMeter, **wanted: int) -> Callable[[], bool]:
    return lambda: outcomes(meter) == wanted


async def finished(store: Store, account: Account, *read: Extraction) -> InvoiceRecord:
    await queue_new(store, account.id)
    claim = await claim_next(store)
    first, siblings = records_of(claim, sections_of(*(read or (FOUND,))), NOON)
    await store.queue.save_result(claim, first, NOON, siblings)
    return claim


def wanted(record: InvoiceRecord, *read: Extraction, pair: str = FIRST, other: str = "new") -> ShadowRequest:
    return ShadowRequest(Answer(record.invoice.id, document_of(record), sections_of(*(read or (FOUND,))), pair), other)


async def test_what_the_candidate_reads_differently_is_kept(
    reading: ShadowReading, store: Store, account: Account, meter: FakeMeter
) -> None:
    record = await finished(store, account)
    async with running(reading):
        reading.offer(wanted(record))
        await until(has_published(meter, changed=1))
    (found,) = await store.comparisons.newest("new", 10)
    assert (found.invoice_id, found.differences, found.is_answer) == (record.invoice.id, DIFFERENT, False)
    assert found.signs == Signs(0, 0, 0)


async def test_the_first_pair_reads_what_the_candidate_answered(
    reading: ShadowReading, store: Store, account: Account, pairs: FakePairs, meter: FakeMeter
) -> None:
    record = await finished(store, account, OTHER)
    async with running(reading):
        reading.offer(wanted(record, OTHER, pair="new", other=FIRST))
        await until(has_published(meter, changed=1))
    assert pairs.asked == [FIRST]
    (found,) = await store.comparisons.newest("new", 10)
    assert (found.differences, found.is_answer) == (DIFFERENT, True)


async def test_each_invoice_of_a_file_is_compared(
    reading: ShadowReading, store: Store, account: Account, pairs: FakePairs, meter: FakeMeter
) -> None:
    pairs.read["new"] = [FOUND, OTHER]
    record = await finished(store, account, FOUND, FOUND)
    async with running(reading):
        reading.offer(wanted(record, FOUND, FOUND))
        await until(has_published(meter, changed=1))
    found = sorted(await store.comparisons.newest("new", 10), key=lambda each: each.invoice_id)
    assert [each.differences for each in found] == [(), DIFFERENT]
    assert [each.signs for each in found] == [Signs(0, 0, 0), None]


async def test_another_number_of_invoices_is_a_difference(
    reading: ShadowReading, store: Store, account: Account, pairs: FakePairs, meter: FakeMeter
) -> None:
    pairs.read["new"] = [FOUND, OTHER]
    record = await finished(store, account)
    async with running(reading):
        reading.offer(wanted(record))
        await until(has_published(meter, changed=1))
    (found,) = await store.comparisons.newest("new", 10)
    assert found.differences == (Difference(INVOICES, "1", "2"),)


async def test_it_waits_while_a_document_waits(
    reading: ShadowReading, store: Store, account: Account, pairs: FakePairs, meter: FakeMeter
) -> None:
    record = await finished(store, account)
    await queue_new(store, account.id)
    async with running(reading):
        reading.offer(wanted(record))
        await asyncio.sleep(0.1)
        assert pairs.asked == []
        await claim_next(store)
        await until(has_published(meter, changed=1))


async def test_a_run_breaks_it_off_and_it_begins_again_after_the_run(
    reading: ShadowReading, store: Store, account: Account, pairs: FakePairs, meter: FakeMeter
) -> None:
    record, pairs.hold = await finished(store, account), asyncio.Event()
    async with running(reading):
        reading.offer(wanted(record))
        await until(lambda: pairs.asked == ["new"])
        reading.run_begins()
        pairs.hold.set()
        await asyncio.sleep(0.1)
        assert pairs.asked == ["new"]
        reading.run_ended()
        await until(has_published(meter, changed=1))
    assert pairs.asked == ["new", "new"]


async def test_what_is_broken_off_too_often_is_skipped(
    reading: ShadowReading, store: Store, account: Account, pairs: FakePairs, meter: FakeMeter
) -> None:
    record, pairs.hold = await finished(store, account), asyncio.Event()
    async with running(reading):
        reading.offer(wanted(record))
        for number in range(1, TRIES + 1):
            await until(lambda number=number: len(pairs.asked) == number)  # type: ignore[misc]
            reading.run_begins()
            reading.run_ended()
        await until(has_published(meter, skipped=1))


async def test_runs_that_it_may_work_beside_do_not_break_it_off(
    store: Store, account: Account, pairs: FakePairs, meter: FakeMeter
) -> None:
    reading, pairs.hold = ShadowReading(pairs, store.queue, store.comparisons, beside=1), asyncio.Event()
    record = await finished(store, account)
    async with running(reading):
        reading.run_begins()
        reading.offer(wanted(record))
        await until(lambda: pairs.asked == ["new"])
        reading.run_ended()
        reading.run_begins()
        pairs.hold.set()
        await until(has_published(meter, changed=1))


@pytest.mark.parametrize("error", [TransientError("killed"), RuntimeError("broken"), TimeoutError()])
async def test_after_a_failure_it_rests(
    reading: ShadowReading, store: Store, account: Account, pairs: FakePairs, meter: FakeMeter, error: Exception
) -> None:
    record = await finished(store, account)
    pairs.errors = [error]
    async with running(reading):
        for _ in range(3):
            reading.offer(wanted(record))
        await until(has_published(meter, failed=1))
        await asyncio.sleep(0.1)
    assert len(pairs.asked) == 1
    assert await store.comparisons.candidates() == []


async def test_a_candidate_that_does_not_work_is_no_comparison(
    reading: ShadowReading, store: Store, account: Account, pairs: FakePairs, meter: FakeMeter
) -> None:
    pairs.broken = {"new"}
    async with running(reading):
        reading.offer(wanted(await finished(store, account)))
        await until(has_published(meter, failed=1))
    assert await store.comparisons.candidates() == []


async def test_a_document_that_cannot_be_read_stops_no_other(
    reading: ShadowReading, store: Store, account: Account, pairs: FakePairs, meter: FakeMeter
) -> None:
    pairs.errors = [DocumentError(FailureCode.DOCUMENT_TOO_LARGE, "too long")]
    async with running(reading):
        for _ in range(2):
            reading.offer(wanted(await finished(store, account)))
        await until(has_published(meter, failed=1, changed=1))


async def test_few_documents_wait_and_large_ones_never(
    reading: ShadowReading, store: Store, account: Account, meter: FakeMeter
) -> None:
    record = await finished(store, account)
    for _ in range(MOST_WAITING + 2):
        reading.offer(wanted(record))
    assert outcomes(meter) == {"skipped": 2}
    large = wanted(record)
    (page,) = large.answer.document.pages
    document = replace(large.answer.document, pages=(replace(page, data=bytes(module.MOST_BYTES + 1)),))
    reading.offer(replace(large, answer=replace(large.answer, document=document)))
    assert outcomes(meter) == {"skipped": 3}
