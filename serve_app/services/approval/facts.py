"""What an approver sees of an invoice, in the mail and on the page."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Self

from babel.numbers import get_currency_precision

from serve_app.domain.invoice import Confidence, Field, Invoice
from serve_app.domain.plain_text import one_line, shortened

_VALUE_LENGTH = 200
_NAME_LENGTH = 60
_NOT_FOUND = "not found"
_SURE = {
    Confidence.HIGH: "high: two readings agree and the sums check out",
    Confidence.MID: "medium: compare it with the document",
    Confidence.LOW: "low: compare it with the document",
}


@dataclass(frozen=True, slots=True)
class ApprovalFacts:
    """Single-line texts, safe to show as text; a template escapes them for HTML. `title` names the invoice, `rows` are
    pairs of name and value."""

    title: str
    rows: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...]

    @classmethod
    def of(cls, invoice: Invoice) -> Self:
        """The facts of an invoice as it is now."""
        return cls(_title(invoice), tuple(_rows(invoice)), tuple(_warnings(invoice)))

    @property
    def fingerprint(self) -> str:
        """A hash that changes if any fact changes."""
        return hashlib.sha256(json.dumps([self.title, self.rows, self.warnings]).encode()).hexdigest()


def _rows(invoice: Invoice) -> Iterator[tuple[str, str]]:
    yield "Vendor", _text(invoice.vendor_name)
    yield "Invoice number", _text(invoice.invoice_number)
    yield "Amount", _money(invoice.amount, invoice.currency)
    yield "Amount confidence", _sure(invoice)
    yield "Tax", _money(invoice.tax, invoice.currency)
    yield "Issued on", _day(invoice.issued_at)
    yield "Due on", _day(invoice.due_at)
    yield "File", _text(invoice.file.name)


def _warnings(invoice: Invoice) -> Iterator[str]:
    if invoice.duplicate_of is not None:
        yield "Possible duplicate: an earlier invoice has the same vendor, number and amount."
    if invoice.paid:
        yield "This invoice is already marked as paid."
    if invoice.einvoice is not None and not invoice.einvoice.matches_page:
        yield "The electronic invoice inside the file contradicts its pages."


def _title(invoice: Invoice) -> str:
    number = shortened(one_line(invoice.invoice_number or ""), _NAME_LENGTH)
    vendor = shortened(one_line(invoice.vendor_name or ""), _NAME_LENGTH) or "an unknown vendor"
    return f"invoice {number} from {vendor}" if number else f"invoice from {vendor}"


def _sure(invoice: Invoice) -> str:
    found = (invoice.field_confidence or {}).get(Field.AMOUNT)
    return _NOT_FOUND if found is None else _SURE[found]


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
