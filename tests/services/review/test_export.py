"""Confirmed invoices become a folder on which models are measured and trained."""

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from models.evaluation.dataset import load_dataset
from models.training.real import RealDataError, read_real
from serve_app.domain.account import Account
from serve_app.domain.batch import Section, records_of
from serve_app.domain.document import Box
from serve_app.domain.evidence import Evidence, PageWords, pack
from serve_app.domain.invoice import Citation, Extraction, Field, LineItem, ReviewStatus
from serve_app.domain.record import InvoiceRecord, evidence_key_of
from serve_app.domain.review import Verdict
from serve_app.domain.vendor import NOTHING_KNOWN
from serve_app.services.invoices.erase import InvoiceEraser
from serve_app.services.review.export import CorrectionsExport, Exported
from serve_app.store.base import Files, Store
from tests.store.test_reviews import found, say, saying
from tests.support import NOON, PDF_BYTES, claim_next, queue_new

READ = Extraction(
    vendor_name="Acme Ltd",
    invoice_number="A-1",
    amount=Decimal("10.00"),
    currency="EUR",
    issued_at=date(2026, 5, 1),
    pages=1,
    line_items=[LineItem(description="Bolt", quantity=Decimal(1), unit_price=Decimal(10), confidence=None)],
    citations={
        Field.VENDOR: Citation(page=1, box=(0.0, 0.0, 0.2, 0.01), text="Acme Ltd"),
        Field.AMOUNT: Citation(page=1, box=(0.5, 0.5, 0.6, 0.51), text="10.00"),
    },
)
WORDS = PageWords(
    1,
    595.0,
    842.0,
    "Acme Ltd Total 10.00 12.00",
    (
        *(0, 0, 900, 100, 1000, 0, 2000, 100),
        *(4000, 5000, 4900, 5100, 5000, 5000, 6000, 5100, 7000, 7000, 8000, 7100),
    ),
)


@pytest.fixture
def export(store: Store, files: Files) -> CorrectionsExport:
    return CorrectionsExport(store.reviews, files)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "export"


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


async def read_one(
    store: Store,
    files: Files,
    account: Account,
    parts: int = 1,
    words: PageWords = WORDS,
    read: Extraction = READ,
) -> InvoiceRecord:
    await queue_new(store, account.id)
    claim = await claim_next(store)
    await files.write(claim.file_key, PDF_BYTES)
    key = evidence_key_of(account.id, claim.invoice.id, claim.attempt)
    await files.write(key, pack(Evidence((words,))))
    first, siblings = records_of(claim, [Section(page, page, read) for page in range(1, parts + 1)], NOON)
    await store.queue.save_result(claim, first, NOON, siblings, NOTHING_KNOWN, key)
    return await found(store, claim)


async def confirm(store: Store, record: InvoiceRecord, **values: str | None) -> InvoiceRecord:
    verdict = Verdict(status=ReviewStatus.CONFIRMED, by="Ann", at=NOON)
    return await say(store, record, record.review.changed(saying(**values), verdict))


async def test_it_is_read_by_measuring_and_by_training(
    export: CorrectionsExport, store: Store, files: Files, account: Account, folder: Path
) -> None:
    record = await confirm(store, await read_one(store, files, account), invoice_number="A-7", due_at=None)
    await read_one(store, files, account)
    assert await export.run(account.id, folder) == Exported(files=1, lines=1)
    (case,) = load_dataset(folder)
    assert (case.path.read_bytes(), case.kind, case.name) == (
        PDF_BYTES,
        "text-pdf",
        f"corrections/{record.invoice.id}.pdf",
    )
    (truth,) = case.truths
    values = {name: truth[name] for name in ("vendor_name", "invoice_number", "amount", "issued_at", "due_at", "tax")}
    assert values == {
        "vendor_name": "Acme Ltd",
        "invoice_number": "A-7",
        "amount": 10.0,
        "issued_at": "2026-05-01",
        "due_at": None,
        "tax": None,
    }
    assert truth["line_items"] == [{"description": "Bolt", "quantity": 1.0, "unit_price": 10.0, "_total": None}]
    (document,) = read_real(folder)
    assert document.tags == (("B-SELLER", "I-SELLER", "?", "B-TOTAL", "?"),)
    assert document.values["invoice_number"] == "A-7"


async def test_a_value_that_was_corrected_without_its_place_labels_no_words(
    export: CorrectionsExport, store: Store, files: Files, account: Account, folder: Path
) -> None:
    await confirm(store, await read_one(store, files, account), amount="12.00")
    await export.run(account.id, folder)
    (document,) = read_real(folder)
    assert document.tags == (("B-SELLER", "I-SELLER", "?", "?", "?"),)


async def test_words_of_a_straightened_page_stand_where_the_models_see_them(
    export: CorrectionsExport, store: Store, files: Files, account: Account, folder: Path
) -> None:
    # The page slants: a box around the two words of the name contains one of the line below.
    boxes = (*WORDS.boxes[:12], *(300, 50, 800, 150), *WORDS.boxes[16:])
    upright = tuple(range(100, 300, 10))
    name = Citation(page=1, box=(0.0, 0.0, 0.2, 0.02), text="Acme Ltd")
    read = READ.model_copy(update={"citations": {**(READ.citations or {}), Field.VENDOR: name}})
    turned = PageWords(1, 600.0, 800.0, WORDS.texts, boxes, (99,) * 5, is_turned=True, upright=upright)
    await confirm(store, await read_one(store, files, account, words=turned, read=read))
    assert await export.run(account.id, folder) == Exported(files=1, lines=1)
    (document,) = read_real(folder)
    assert document.tags == (("B-SELLER", "I-SELLER", "?", "?", "?"),)
    (page,) = document.document.pages
    assert (page.width, page.height, page.words[0].box) == (600.0, 800.0, Box(0.01, 0.011, 0.012, 0.013))


async def test_a_straightened_page_of_an_earlier_version_is_measured_on_and_not_trained_on(
    export: CorrectionsExport, store: Store, files: Files, account: Account, folder: Path
) -> None:
    turned = PageWords(1, 595.0, 842.0, WORDS.texts, WORDS.boxes, (99,) * 5, is_turned=True)
    await confirm(store, await read_one(store, files, account, words=turned))
    assert await export.run(account.id, folder) == Exported(files=1, lines=0)
    assert len(load_dataset(folder)) == 1
    with pytest.raises(RealDataError):
        read_real(folder)


async def test_a_file_of_several_is_left_out_until_all_are_confirmed(
    export: CorrectionsExport, store: Store, files: Files, account: Account, folder: Path
) -> None:
    await read_one(store, files, account, parts=2)
    one, other = await store.erasure.next_invoices(account.id, 10)
    await confirm(store, one)
    assert await export.run(account.id, folder) == Exported(unconfirmed=1)
    await confirm(store, other)
    done = await export.run(account.id, folder)
    assert (done.files, done.unconfirmed) == (1, 0)
    (case,) = load_dataset(folder)
    assert [truth["_pages"] for truth in case.truths] == [[1], [2]]


async def test_what_was_erased_or_taken_back_leaves_the_folder(
    export: CorrectionsExport, store: Store, files: Files, account: Account, folder: Path
) -> None:
    kept, erased, reopened = [await confirm(store, await read_one(store, files, account)) for _ in range(3)]
    (folder / "docs" / "mine").mkdir(parents=True)
    (folder / "docs" / "mine" / "a.pdf").write_bytes(b"mine")
    assert (await export.run(account.id, folder)).files == 3
    await InvoiceEraser(store, files).erase(account.id, erased.invoice.id)
    await say(store, reopened, reopened.review.changed({}, Verdict()))
    assert await export.run(account.id, folder) == Exported(files=1, lines=1, removed=2)
    assert names_in(folder) == sorted(
        ["MANIFEST.csv", "corrections.jsonl", "a.pdf", f"{kept.invoice.id}.pdf", f"{kept.invoice.id}.pdf.json"]
    )
    assert str(erased.invoice.id) not in (folder / "corrections.jsonl").read_text()
