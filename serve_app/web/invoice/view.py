"""What the page of one invoice shows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from serve_app.domain.code_kinds import CodeKind
from serve_app.domain.embedded_data import EInvoiceField
from serve_app.domain.invoice import (
    Citation,
    Confidence,
    Detail,
    Details,
    Field,
    Invoice,
    LineItem,
    ReviewStatus,
    Status,
)
from serve_app.domain.provenance import provenance_of
from serve_app.domain.sums import Check, checks_of
from serve_app.web.corrections import correction_note
from serve_app.web.formats import Formats
from serve_app.web.invoices.view import Label, payment_of, state_of, title_of

_FIELDS = {
    Field.VENDOR: "Vendor",
    Field.INVOICE_NUMBER: "Number",
    Field.ISSUED_AT: "Issued",
    Field.DUE_AT: "Due",
    Field.AMOUNT: "Amount",
    Field.TAX: "Tax",
    Field.CURRENCY: "Currency",
}
_DETAILS = {
    Detail.BUYER_NAME: "Buyer",
    Detail.PURCHASE_ORDER: "Order number",
    Detail.SUBTOTAL: "Subtotal",
    Detail.SHIPPING: "Shipping",
    Detail.DISCOUNT: "Discount",
    Detail.AMOUNT_PAID: "Already paid",
    Detail.AMOUNT_DUE: "Amount due",
    Detail.VENDOR_TAX_ID: "Vendor’s tax number",
    Detail.BUYER_TAX_ID: "Buyer’s tax number",
    Detail.IBAN: "IBAN",
    Detail.PAYMENT_TERMS: "Terms",
}
_EINVOICE = {
    EInvoiceField.INVOICE_NUMBER: "number",
    EInvoiceField.AMOUNT: "amount",
    EInvoiceField.TAX: "tax",
    EInvoiceField.CURRENCY: "currency",
    EInvoiceField.ISSUED_AT: "issue date",
    EInvoiceField.DUE_AT: "due date",
    EInvoiceField.VAT_ID: "VAT number",
    EInvoiceField.IBAN: "IBAN",
}


@dataclass(frozen=True, slots=True)
class Value:
    """One value. `key` joins it with its places on the pages; `page` is that of the first, None if it has none. `note`
    tells who has entered the value; empty if it was read, as only then it has a `level`."""

    key: str
    label: str
    text: str
    level: Confidence | None
    note: str
    page: int | None
    is_found: bool


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value is printed: a box in fractions of its page."""

    key: str
    label: str
    level: Confidence | None
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Sheet:
    """One page of the document."""

    number: int
    places: Sequence[Place]


@dataclass(frozen=True, slots=True)
class Line:
    """One line item."""

    key: str
    item: LineItem
    page: int | None


@dataclass(frozen=True, slots=True)
class Tax:
    """The tax of one rate."""

    key: str
    rate: Decimal | None
    base: Decimal | None
    amount: Decimal | None
    page: int | None


@dataclass(frozen=True, slots=True)
class Difference:
    """Where the electronic invoice in the file, or a code, and the page differ."""

    name: str
    given: str
    page: str | None


@dataclass(frozen=True, slots=True)
class CodeView:
    """A code on a page."""

    profile: str
    page: int
    differences: Sequence[Difference]


@dataclass(frozen=True, slots=True)
class InvoiceView:
    """Everything that the page shows about the invoice itself."""

    invoice: Invoice
    title: str
    state: Label
    payment: Label | None
    values: Sequence[Value]
    details: Sequence[Value]
    lines: Sequence[Line]
    taxes: Sequence[Tax]
    checks: Sequence[Check]
    differences: Sequence[Difference]
    codes: Sequence[CodeView]
    sheets: Sequence[Sheet]
    lines_note: str
    taxes_note: str

    @property
    def entered(self) -> int:
        """How many of the values somebody has entered."""
        return sum(bool(value.note) for value in (*self.values, *self.details))

    @property
    def may_be_paid(self) -> bool:
        """Whether it is offered to mark it as paid, or as unpaid."""
        invoice = self.invoice
        is_rejected = invoice.review.status is ReviewStatus.REJECTED
        return invoice.status is Status.COMPLETE and (invoice.paid or not is_rejected)

    @property
    def levels(self) -> list[tuple[Confidence, int]]:
        """How many of the values have which confidence."""
        counted = [value.level for value in (*self.values, *self.details) if value.is_found]
        return [(level, counted.count(level)) for level in Confidence if level in counted]


def view_of(invoice: Invoice, formats: Formats, today: date) -> InvoiceView:
    """The page of an invoice."""
    places = list(_places(invoice))
    return InvoiceView(
        invoice=invoice,
        title=title_of(invoice),
        state=state_of(invoice),
        payment=payment_of(invoice, today),
        values=list(_values(invoice, formats)),
        details=list(_details(invoice, formats)),
        lines=[
            Line(f"line-{number}", item, _page(_at(invoice.citations, Field.LINE_ITEMS, number)))
            for number, item in enumerate(invoice.line_items)
        ],
        taxes=list(_taxes(invoice.details)),
        checks=checks_of(invoice),
        differences=_differences(invoice),
        codes=_codes(invoice),
        sheets=[
            Sheet(number, [place for page, place in places if page == number])
            for number in range(1, (invoice.pages or 1) + 1)
        ],
        lines_note=correction_note(invoice, Field.LINE_ITEMS, formats),
        taxes_note=correction_note(invoice, Detail.TAX_LINES, formats),
    )


def _values(invoice: Invoice, formats: Formats) -> Iterator[Value]:
    texts: dict[Field, str | None] = {
        Field.VENDOR: invoice.vendor_name,
        Field.INVOICE_NUMBER: invoice.invoice_number,
        Field.ISSUED_AT: formats.day(invoice.issued_at) if invoice.issued_at else None,
        Field.DUE_AT: formats.day(invoice.due_at) if invoice.due_at else None,
        Field.AMOUNT: _money(invoice.amount, invoice, formats),
        Field.TAX: _money(invoice.tax, invoice, formats),
        Field.CURRENCY: invoice.currency,
    }
    for field, label in _FIELDS.items():
        place = _at(invoice.citations, field)
        yield _value(invoice, field, label, texts[field], place, correction_note(invoice, field, formats))


def _details(invoice: Invoice, formats: Formats) -> Iterator[Value]:
    """Those that were found or corrected: most invoices print few of them."""
    details = invoice.details or Details()
    for detail, label in _DETAILS.items():
        found = getattr(details, detail)
        text = _money(found, invoice, formats) if isinstance(found, Decimal) else found
        note = correction_note(invoice, detail, formats)
        if text is not None or note:
            yield _value(invoice, detail, label, text, _at(details.citations, detail), note)


def _value(invoice: Invoice, name: str, label: str, text: str | None, place: Citation | None, note: str) -> Value:
    level = provenance_of(invoice, name).level
    return Value(name, label, text or "–", level, note, _page(place), is_found=text is not None)


def _money(amount: Decimal | None, invoice: Invoice, formats: Formats) -> str | None:
    return None if amount is None else formats.money(amount, invoice.currency)


def _taxes(details: Details | None) -> Iterator[Tax]:
    for number, line in enumerate(details.tax_lines if details else ()):
        place = _at(details.citations, Detail.TAX_LINES, number) if details else None
        yield Tax(f"tax_lines-{number}", line.rate, line.base, line.amount, _page(place))


def _places(invoice: Invoice) -> Iterator[tuple[int, Place]]:
    """All places with their pages."""
    for field, found in (invoice.citations or {}).items():
        level = provenance_of(invoice, field).level
        if isinstance(found, Citation):
            yield _place(field, _FIELDS.get(field, "Line"), level, found)
            continue
        for number, place in enumerate(found):
            item = invoice.line_items[number] if number < len(invoice.line_items) else None
            yield _place(f"line-{number}", f"Line {number + 1}", item.confidence if item else None, place)
    details = invoice.details or Details()
    for detail, found in (details.citations or {}).items():
        level = provenance_of(invoice, detail).level
        if isinstance(found, Citation):
            yield _place(detail, _DETAILS.get(detail, "Tax"), level, found)
            continue
        for number, place in enumerate(found):
            yield _place(f"{detail}-{number}", "Tax", level, place)


def _place(key: str, label: str, level: Confidence | None, citation: Citation) -> tuple[int, Place]:
    x0, y0, x1, y1 = citation.box
    return citation.page, Place(key, label, level, round(x0, 4), round(y0, 4), round(x1 - x0, 4), round(y1 - y0, 4))


def _at(citations: object, key: object, number: int = 0) -> Citation | None:
    found = citations.get(key) if isinstance(citations, dict) else None
    if isinstance(found, list):
        return found[number] if number < len(found) else None
    return found if isinstance(found, Citation) else None


def _page(citation: Citation | None) -> int | None:
    return None if citation is None else citation.page


def _differences(invoice: Invoice) -> list[Difference]:
    check = invoice.einvoice
    if check is None:
        return []
    return [Difference(_EINVOICE[each.field], each.einvoice, each.page) for each in check.differences]


def _codes(invoice: Invoice) -> list[CodeView]:
    """The codes whose standard is known; those of other uses say nothing to a person who reads an invoice."""
    return [
        CodeView(
            code.profile,
            code.page,
            [Difference(_EINVOICE[each.field], each.code, each.page) for each in code.differences],
        )
        for code in invoice.codes
        if code.kind is not CodeKind.OTHER
    ]
