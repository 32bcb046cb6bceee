"""Invoices of realistic size: about a kilobyte each, of two thousand vendors."""

from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from random import Random
from uuid import UUID

from benchmarks.store.filling import created_at, id_at
from serve_app.domain.invoice import (
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
from serve_app.domain.record import InvoiceRecord

VENDORS = 2_000
COMMON, RARE = "trading", "zyx holdings"
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
    )
    return InvoiceRecord(invoice, account_id, f"{account_id}/{invoice_id}", next_run_at=None)


def extraction(number: int, rng: Random) -> Extraction:
    """What was read of an invoice."""
    # Of the last vendor there are few, however many invoices there are.
    vendor = VENDORS - 1 if number in (3, 5, 7) else rng.randrange(VENDORS - 1)
    amount = Decimal(rng.randint(500, 900_000)) / 100
    issued = date(2026, 1, 1) + timedelta(days=number % 365)
    return Extraction.model_construct(
        vendor_name=vendor_name(vendor),
        invoice_number=f"INV-{number:07d}",
        amount=amount,
        currency="EUR",
        issued_at=issued,
        due_at=issued + timedelta(days=30),
        tax=(amount / 6).quantize(Decimal("0.01")),
        line_items=[_ITEM, _ITEM],
        field_confidence=_CONFIDENCE,
        citations=_CITATIONS,
        quality_score=0.93,
        auto_verified=True,
        pages=1,
        models=_REVISIONS,
    )


_ITEM = LineItem(description="Paper, A4, 80 g", quantity=Decimal(10), unit_price=Decimal("4.50"), confidence=None)
_CITATIONS: dict[Field, Citation | list[Citation]] = {
    field: Citation(page=1, box=(0.121, 0.0719, 0.3226, 0.0886), text="as printed") for field in _CITED
}
