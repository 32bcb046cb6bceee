"""The columns of exports; docs/reference/downloads.md describes them. New ones are added at the end only."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from serve_app.domain.chart import USUAL
from serve_app.domain.invoice import CustomValue, Field, Invoice, LineItem
from serve_app.domain.own_field import OwnField, OwnFieldScope
from serve_app.domain.own_values import OF_LINES, own_field_name
from serve_app.domain.provenance import correction_text, provenance_of
from serve_app.services.csv.cells import Value

Row = list[str]
_OTHER_CODES = "other_codes"


def _confidence(field: Field) -> Callable[[Invoice], Value]:
    return lambda invoice: provenance_of(invoice, field).level


def _source(field: Field) -> Callable[[Invoice], Value]:
    return lambda invoice: provenance_of(invoice, field).source


def _corrections(invoice: Invoice) -> str:
    """Who has entered which value, and what was read instead."""
    return "; ".join(
        f"{name}: {correction_text(name, correction)}" for name, correction in invoice.review.corrections.items()
    )


def _detail(name: str) -> Callable[[Invoice], Value]:
    return lambda invoice: getattr(invoice.details, name, None)


def _net(invoice: Invoice) -> Value:
    """The printed sum without tax, else what the total leaves of it."""
    if invoice.details is not None and invoice.details.subtotal is not None:
        return invoice.details.subtotal
    return None if invoice.amount is None or invoice.tax is None else invoice.amount - invoice.tax


def _codes(key: str, line: int | None = None) -> Callable[[Invoice], Value]:
    return lambda invoice: (invoice.coding and invoice.coding.codes_of(key, line)) or None


def _other_codes(invoice: Invoice, line: int | None = None) -> Value:
    """Of the account's own dimensions, such as `region: North`."""
    if invoice.coding is None:
        return None
    keys = dict.fromkeys(key for posting in invoice.coding.postings for key in posting.codes if key not in USUAL)
    found = {key: invoice.coding.codes_of(key, line) for key in keys}
    return "; ".join(f"{key}: {codes}" for key, codes in found.items() if codes) or None


def _custom(invoice: Invoice) -> str:
    """The account's own fields, such as `delivery_date: 2026-03-01`."""
    return "; ".join(f"{name}: {each.value}" for name, each in invoice.custom.items() if each.value is not None)


def _own_value(custom: Mapping[str, CustomValue], field: OwnField) -> Value:
    found = custom.get(field.name)
    return None if found is None or found.value is None else field.parsed(found.value)


def _coding_values(invoice: Invoice, line: int | None = None) -> list[Value]:
    return [*(_codes(key, line)(invoice) for key in USUAL), _other_codes(invoice, line)]


def _order_lines(invoice: Invoice, line: int) -> list[Value]:
    """The number of the order that a line bills, and the position in it."""
    match = invoice.order_match
    found = [each for each in match.lines if each.line == line] if match else []
    numbers = {order.id: order.number for order in match.orders} if match else {}
    orders = dict.fromkeys(numbers[each.order_id] for each in found)
    return ["; ".join(orders) or None, "; ".join(str(each.order_line) for each in found) or None]


INVOICE_COLUMNS: Mapping[str, Callable[[Invoice], Value]] = {
    "id": lambda invoice: invoice.id,
    "status": lambda invoice: invoice.status,
    "source": lambda invoice: invoice.source,
    "created_at": lambda invoice: invoice.created_at,
    "updated_at": lambda invoice: invoice.updated_at,
    "file_name": lambda invoice: invoice.file.name,
    "vendor_name": lambda invoice: invoice.vendor_name,
    "invoice_number": lambda invoice: invoice.invoice_number,
    "amount": lambda invoice: invoice.amount,
    "currency": lambda invoice: invoice.currency,
    "issued_at": lambda invoice: invoice.issued_at,
    "due_at": lambda invoice: invoice.due_at,
    "tax": lambda invoice: invoice.tax,
    "line_item_count": lambda invoice: len(invoice.line_items),
    **{f"{field}_confidence": _confidence(field) for field in Field},
    "auto_verified": lambda invoice: invoice.auto_verified,
    "quality_score": lambda invoice: invoice.quality_score,
    "paid": lambda invoice: invoice.paid,
    "paid_at": lambda invoice: invoice.paid_at,
    "entity_tag": lambda invoice: invoice.entity_tag,
    "approval_status": lambda invoice: invoice.approval_status,
    "approval_email": lambda invoice: invoice.approval_email,
    "duplicate_of": lambda invoice: invoice.duplicate_of,
    "batch_id": lambda invoice: invoice.batch.id if invoice.batch else None,
    "batch_index": lambda invoice: invoice.batch.index if invoice.batch else None,
    "pages": lambda invoice: invoice.pages,
    "failure_code": lambda invoice: invoice.failure.code if invoice.failure else None,
    "review_status": lambda invoice: invoice.review.status,
    "review_by": lambda invoice: invoice.review.by,
    "review_at": lambda invoice: invoice.review.at,
    "review_reason": lambda invoice: invoice.review.reason,
    **{f"{field}_source": _source(field) for field in Field},
    "corrections": lambda invoice: _corrections(invoice) or None,
    "net": _net,
    "iban": _detail("iban"),
    "vendor_tax_id": _detail("vendor_tax_id"),
    "coding_status": lambda invoice: invoice.coding.status if invoice.coding else None,
    "auto_coded": lambda invoice: invoice.coding.auto_coded if invoice.coding else None,
    **{key: _codes(key) for key in USUAL},
    _OTHER_CODES: _other_codes,
    "order_match": lambda invoice: invoice.order_match.status if invoice.order_match else None,
    "order_numbers": lambda invoice: (invoice.order_match and invoice.order_match.order_numbers) or None,
    "custom": lambda invoice: _custom(invoice) or None,
}
_OF_INVOICE = ("id", "vendor_name", "invoice_number", "currency", "issued_at")
LINE_ITEM_COLUMNS: Mapping[str, Callable[[LineItem], Value]] = {
    "description": lambda item: item.description,
    "quantity": lambda item: item.quantity,
    "unit_price": lambda item: item.unit_price,
    "confidence": lambda item: item.confidence,
}
_AT_THE_END: Mapping[str, Callable[[Invoice], Value]] = {"source": _source(Field.LINE_ITEMS)}


def _of(scope: OwnFieldScope, own: Sequence[OwnField]) -> Sequence[OwnField]:
    return [field for field in own if field.scope is scope]


def invoice_header(own: Sequence[OwnField] = ()) -> Row:
    """The column names of the layout with one row per invoice. `own` are the fields that the account has added."""
    return [*INVOICE_COLUMNS, *(own_field_name(field.name) for field in _of(OwnFieldScope.HEADER, own))]


def invoice_values(invoice: Invoice, own: Sequence[OwnField] = ()) -> Iterator[list[Value]]:
    """The one row of an invoice."""
    of_invoice = (_own_value(invoice.custom, field) for field in _of(OwnFieldScope.HEADER, own))
    yield [*(value(invoice) for value in INVOICE_COLUMNS.values()), *of_invoice]


def line_item_header(own: Sequence[OwnField] = ()) -> Row:
    """The column names of the layout with one row per line item."""
    usual = [*_AT_THE_END, *USUAL, _OTHER_CODES, "order_number", "order_line"]
    of_lines = (f"{OF_LINES}{field.name}" for field in _of(OwnFieldScope.LINE, own))
    return [*_OF_INVOICE, "line", *LINE_ITEM_COLUMNS, *usual, *of_lines]


def line_item_values(invoice: Invoice, own: Sequence[OwnField] = ()) -> Iterator[list[Value]]:
    """A row for each line item of an invoice; `line` counts from 1."""
    start = [INVOICE_COLUMNS[name](invoice) for name in _OF_INVOICE]
    end = [value(invoice) for value in _AT_THE_END.values()]
    for number, item in enumerate(invoice.line_items, 1):
        of_line = (value(item) for value in LINE_ITEM_COLUMNS.values())
        own_values = (_own_value(item.custom, field) for field in _of(OwnFieldScope.LINE, own))
        booked = [*_coding_values(invoice, number), *_order_lines(invoice, number)]
        yield [*start, number, *of_line, *end, *booked, *own_values]
