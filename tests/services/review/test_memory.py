"""From a confirmed invoice to the next one of its vendor, and back out of memory."""

from decimal import Decimal

import pytest

from serve_app.domain.account import Account
from serve_app.domain.batch import Section
from serve_app.domain.errors import StoreUnreachable
from serve_app.domain.evidence import Candidate, Evidence, FieldEvidence, PageWords, ReadBy, pack
from serve_app.domain.invoice import Citation, Confidence, Extraction, Field
from serve_app.domain.record import InvoiceRecord
from serve_app.extraction.memory.keys import keys_of_document
from serve_app.services.people.audit import AuditTrail
from serve_app.services.processing.memory import VendorMemory
from serve_app.services.review.change import FieldChange, ReviewChange
from serve_app.services.review.memory import MemoryService
from serve_app.services.review.service import ReviewService
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from tests.services.processing.bench import Bench
from tests.store.test_reviews import found
from tests.support import Clock
from tests.support.people import COMMAND_LINE

RIGHT, WRONG = (3000, 1000, 3500, 1100), (3000, 2000, 3500, 2100)


def section(right: str, wrong: str, name: str = "Acme") -> Section:
    """An invoice whose number the models do not agree on, and take for another one."""
    words = PageWords(
        1,
        595.0,
        842.0,
        f"{name} Number {right} Customer {wrong}",
        (*(0, 0, 900, 100, 1000, 1000, 2000, 1100), *RIGHT, *(1000, 2000, 2000, 2100), *WRONG),
    )
    number = FieldEvidence(
        (
            Candidate(wrong, wrong, (ReadBy.BOTH, ReadBy.EXTRACTOR), 0.6, 1, WRONG),
            Candidate(right, right, (ReadBy.VERIFIER,), 0.5, 1, RIGHT),
        ),
        chance=0.6,
    )
    vendor = FieldEvidence((Candidate(name, name, (ReadBy.BOTH,), 0.9, 1, (0, 0, 900, 100)),), chance=0.9)
    evidence = Evidence((words,), {"invoice_number": number, "vendor": vendor})
    extraction = Extraction(
        vendor_name=name,
        invoice_number=wrong,
        amount=Decimal(1),
        pages=1,
        field_confidence={Field.INVOICE_NUMBER: Confidence.LOW, Field.VENDOR: Confidence.MID},
        citations={Field.INVOICE_NUMBER: Citation(page=1, box=(0.3, 0.2, 0.35, 0.21), text=wrong)},
    )
    return Section(1, 1, extraction, evidence=pack(evidence), keys=keys_of_document(evidence))


@pytest.fixture
def bench(store: Store, files: Files, account: Account, settings: Settings, clock: Clock) -> Bench:
    return Bench(store, files, account, settings, clock)


@pytest.fixture
def reviews(store: Store, files: Files, clock: Clock) -> ReviewService:
    return ReviewService(store.invoices, store.reviews, files, AuditTrail(store.audit, clock), clock)


@pytest.fixture
def memory(store: Store, files: Files) -> MemoryService:
    return MemoryService(store.invoices, store.memory, store.vendors, files, AuditTrail(store.audit))


async def read(
    bench: Bench, right: str, wrong: str = "C-7", vendor: str = "Acme", mime_type: str = "application/pdf"
) -> InvoiceRecord:
    bench.reconciler.extract = lambda document, extractor, verifier: [section(right, wrong, vendor)]
    await bench.submit(mime_type)
    return await found(bench.store, await bench.run())


async def correct(
    bench: Bench, reviews: ReviewService, number: str, mime_type: str = "application/pdf"
) -> InvoiceRecord:
    record = await read(bench, number, mime_type=mime_type)
    place = Citation(page=1, box=(0.3, 0.1, 0.35, 0.11), text=number)
    change = ReviewChange({"invoice_number": FieldChange(number, place)})
    ids = record.account_id, record.invoice.id
    review = await reviews.change(*ids, record.review_revision, change, COMMAND_LINE)
    await reviews.confirm(*ids, review.revision, COMMAND_LINE)
    return record


async def test_the_third_invoice_of_a_vendor_needs_no_correction(bench: Bench, reviews: ReviewService) -> None:
    examples = [await correct(bench, reviews, "A-1"), await correct(bench, reviews, "A-2")]
    third = await read(bench, "A-3")
    assert third.invoice.invoice_number == "A-3"
    number = (await reviews.get(third.account_id, third.invoice.id)).fields["invoice_number"]
    assert set(number.earlier) == {record.invoice.id for record in examples}
    assert number.doubt is not None
    assert number.doubt.text == "Chosen as on 2 earlier invoices."
    assert ReadBy.MEMORY in number.candidates[0].sources


async def test_an_electronic_invoice_neither_teaches_nor_is_changed(bench: Bench, reviews: ReviewService) -> None:
    for number in ("A-1", "A-2"):
        await correct(bench, reviews, number, "application/xml")
    assert (await read(bench, "A-3")).invoice.invoice_number == "C-7"
    for number in ("A-4", "A-5"):
        await correct(bench, reviews, number)
    assert (await read(bench, "A-6")).invoice.invoice_number == "A-6"
    assert (await read(bench, "A-7", mime_type="application/xml")).invoice.invoice_number == "C-7"


async def test_nothing_is_remembered_of_what_is_opened_again_or_rejected(bench: Bench, reviews: ReviewService) -> None:
    for record in [await correct(bench, reviews, "A-1"), await correct(bench, reviews, "A-2")]:
        review = await reviews.get(record.account_id, record.invoice.id)
        await reviews.reject(record.account_id, record.invoice.id, review.revision, "wrong", COMMAND_LINE)
    assert (await read(bench, "A-3")).invoice.invoice_number == "C-7"


async def test_a_vendor_is_forgotten(bench: Bench, reviews: ReviewService, memory: MemoryService) -> None:
    first, second = await correct(bench, reviews, "A-1"), await correct(bench, reviews, "A-2")
    ids = first.account_id, first.invoice.id
    assert {each.invoice_id for each in await memory.about(*ids)} == {first.invoice.id, second.invoice.id}
    assert await memory.forget_vendor(*ids, COMMAND_LINE) == 2
    assert await memory.about(*ids) == []
    assert (await read(bench, "A-3")).invoice.invoice_number == "C-7"


async def test_what_a_vendor_taught_is_known_of_one_that_is_merged_with_it(
    bench: Bench, reviews: ReviewService, memory: MemoryService
) -> None:
    first = (await correct(bench, reviews, "A-1")).invoice
    second = (await correct(bench, reviews, "A-2")).invoice
    other = (await read(bench, "B-1", vendor="Bolt")).invoice
    assert other.invoice_number == "C-7"
    assert first.vendor_id is not None
    assert other.vendor_id is not None
    assert await bench.store.vendors.merge(bench.account.id, first.vendor_id, other.vendor_id)
    later = (await read(bench, "B-2", vendor="Bolt")).invoice
    assert (later.invoice_number, later.vendor_name, later.vendor_id) == ("B-2", "Bolt", first.vendor_id)
    taught = await memory.about(bench.account.id, later.id)
    assert {each.invoice_id for each in taught} == {first.id, second.id}
    assert await bench.store.vendors.split(bench.account.id, other.vendor_id)
    assert (await read(bench, "B-3", vendor="Bolt")).invoice.invoice_number == "C-7"


async def test_memory_out_of_reach_costs_nothing_but_itself(
    store: Store, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def lost(*_: object) -> None:
        raise StoreUnreachable

    monkeypatch.setattr(store.memory, "examples", lost)
    sections = [section("A-3", "C-7")]
    assert await VendorMemory(store.memory, store.vendors).apply_vendor_history(account.id, sections) == sections
