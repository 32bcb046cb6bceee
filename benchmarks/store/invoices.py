"""Invoices of realistic size: about a kilobyte each, of two thousand vendors."""

from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from random import Random
from uuid import UUID

from benchmarks.store.filling import created_at, id_at
from serve_app.domain.invoice import (
    ApprovalStatus,
    Batch,
    Citation,
    Confidence,
    Extraction,
    Field,
    FileInfo,
    Invoice,
    LineItem,
    ModelRevisions,
    Source,
    Status,
)
from serve_app.domain.record import InvoiceRecord, file_key_of

VENDORS = 2_000
COMMON, RARE = "trading", "zyx holdings"
RARE_ONES = (3, 5, 7)
"""The numbers of the invoices that have what hardly any other has, however many there are."""
FILE = range(11, 14)
"""The numbers of the invoices that came in one file."""
_KINDS = (
    "Trading Ltd",
    "Logistics GmbH",
    "Supplies Inc",
    "& Sons",
    "Print Works",
    "Foods Ltd",
    "Telecom plc",
    "Energy",
)
_PLACES = ("Northwind", "Harbour", "Castle", "Meridian", "Oakfield", "Riverside", "Quarry Hill", "Silverline")
_REVISIONS = ModelRevisions(extractor="extractor-20261121-828c095d", verifier="verifier-20261121-8f257bb1")
_CITED = (Field.VENDOR, Field.INVOICE_NUMBER, Field.AMOUNT)
_CONFIDENCE = dict.fromkeys((*_CITED, Field.CURRENCY, Field.ISSUED_AT, Field.DUE_AT, Field.TAX), Confidence.HIGH)


def vendor_name(number: int) -> str:
    """One of the vendors; the last is hardly ever seen."""
    if number == VENDORS - 1:
        return "Zyx Holdings SA"
    return f"{_PLACES[number % len(_PLACES)]} {_KINDS[number // 8 % len(_KINDS)]} {number}"


def vendor_id(number: int) -> UUID:
    """The id of the vendor with this number."""
    return UUID(int=(7 << 76) | (2 << 62) | number)


def records(account_id: UUID, first: int, count: int, status: Status = Status.COMPLETE) -> Iterator[InvoiceRecord]:
    """The account's invoices with the numbers from `first` on; of complete ones every fiftieth has failed instead."""
    rng = Random(first)  # noqa: S311 - variety, not secrecy
    for number in range(first, first + count):
        failed = status is Status.COMPLETE and number % 50 == 0
        yield _record(account_id, number, rng, Status.FAILED if failed else status)


def _record(account_id: UUID, number: int, rng: Random, status: Status) -> InvoiceRecord:
    read = extraction(number, rng) if status is Status.COMPLETE else Extraction()
    moment, invoice_id = created_at(number), id_at(number)
    # Not validated: these are ours, and a million of them.
    invoice = Invoice.model_construct(
        **dict(read),
        id=invoice_id,
        status=status,
        source=Source.API,
        created_at=moment,
        updated_at=moment,
        file=FileInfo(name=f"scan-{number}.pdf", mime_type="application/pdf", size_bytes=48_000 + number % 9_000),
        paid=number % 3 != 0,
        paid_at=moment if number % 3 != 0 else None,
        vendor_id=vendor_id(_vendor_of(read)) if read.vendor_name else None,
        entity_tag="rare" if number in RARE_ONES else "north" if number % 2 else None,
        approval_status=ApprovalStatus.REJECTED if number in RARE_ONES else _APPROVALS.get(number % 4),
        duplicate_of=id_at(number - 1) if number % 20 == 1 else None,
    )
    file = id_at(FILE.start) if number in FILE else invoice_id
    return InvoiceRecord(invoice, account_id, file_key_of(account_id, file), next_run_at=None)


def _vendor_of(read: Extraction) -> int:
    return VENDORS - 1 if read.vendor_name == vendor_name(VENDORS - 1) else int(str(read.vendor_name).split()[-1])


def extraction(number: int, rng: Random) -> Extraction:
    """What was read of an invoice."""
    # Of the last vendor there are few, however many invoices there are, and of the first many.
    vendor = VENDORS - 1 if number in RARE_ONES else 0 if number % 10 == 4 else rng.randrange(VENDORS - 1)
    amount = Decimal(rng.randint(500, 900_000)) / 100
    issued = date(2026, 1, 1) + timedelta(days=number % 365)
    return Extraction.model_construct(
        vendor_name=vendor_name(vendor),
        invoice_number=f"INV-{number:07d}",
        amount=amount,
        currency="USD" if number in RARE_ONES else "EUR",
        issued_at=issued,
        due_at=issued + timedelta(days=30),
        tax=(amount / 6).quantize(Decimal("0.01")),
        line_items=[_ITEM, _ITEM],
        field_confidence=_CONFIDENCE,
        citations=_CITATIONS,
        quality_score=0.93,
        auto_verified=True,
        pages=1,
        batch=_batch(number),
        models=_REVISIONS,
    )


def _batch(number: int) -> Batch | None:
    if number not in FILE:
        return None
    index = FILE.index(number) + 1
    return Batch(id=id_at(FILE.start), index=index, count=len(FILE), first_page=index, last_page=index)


_APPROVALS = {1: ApprovalStatus.REQUESTED, 2: ApprovalStatus.APPROVED}
_ITEM = LineItem(description="Paper, A4, 80 g", quantity=Decimal(10), unit_price=Decimal("4.50"), confidence=None)
_CITATIONS: dict[Field, Citation | list[Citation]] = {
    field: Citation(page=1, box=(0.121, 0.0719, 0.3226, 0.0886), text="as printed") for field in _CITED
}
