"""How a run ends."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from serve_app.documents.packing import pack
from serve_app.domain.account import Account
from serve_app.domain.batch import Section
from serve_app.domain.clock import month_start
from serve_app.domain.document import Document, Page
from serve_app.domain.errors import DocumentError, StoreUnreachable
from serve_app.domain.event import EventType
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Batch, Extraction, FailureCode, Invoice, Status
from serve_app.domain.packed import PackedPages
from serve_app.domain.query import InvoiceQuery
from serve_app.domain.queue_state import Stage
from serve_app.domain.reading import Reading
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.target_precision import TargetPrecision
from serve_app.domain.usage import ComputeTime, Usage
from serve_app.services.models.choice import PairChoice
from serve_app.services.ports import TransientError
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from tests.services.processing.bench import Bench, failing
from tests.support import (
    DOCUMENT,
    LEASE,
    Clock,
    FakeModel,
    FakeReader,
    make_record,
    queue_invoice,
)
from tests.support.until import until


@pytest.fixture
async def bench(store: Store, files: Files, account: Account, settings: Settings, clock: Clock) -> Bench:
    bench = Bench(store, files, account, settings, clock)
    await bench.submit()
    return bench


async def test_a_good_document_becomes_complete(bench: Bench) -> None:
    claim = await bench.run()
    invoice = await bench.invoice(claim)
    assert (invoice.status, invoice.vendor_name, invoice.pages) == (Status.COMPLETE, "ACME", 1)
    assert bench.reader.keys == [claim.file_key]
    assert await bench.events() == [EventType.COMPLETED]


async def test_levels_are_made_for_the_target_of_the_account_or_of_the_setting(bench: Bench) -> None:
    seen = []
    for chosen in (None, TargetPrecision.HIGHEST):
        await bench.store.accounts.set_target_precision(bench.account.id, chosen)
        await bench.run(target_precision=TargetPrecision.HIGHER)
        seen.append(bench.reconciler.target)
        await bench.submit()
    assert seen == [TargetPrecision.HIGHER, TargetPrecision.HIGHEST]


async def test_both_models_read_at_the_same_time(bench: Bench) -> None:
    meeting = asyncio.Barrier(2)

    async def meet() -> None:
        async with asyncio.timeout(5):
            await meeting.wait()

    bench.extractor.before = bench.verifier.before = meet
    assert (await bench.invoice(await bench.run())).status is Status.COMPLETE


async def test_the_pair_that_was_chosen_reads(bench: Bench) -> None:
    async def candidate(claim: InvoiceRecord) -> str:
        return "candidate"

    other = FakeModel("layout@2")
    bench.further = {"candidate": (other, bench.verifier)}
    bench.pairs = PairChoice(bench.store.queue, True, [candidate])
    assert (await bench.invoice(await bench.run())).status is Status.COMPLETE
    assert (other.calls, bench.extractor.calls, bench.verifier.calls) == (1, 0, 1)


async def test_watchers_are_notified_of_what_was_saved(bench: Bench) -> None:
    await bench.run()
    assert bench.watch.notified == ["begins", "first answered ACME", "ended"]


async def test_watchers_are_notified_of_documents_that_cannot_be_interpreted(bench: Bench) -> None:
    bench.reconciler.before = failing(DocumentError(FailureCode.DOCUMENT_TOO_LARGE, "because"))
    await bench.run()
    assert bench.watch.notified == ["begins", "first failed", "ended"]


async def test_a_run_that_is_given_back_shows_no_answer(bench: Bench) -> None:
    bench.extractor.before = failing(TransientError("model"))
    await bench.run()
    assert bench.watch.notified == ["begins", "ended"]


async def test_it_says_when_the_models_are_at_it(bench: Bench) -> None:
    (invoice,) = (await bench.store.invoices.page(bench.account.id, InvoiceQuery(), 1)).items

    async def stage_is(stage: Stage) -> None:
        async def is_reached() -> bool:
            return await bench.store.queue.stages(bench.account.id, [invoice.id]) == {invoice.id: stage}

        await until(is_reached)

    bench.reader.before = lambda: stage_is(Stage.READING)
    bench.extractor.before = lambda: stage_is(Stage.MODELS)
    claim = await bench.run()
    assert (await bench.invoice(claim)).status is Status.COMPLETE


@pytest.mark.parametrize("code", [FailureCode.DOCUMENT_ENCRYPTED, FailureCode.DOCUMENT_TOO_LARGE])
async def test_an_unreadable_document_fails_with_its_reason(bench: Bench, code: FailureCode) -> None:
    bench.reader.before = failing(DocumentError(code, "because"))
    invoice = await bench.invoice(await bench.run())
    assert invoice.status is Status.FAILED
    assert invoice.failure is not None
    assert (invoice.failure.code, invoice.failure.message) == (code, "because")
    assert await bench.events() == [EventType.FAILED]


@pytest.mark.parametrize("document", [Document(()), Document((Page(1, 1, 1, ()),))])
async def test_a_document_without_words_fails(bench: Bench, document: Document) -> None:
    bench.reader.document = document
    invoice = await bench.invoice(await bench.run())
    assert invoice.failure is not None
    assert invoice.failure.code is FailureCode.NO_TEXT_FOUND
    assert bench.extractor.calls == 0


async def test_a_lost_worker_is_called_again_in_place(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("serve_app.services.processing.retry._FIRST_DELAYS", (0.01, 0.01))
    bench.reader.before = failing(TransientError("reader"))
    bench.verifier.before = failing(TransientError("model"), TransientError("model"))
    claim = await bench.run(retry_seconds=10)
    assert (await bench.invoice(claim)).status is Status.COMPLETE
    assert (len(bench.reader.keys), bench.extractor.calls, bench.verifier.calls) == (2, 1, 3)


async def test_a_worker_out_of_reach_gives_the_claim_back_later_and_later(bench: Bench) -> None:
    async def lost() -> None:
        raise TransientError("model")

    bench.extractor.before = lost
    for seconds in (5, 10, 20):
        claim = await bench.run()
        assert (await bench.invoice(claim)).status is Status.QUEUED
        bench.clock.advance(seconds - 1)
        assert await bench.claim() is None
        bench.clock.advance(1)
    assert await bench.events() == []
    bench.extractor.before = None
    assert (await bench.invoice(await bench.run())).status is Status.COMPLETE


async def test_a_worker_that_never_comes_back_ends_it(bench: Bench) -> None:
    async def lost() -> None:
        raise TransientError("model")

    bench.extractor.before = lost
    for _ in range(2):
        claim = await bench.run(max_releases=2)
        bench.clock.advance(600)
    invoice = await bench.invoice(claim)
    assert invoice.failure is not None
    assert invoice.failure.code is FailureCode.EXTRACTION_INTERRUPTED
    assert await bench.events() == [EventType.FAILED]


async def test_a_run_that_breaks_three_times_is_interrupted(bench: Bench) -> None:
    def broken(document: Document, extractor: Reading, verifier: Reading) -> list[Section]:
        raise ZeroDivisionError

    bench.reconciler.extract = broken
    for expected in (Status.QUEUED, Status.QUEUED, Status.FAILED):
        claim = await bench.run()
        invoice = await bench.invoice(claim)
        assert invoice.status is expected
        bench.clock.advance(2)
    assert invoice.failure is not None
    assert invoice.failure.code is FailureCode.EXTRACTION_INTERRUPTED
    assert await bench.events() == [EventType.FAILED]


@pytest.mark.parametrize("end", ["out of reach", "broken", "lost"])
async def test_no_words_stay_after_a_run_that_ended_for_good(bench: Bench, end: str) -> None:
    async def interrupted() -> None:
        raise TransientError("model") if end == "out of reach" else ZeroDivisionError

    bench.reader = FakeReader(Document(tuple(replace(DOCUMENT.pages[0], number=number) for number in (1, 2))), 1)
    bench.reconciler.before = interrupted
    while (claim := await bench.run(max_releases=3, max_lost_claims=3)) and not await bench.has_ended(claim):
        assert await bench.kept() != []
        bench.clock.advance(600)
        for _ in range(2 if end == "lost" else 0):
            assert await bench.claim() is not None
            bench.clock.advance(LEASE.total_seconds())
            await bench.store.queue.repair()
    assert await bench.kept() == []


async def test_a_model_that_answers_for_another_document_breaks_the_run(bench: Bench) -> None:
    class Wrong(FakeModel):
        async def read(self, pages: Sequence[PackedPages]) -> Reading:
            return await super().read(pack(Document(DOCUMENT.pages * 2)))

    bench.verifier = Wrong()
    assert (await bench.invoice(await bench.run())).status is Status.QUEUED


async def test_three_lost_workers_end_it_without_a_fourth(bench: Bench) -> None:
    for _ in range(3):
        assert await bench.claim() is not None
        bench.clock.advance(LEASE.total_seconds())
        await bench.store.queue.repair()
    invoice = await bench.invoice(await bench.run())
    assert invoice.failure is not None
    assert invoice.failure.code is FailureCode.EXTRACTION_INTERRUPTED
    assert bench.reader.keys == []
    assert await bench.events() == [EventType.FAILED]


async def test_the_heartbeat_keeps_the_lease_of_a_slow_run(bench: Bench) -> None:
    renewed = asyncio.Event()
    claim = await bench.claim()
    assert claim is not None

    async def slow() -> None:
        bench.clock.advance(LEASE.total_seconds() - 1)
        await asyncio.sleep(0.1)
        bench.clock.advance(5)
        assert await bench.store.queue.repair() == 0
        renewed.set()

    bench.reader.before = slow
    await bench.process(heartbeat_seconds=0.02).run(claim)
    assert renewed.is_set()
    assert (await bench.invoice(claim)).status is Status.COMPLETE


async def test_a_run_that_lost_its_lease_stops(bench: Bench) -> None:
    claim = await bench.claim()
    assert claim is not None
    bench.clock.advance(LEASE.total_seconds())
    await bench.store.queue.repair()
    other = await bench.claim()
    assert other is not None
    bench.reader.before = lambda: asyncio.sleep(30)
    started = time.monotonic()
    await bench.process(heartbeat_seconds=0.02).run(claim)
    assert time.monotonic() - started < 5
    assert (await bench.invoice(claim)).status is Status.PROCESSING
    assert await bench.store.queue.renew_lease(other, LEASE)


async def test_a_cancelled_run_is_handed_back_unharmed(bench: Bench) -> None:
    claim = await bench.claim()
    assert claim is not None
    bench.reader.before = lambda: asyncio.sleep(30)
    run = asyncio.create_task(bench.process().run(claim))
    await asyncio.sleep(0.05)
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    again = await bench.claim()
    assert again is not None
    assert (again.lost_claims, again.releases) == (0, 0)


async def test_a_store_lost_while_saving_gets_the_result_when_it_is_back(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("serve_app.services.processing.retry._FIRST_DELAYS", (0.01,))
    save, left = bench.store.queue.save_result, [StoreUnreachable()]

    async def flaky(*arguments: Any) -> Invoice | None:
        if left:
            raise left.pop()
        return await save(*arguments)

    monkeypatch.setattr(bench.store.queue, "save_result", flaky)
    assert (await bench.invoice(await bench.run(retry_seconds=5))).status is Status.COMPLETE


async def test_a_file_of_three_invoices_becomes_three_records(bench: Bench) -> None:
    bench.reader.document = Document(tuple(replace(DOCUMENT.pages[0], number=number) for number in range(1, 6)))
    sections = [Section(first, last, Extraction(invoice_number=str(first))) for first, last in ((1, 1), (2, 3), (5, 5))]
    bench.reconciler.extract = lambda document, extractor, verifier: sections
    claim = await bench.run()
    parts = await bench.parts(claim, 3)
    assert [(part.invoice_number, part.status, part.source) for part in parts] == [
        (number, Status.COMPLETE, claim.invoice.source) for number in ("1", "2", "5")
    ]
    places = [
        (part.batch.index, part.batch.count, part.batch.first_page, part.batch.last_page)
        for part in parts
        if part.batch
    ]
    assert places == [(1, 3, 1, 1), (2, 3, 2, 3), (3, 3, 5, 5)]
    assert {part.batch.id for part in parts if part.batch} == {claim.invoice.id}
    assert len(await bench.events()) == 3
    assert await bench.store.quotas.used(bench.account.id, month_start(bench.clock.now)) == 3


async def test_a_part_that_is_read_again_stays_one_invoice_of_its_own_pages(bench: Bench) -> None:
    batch = Batch(id=new_id(), index=2, count=3, first_page=2, last_page=3)
    record = make_record(bench.account.id, bench.clock.now - timedelta(seconds=1))
    record = replace(record, invoice=record.invoice.model_copy(update={"batch": batch}))
    other = await bench.claim()
    assert other is not None
    await queue_invoice(bench.store, record)
    claim = await bench.run()
    assert bench.reader.pages == [(2, 3)]
    assert (await bench.invoice(claim)).batch == batch


async def test_invoices_say_what_reading_them_took(bench: Bench) -> None:
    bench.reader.document = Document(tuple(replace(DOCUMENT.pages[0], number=number) for number in range(1, 4)))
    bench.reader.spent, bench.extractor.spent = ComputeTime(0.3), ComputeTime(0.02, gpu=0.01)
    bench.verifier.spent, bench.reconciler.cpu_seconds = ComputeTime(0.01), 0.003
    sections = [Section(1, 1, Extraction()), Section(2, 3, Extraction(), ocr_pages=1)]
    bench.reconciler.extract = lambda document, extractor, verifier: sections
    assert [part.usage for part in await bench.parts(await bench.run(), 2)] == [
        Usage(pages=1, ocr_pages=0, cpu_ms=111, gpu_ms=3),
        Usage(pages=2, ocr_pages=1, cpu_ms=222, gpu_ms=7),
    ]


async def test_a_document_that_cannot_be_read_has_no_usage(bench: Bench) -> None:
    bench.reader.document = Document(())
    assert (await bench.invoice(await bench.run())).usage is None
