"""What an approver sees of an invoice, in the mail and on the page."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from datetime import date
from decimal import Decimal
from typing import Self

from babel.numbers import get_currency_precision

from serve_app.domain.invoice import CheckKind, Confidence, Field, FieldSource, Invoice
from serve_app.domain.plain_text import one_line, shortened
from serve_app.domain.provenance import correction_text, provenance_of

_VALUE_LENGTH = 200
_NAME_LENGTH = 60
_NOT_FOUND = "not found"
_NOT_PRINTED = "none"
_ENTERED = "none: no model extracted this amount"
_SURE = {
    Confidence.HIGH: "high: both models agree and the sums are right",
    Confidence.MID: "medium: compare it with the document",
    Confidence.LOW: "low: compare it with the document",
}


@dataclass(frozen=True, slots=True)
class Fact:
    """A name and its value. `note` tells who has entered the value and what was read instead; empty if it was read."""

    name: str
    value: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class ApprovalFacts:
    """Single-line texts, safe to show as text; a template escapes them for HTML. `title` names the invoice."""

    title: str
    rows: tuple[Fact, ...]
    warnings: tuple[str, ...]

    @classmethod
    def of(cls, invoice: Invoice) -> Self:
        """The facts of an invoice as it is now."""
        return cls(_title(invoice), tuple(_rows(invoice)), tuple(_warnings(invoice)))

    @property
    def fingerprint(self) -> str:
        """A hash that changes if any fact changes."""
        return hashlib.sha256(json.dumps([self.title, [*map(astuple, self.rows)], self.warnings]).encode()).hexdigest()


def _rows(invoice: Invoice) -> Iterator[Fact]:
    yield _fact(invoice, "Vendor", Field.VENDOR, _text(invoice.vendor_name))
    yield _fact(invoice, "Invoice number", Field.INVOICE_NUMBER, _text(invoice.invoice_number))
    yield _fact(invoice, "Amount", Field.AMOUNT, _money(invoice.amount, invoice.currency))
    yield Fact("Amount confidence", _confidence(invoice))
    if Field.CURRENCY in invoice.review.corrections:
        # Else the amount shows it.
        yield _fact(invoice, "Currency", Field.CURRENCY, _text(invoice.currency))
    yield _fact(invoice, "Tax", Field.TAX, _money(invoice.tax, invoice.currency))
    yield _fact(invoice, "Issued on", Field.ISSUED_AT, _day(invoice.issued_at))
    yield _fact(invoice, "Due on", Field.DUE_AT, _day(invoice.due_at))
    yield Fact("File", _text(invoice.file.name))


def _fact(invoice: Invoice, name: str, field: Field, value: str) -> Fact:
    correction = provenance_of(invoice, field).correction
    if correction is None:
        return Fact(name, value)
    return Fact(name, _NOT_PRINTED if value == _NOT_FOUND else value, correction_text(field, correction))


def _warnings(invoice: Invoice) -> Iterator[str]:
    if invoice.duplicate_of is not None:
        yield "Possible duplicate: an earlier invoice has the same vendor, number and amount."
    if invoice.paid:
        yield "This invoice is already marked as paid."
    if invoice.einvoice is not None and not invoice.einvoice.matches_page:
        yield "The electronic invoice in the file differs from its pages."
    if any(not code.matches_page for code in invoice.codes):
        yield "A code on the invoice differs from its pages."
    yield from (check.text for check in invoice.checks if check.kind is not CheckKind.DATA_DIFFERS)


def _title(invoice: Invoice) -> str:
    number = shortened(one_line(invoice.invoice_number or ""), _NAME_LENGTH)
    vendor = shortened(one_line(invoice.vendor_name or ""), _NAME_LENGTH) or "an unknown vendor"
    return f"invoice {number} from {vendor}" if number else f"invoice from {vendor}"


def _confidence(invoice: Invoice) -> str:
    found = provenance_of(invoice, Field.AMOUNT)
    if found.source is FieldSource.PERSON:
        return _ENTERED
    return _NOT_FOUND if found.level is None else _SURE[found.level]


def _text(value: str | None) -> str:
    return shortened(one_line(value or ""), _VALUE_LENGTH) or _NOT_FOUND


def _day(value: date | None) -> str:
    return _NOT_FOUND if value is None else value.isoformat()


def _money(value: Decimal | None, currency: str | None) -> str:
    """Exact; thousands are separated by spaces, which no country uses as a decimal mark."""
    if value is None:
        return _NOT_FOUND
    unit = one_line(currency or "")
    exponent = value.normalize().as_tuple().exponent
    places = max(get_currency_precision(unit), -exponent if isinstance(exponent, int) else 0)
    return f"{value:,.{places}f}".replace(",", "\N{NO-BREAK SPACE}") + f" {unit or '(currency not found)'}"
