"""What a run saw is kept with its result, and goes with the invoice."""

import asyncio
from typing import Any

import pytest

from serve_app.domain.account import Account
from serve_app.domain.batch import Section
from serve_app.domain.errors import StoreUnreachable
from serve_app.domain.invoice import Extraction, Invoice
from serve_app.domain.record import EVIDENCE, InvoiceRecord, evidence_key_of
from serve_app.services.invoices.erase import InvoiceEraser
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from tests.services.processing.bench import Bench
from tests.support import MONTH, Clock

SECTIONS = [
    Section(1, 1, Extraction(invoice_number="1"), evidence=b"first"),
    Section(2, 2, Extraction(invoice_number="2"), evidence=b"second"),
]


@pytest.fixture
async def bench(store: Store, files: Files, account: Account, settings: Settings, clock: Clock) -> Bench:
    bench = Bench(store, files, account, settings, clock)
    bench.reconciler.extract = lambda document, extractor, verifier: SECTIONS[:1]
    await bench.submit()
    return bench


async def kept(bench: Bench) -> list[str]:
    return sorted(await bench.files.keys_in(EVIDENCE))


async def record_of(bench: Bench, invoice: Invoice) -> InvoiceRecord:
    record = await bench.store.invoices.find_record(bench.account.id, invoice.id)
    assert record is not None
    return record


async def read_again(bench: Bench, claim: InvoiceRecord) -> InvoiceRecord:
    await bench.store.intake.rerun(await bench.invoice(claim), bench.account.id, MONTH, None)
    return await bench.run()


async def test_it_is_kept_under_the_key_that_the_invoice_names(bench: Bench) -> None:
    claim = await bench.run()
    record = await record_of(bench, claim.invoice)
    assert record.evidence_key == evidence_key_of(bench.account.id, claim.invoice.id, claim.attempt)
    assert await bench.files.read(record.evidence_key) == b"first"


async def test_every_invoice_of_a_file_has_its_own(bench: Bench) -> None:
    bench.reconciler.extract = lambda document, extractor, verifier: SECTIONS
    claim = await bench.run()
    for invoice, data in zip(await bench.parts(claim, 2), (b"first", b"second"), strict=True):
        assert await bench.files.read((await record_of(bench, invoice)).evidence_key or "") == data


async def test_a_new_reading_renews_it(bench: Bench) -> None:
    first = await bench.run()
    bench.reconciler.extract = lambda document, extractor, verifier: SECTIONS[1:]
    second = await read_again(bench, first)
    record = await record_of(bench, second.invoice)
    assert await kept(bench) == [record.evidence_key]
    assert await bench.files.read(record.evidence_key or "") == b"second"


async def test_it_goes_with_the_invoice(bench: Bench) -> None:
    claim = await bench.run()
    await InvoiceEraser(bench.store, bench.files).erase(bench.account.id, claim.invoice.id)
    assert await kept(bench) == []


async def test_a_run_that_lost_its_invoice_leaves_none(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    eraser, save = InvoiceEraser(bench.store, bench.files), bench.store.queue.save_result

    async def too_late(claim: InvoiceRecord, *rest: Any) -> Invoice | None:
        await eraser.erase(bench.account.id, claim.invoice.id)
        await bench.files.write(evidence_key_of(bench.account.id, claim.invoice.id, claim.attempt), b"written late")
        return await save(claim, *rest)

    monkeypatch.setattr(bench.store.queue, "save_result", too_late)
    await bench.run()
    assert await kept(bench) == []


async def test_an_answer_that_was_lost_takes_it_from_no_result_that_was_saved(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("serve_app.services.processing.retry._FIRST_DELAYS", (0.01,))
    save, left = bench.store.queue.save_result, [StoreUnreachable()]

    async def unanswered(*arguments: Any) -> Invoice | None:
        saved = await save(*arguments)
        if left:
            raise left.pop()
        return saved

    monkeypatch.setattr(bench.store.queue, "save_result", unanswered)
    claim = await bench.run(retry_seconds=5)
    assert await kept(bench) == [(await record_of(bench, claim.invoice)).evidence_key]


async def test_files_out_of_reach_cost_the_evidence_and_not_the_result(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def lost(*_: object) -> None:
        await asyncio.sleep(0)
        raise StoreUnreachable

    monkeypatch.setattr(bench.files, "write", lost)
    claim = await bench.run()
    record = await record_of(bench, claim.invoice)
    assert (record.invoice.invoice_number, record.evidence_key) == ("1", None)
