"""Invoices to export, and vendors whose names break careless files."""

from datetime import date
from decimal import Decimal
from typing import Any

from serve_app.domain.coding import Coding, CodingStatus, Posting, PostingCode
from serve_app.domain.invoice import (
    Confidence,
    Detail,
    Details,
    DocumentType,
    Field,
    Invoice,
    InvoiceReview,
    LineItem,
    ReviewStatus,
    Status,
    TaxLine,
)
from serve_app.domain.provenance import with_sources
from tests.support import NOON, make_invoice

HOSTILE = {
    "quotes": 'Zum "Goldenen" Hirsch \'n Co',
    "semicolons": "Meier; Müller, & Söhne|GmbH\tNord",
    "umlauts": "Žluťoučký Kůň ł Ørsted œuvre GmbH",
    "formula": '=HYPERLINK("http://example.com";"x")',
    "minus": "-1+1|cmd' /C calc'!A0",
    "full-width formula": "＝1＋1 株式会社",
    "long": "Sehr lange Firma " * 15,
    "right to left": "شركة النور \u202etxt.exe التجارية",
    "emoji": "Café 😀 & Söhne €",
    "line breaks": "First line\r\nSecond\x00line;=2+2",
}
"""Ten, by what is hostile in them."""


def invoice_of(vendor: str = "Acme GmbH", number: str = "2026-17", **other: Any) -> Invoice:
    """A confirmed invoice of 119.00 EUR and 10.70 EUR at two rates."""
    details = Details(
        tax_lines=[
            TaxLine(rate=Decimal(19), base=Decimal("100.00"), amount=Decimal("19.00")),
            TaxLine(rate=Decimal(7), base=Decimal("10.00"), amount=Decimal("0.70")),
        ],
        iban="DE89370400440532013000",
        purchase_order="PO-7",
    )
    values: dict[str, Any] = {
        "status": Status.COMPLETE,
        "vendor_name": vendor,
        "invoice_number": number,
        "amount": Decimal("129.70"),
        "tax": Decimal("19.70"),
        "currency": "EUR",
        "issued_at": date(2026, 5, 2),
        "due_at": date(2026, 6, 1),
        "document_type": DocumentType.INVOICE,
        "line_items": [
            LineItem(description="Paper", quantity=Decimal(1), unit_price=Decimal(100), confidence=Confidence.HIGH),
            LineItem(description="Book", quantity=Decimal(1), unit_price=Decimal(10), confidence=Confidence.HIGH),
        ],
        "details": details,
        "review": InvoiceReview(status=ReviewStatus.CONFIRMED),
    }
    return with_sources(make_invoice().model_copy(update=values | other))


def read_invoice(level: Confidence = Confidence.HIGH, **other: Any) -> Invoice:
    """The same as it was read, with this level for every value; nobody has looked."""
    levels = dict.fromkeys(Field, level)
    whole = invoice_of(**other)
    assert whole.details is not None
    details = whole.details.model_copy(update={"field_confidence": dict.fromkeys(Detail, level)})
    values = {
        "field_confidence": levels,
        "document_type_confidence": level,
        "details": details,
        "auto_verified": level is Confidence.HIGH,
        "review": InvoiceReview(),
    }
    return with_sources(whole.model_copy(update=values | {k: v for k, v in other.items() if k in values}))


def coded(*postings: tuple[int | None, str, dict[str, str]], status: CodingStatus = CodingStatus.CONFIRMED) -> Invoice:
    """An invoice with postings of these lines, amounts and codes."""
    made = [
        Posting(
            line=line,
            share=Decimal(100),
            amount=Decimal(amount),
            codes={
                key: PostingCode(value=value, confidence=None, score=None, reason=None) for key, value in codes.items()
            },
        )
        for line, amount, codes in postings
    ]
    coding = Coding(status=status, auto_coded=False, by="ann@example.com", at=NOON, postings=made)
    rates = [Decimal(19), Decimal(7)]
    items = [
        item.model_copy(update={"tax_rate": rate}) for item, rate in zip(invoice_of().line_items, rates, strict=True)
    ]
    return with_sources(invoice_of(coding=coding, line_items=items))
