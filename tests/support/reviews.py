"""Invoices that wait for a person: the sample, read with three values in doubt."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import cache

from serve_app.documents.limits import Limits
from serve_app.documents.pdf.text_layer import read_text_layer
from serve_app.domain.account import Account
from serve_app.domain.batch import Section, records_of, sibling_id
from serve_app.domain.clock import month_start
from serve_app.domain.evidence import (
    UNITS,
    Candidate,
    Doubt,
    DoubtCode,
    Evidence,
    FieldEvidence,
    PageWords,
    ReadBy,
    pack,
)
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import (
    VERIFIED_BY,
    Citation,
    Confidence,
    Extraction,
    Field,
    FileInfo,
    Invoice,
    ReviewStatus,
)
from serve_app.domain.invoice import Source as WayIn
from serve_app.domain.record import evidence_key_of, new_record
from serve_app.domain.review import Decision, Verdict
from serve_app.store.base import Files, Store
from serve_app.store.base.reviews import NewReview
from tests.support import claim_next, queue_new
from tests.support.showcase import SAMPLE, sample_read

HOUR = timedelta(hours=1)
Box = tuple[int, int, int, int]


@cache
def sample_words() -> tuple[PageWords, ...]:
    """The words of the sample's page."""
    pages = read_text_layer(SAMPLE.read_bytes(), Limits())
    return tuple(
        PageWords(
            page.number,
            page.width,
            page.height,
            " ".join(word.text for word in page.words),
            tuple(
                round(side * UNITS)
                for word in page.words
                for side in (word.box.x0, word.box.y0, word.box.x1, word.box.y1)
            ),
        )
        for page in pages
    )


def box_of(*texts: str) -> Box:
    """The box around neighbouring words of the sample."""
    (page, *_) = sample_words()
    words = page.words
    start = next(at for at in range(len(words)) if words[at : at + len(texts)] == list(texts))
    boxes = [page.boxes[4 * at : 4 * at + 4] for at in range(start, start + len(texts))]
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _candidate(value: str, score: float, source: ReadBy, *texts: str) -> Candidate:
    return Candidate(value, " ".join(texts), (source,), score, 1, box_of(*texts))


def sample_evidence(earlier: Sequence[str] = ()) -> Evidence:
    """Of vendor, issue date and amount, the models read two values each; `earlier` invoices speak for the amount."""
    differ = DoubtCode.MODELS_DIFFER
    name = ("Ewing", "&", "Kennedy", "LLC")
    return Evidence(
        pages=sample_words(),
        fields={
            Field.VENDOR: FieldEvidence(
                (
                    _candidate("Digital Benson Co.", 0.52, ReadBy.EXTRACTOR, "Digital", "Benson", "Co."),
                    _candidate("Ewing & Kennedy LLC", 0.47, ReadBy.VERIFIER, *name),
                ),
                Doubt(differ, "The models differ: Digital Benson Co. and Ewing & Kennedy LLC."),
            ),
            Field.ISSUED_AT: FieldEvidence(
                (
                    _candidate("2019-04-24", 0.61, ReadBy.EXTRACTOR, "04/24/19"),
                    _candidate("2019-04-30", 0.58, ReadBy.VERIFIER, "04/30/19"),
                ),
                Doubt(differ, "The models differ: 24 April 2019 and 30 April 2019."),
            ),
            Field.AMOUNT: FieldEvidence(
                (
                    _candidate("349.34", 0.55, ReadBy.EXTRACTOR, "USD349.34"),
                    _candidate("380.34", 0.44, ReadBy.VERIFIER, "USD380.34"),
                ),
                Doubt(DoubtCode.SUMS_MISS, "Net and tax make 380.34: 31.00 more."),
                earlier=tuple(earlier),
            ),
        },
    )


async def add_doubtful(
    store: Store,
    files: Files,
    account: Account,
    now: datetime,
    *,
    due: datetime | None = None,
    earlier: Sequence[str] = (),
) -> Invoice:
    """Adds the sample with three wrong values that are in doubt."""
    data = SAMPLE.read_bytes()
    file = FileInfo(name="invoice.pdf", mime_type="application/pdf", size_bytes=len(data))
    record = new_record(Invoice(id=new_id(), source=WayIn.APP, created_at=now, updated_at=now, file=file), account.id)
    await store.intake.reserve(record, month_start(now), None)
    await files.write(record.file_key, data)
    await store.intake.add(record)
    claim = await claim_next(store, HOUR)
    key = evidence_key_of(account.id, claim.invoice.id, claim.attempt)
    await files.write(key, pack(sample_evidence(earlier)))
    read = sample_read()
    wrong = {
        "vendor_name": "Digital Benson Co.",
        "amount": Decimal("349.34"),
        "issued_at": date(2019, 4, 24),
        "due_at": due.date() if due else None,
        "field_confidence": {
            **(read.field_confidence or {}),
            **dict.fromkeys((Field.VENDOR, Field.AMOUNT, Field.ISSUED_AT), Confidence.LOW),
            Field.TAX: Confidence.HIGH,
        },
        "einvoice": None,
        "citations": {
            **(read.citations or {}),
            Field.VENDOR: _cited(Field.VENDOR),
            Field.ISSUED_AT: _cited(Field.ISSUED_AT),
            Field.AMOUNT: _cited(Field.AMOUNT),
        },
    }
    saved = await store.queue.save_result(claim, read.model_copy(update=wrong), now, evidence_key=key)
    assert saved is not None
    return saved


def _cited(field: Field) -> Citation:
    """Where the first of the readings stands, which was taken."""
    return sample_evidence().fields[field].candidates[0].citation


async def add_pile(store: Store, files: Files, account: Account, now: datetime, count: int) -> Sequence[Invoice]:
    """Adds several of them; the newest comes last."""
    return [
        await add_doubtful(store, files, account, now - timedelta(minutes=count - number)) for number in range(count)
    ]


BATCH = SAMPLE.with_name("batch.pdf")
# How likely an invoice begins on each page of the batch, in percent; the second page's was missed.
_BEGINS = (99, 46, 2, 1, 97, 3, 1, 2)


async def add_batch(store: Store, files: Files, account: Account, now: datetime) -> Invoice:
    """Adds a file of three invoices in which two were found: pages 1 to 4, and 5 to 8. Returns the first."""
    data = BATCH.read_bytes()
    file = FileInfo(name="scans-of-monday.pdf", mime_type="application/pdf", size_bytes=len(data))
    record = new_record(Invoice(id=new_id(), source=WayIn.APP, created_at=now, updated_at=now, file=file), account.id)
    await store.intake.reserve(record, month_start(now), None)
    await files.write(record.file_key, data)
    await store.intake.add(record)
    claim = await claim_next(store, HOUR)
    sections = [
        Section(1, 4, Extraction(vendor_name="Station-service Legendre", invoice_number="RN220663", pages=4)),
        Section(5, 8, Extraction(vendor_name="Special Shapes LLC", invoice_number="2024-07-779", pages=4)),
    ]
    keys = []
    for index, section in enumerate(sections, 1):
        pages = [
            PageWords(page - section.first_page + 1, 595.0, 842.0, "", (), (), _BEGINS[page - 1])
            for page in range(section.first_page, section.last_page + 1)
        ]
        keys.append(evidence_key_of(account.id, sibling_id(claim.invoice.id, index), claim.attempt))
        await files.write(keys[-1], pack(Evidence(tuple(pages))))
    first, others = records_of(claim, sections, now, keys)
    saved = await store.queue.save_result(claim, first, now, others, evidence_key=keys[0])
    assert saved is not None
    return saved


_CHECKED = Extraction(
    vendor_name="Acme Ltd",
    invoice_number="A-1",
    amount=Decimal(100),
    currency="EUR",
    issued_at=date(2026, 5, 1),
    field_confidence=dict.fromkeys(VERIFIED_BY, Confidence.MID),
)
_TARGETS = {"0.99": 0.9, "0.995": 0.95, "0.999": 1.0}


async def add_checked(
    store: Store, files: Files, account: Account, now: datetime, chance: float, amount: str | None = None
) -> None:
    """Adds an invoice that a person has confirmed, whose values have this chance; `amount` is a corrected one."""
    await queue_new(store, account.id, now)
    claim = await claim_next(store, HOUR)
    key = evidence_key_of(account.id, claim.invoice.id, claim.attempt)
    seen = FieldEvidence(chance=chance, may_be_high=True, models_agree=True, targets=_TARGETS)
    await files.write(key, pack(Evidence(fields={str(field): seen for field in VERIFIED_BY})))
    await store.queue.save_result(claim, _CHECKED, now, evidence_key=key)
    record = await store.invoices.find_record(account.id, claim.invoice.id)
    assert record is not None
    decisions = {} if amount is None else {"amount": Decision(value=amount, by="ann@example.com", at=now)}
    review = record.review.changed(decisions, Verdict(status=ReviewStatus.CONFIRMED, by="Ann", at=now))
    await store.reviews.save(account.id, claim.invoice.id, NewReview(review, record.review_revision, now))
