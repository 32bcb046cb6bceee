"""Which invoices can be exported, and why others cannot: only values that are certain are booked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from serve_app.domain.coding import allocate
from serve_app.domain.invoice import (
    ApprovalStatus,
    Detail,
    DocumentType,
    Field,
    Invoice,
    ReviewStatus,
    Status,
    TaxLine,
    has_alerts,
)
from serve_app.domain.own_field import OwnField
from serve_app.domain.own_values import own_field_name
from serve_app.domain.plain_text import one_line
from serve_app.domain.provenance import DOCUMENT_TYPE, certain_value, current_value
from serve_app.services.exports.bill import Bill, Line, Posting
from serve_app.services.exports.coders import Coder, NotReady
from serve_app.services.exports.settings import LedgerSettings

_CENT = Decimal("0.01")
_NEEDED = {
    Field.VENDOR: "the vendor",
    Field.INVOICE_NUMBER: "the invoice number",
    Field.AMOUNT: "the amount",
    Field.CURRENCY: "the currency",
    Field.ISSUED_AT: "the issue date",
}


def bill_of(invoice: Invoice, settings: LedgerSettings, coder: Coder, own: Sequence[OwnField] = ()) -> Bill:
    """The invoice as it is booked. `own` are the fields that the account has added. Raises NotReady."""
    _check_decided(invoice)
    for name, called in _NEEDED.items():
        _certain(invoice, name, called)
    total = invoice.amount or Decimal(0)
    sign = -1 if total < 0 else 1
    vendor = one_line(invoice.vendor_name or "")
    return Bill(
        invoice_id=invoice.id,
        is_credit=certain_value(invoice, DOCUMENT_TYPE) is DocumentType.CREDIT_NOTE or total < 0,
        vendor=vendor,
        vendor_account=settings.vendor_account_of(vendor),
        number=one_line(invoice.invoice_number or ""),
        issued_at=_certain(invoice, Field.ISSUED_AT, "the issue date"),
        due_at=certain_value(invoice, Field.DUE_AT),
        currency=invoice.currency or "",
        postings=tuple(_postings(invoice, sign, settings.rates(), coder)),
        tax_id=certain_value(invoice, Detail.VENDOR_TAX_ID) or "",
        iban=certain_value(invoice, Detail.IBAN) or "",
        order=certain_value(invoice, Detail.PURCHASE_ORDER) or "",
        matched_orders=invoice.order_match.order_numbers if invoice.order_match else "",
        order_match=str(invoice.order_match.status) if invoice.order_match else "",
        coding_status=str(invoice.coding.status) if invoice.coding else "",
        file_name=invoice.file.name or "",
        own=dict(_own_values(invoice, own)),
        lines=tuple(_lines(invoice, sign, own)),
    )


def _own_values(
    invoice: Invoice, own: Sequence[OwnField], line: int | None = None
) -> Iterator[tuple[str, str | Decimal | date]]:
    for field in own:
        if (value := certain_value(invoice, own_field_name(field.name, line))) is not None:
            yield field.name, field.parsed(value)


def _lines(invoice: Invoice, sign: int, own: Sequence[OwnField]) -> Iterator[Line]:
    is_certain = certain_value(invoice, Field.LINE_ITEMS) is not None
    for number, item in enumerate(invoice.line_items, 1):
        of_line = dict(_own_values(invoice, own, number))
        if not is_certain:
            yield Line(number, own=of_line)
            continue
        price, total = (None if amount is None else amount * sign for amount in (item.unit_price, item.total))
        yield Line(number, item.description, item.quantity, price, total, item.tax_rate, of_line)


def _check_decided(invoice: Invoice) -> None:
    """Raises NotReady unless a person has confirmed or approved it, or it was verified automatically."""
    is_confirmed = invoice.review.status is ReviewStatus.CONFIRMED
    is_approved = invoice.approval_status is ApprovalStatus.APPROVED
    refusals = {
        "it is not complete": invoice.status is not Status.COMPLETE,
        "it was rejected": invoice.review.status is ReviewStatus.REJECTED,
        "its approval was rejected": invoice.approval_status is ApprovalStatus.REJECTED,
        "its approval is requested and not yet answered": invoice.approval_status is ApprovalStatus.REQUESTED,
        "it repeats an older invoice": invoice.duplicate_of is not None,
        "it has an open alert": has_alerts(invoice),
        "nobody has confirmed or approved it": not (is_confirmed or is_approved or invoice.auto_verified),
        "it is no invoice": invoice.document_type is DocumentType.OTHER and not is_confirmed,
        "its kind of document is uncertain": not _has_certain_kind(invoice),
    }
    for reason, applies in refusals.items():
        if applies:
            raise NotReady(reason)


def _has_certain_kind(invoice: Invoice) -> bool:
    """An invoice or a credit note is booked on opposite sides."""
    return invoice.document_type is None or certain_value(invoice, DOCUMENT_TYPE) is not None


def _certain(invoice: Invoice, name: str, called: str) -> Any:
    value = certain_value(invoice, name)
    if value is None or value == "":
        state = "unknown" if current_value(invoice, name) is None else "uncertain"
        raise NotReady(f"{called} is {state}; correct or confirm it")
    return value


@dataclass(frozen=True, slots=True)
class _Share:
    rate: Decimal
    net: Decimal
    tax: Decimal


def _postings(invoice: Invoice, sign: int, rates: list[Decimal], coder: Coder) -> list[Posting]:
    total = (invoice.amount or Decimal(0)) * sign
    shares = _printed_shares(invoice, sign) or [_only_share(invoice, total, sign, rates)]
    if sum((share.net + share.tax for share in shares), Decimal(0)) != total:
        raise NotReady("its parts by tax rate do not add up to the amount; correct the tax lines")
    text = _text_of(invoice)
    found = []
    for share in shares:
        parts = coder(invoice, share.rate, len(shares) == 1)
        split = [allocate(amount, [part.share for part in parts]) for amount in (share.net, share.tax)]
        for part, net, tax in zip(parts, *split, strict=True):
            found.append(Posting(text, net or Decimal(0), tax or Decimal(0), share.rate, part.coding))
    return found


def _printed_shares(invoice: Invoice, sign: int) -> list[_Share]:
    """As the tax lines say, if they are certain and complete; none otherwise."""
    lines: list[TaxLine] = certain_value(invoice, Detail.TAX_LINES) or []
    whole = [
        _Share(line.rate, line.base * sign, line.amount * sign)
        for line in lines
        if line.rate is not None and line.base is not None and line.amount is not None
    ]
    return whole if len(whole) == len(lines) else []


def _only_share(invoice: Invoice, total: Decimal, sign: int, rates: list[Decimal]) -> _Share:
    """The whole invoice at one rate, which its tax proves."""
    tax = certain_value(invoice, Field.TAX)
    if tax is None and (invoice.tax is not None or invoice.review.status is not ReviewStatus.CONFIRMED):
        raise NotReady("its tax is uncertain; correct or confirm it")
    tax = (tax or Decimal(0)) * sign
    net = total - tax
    if tax == 0:
        return _Share(Decimal(0), net, tax)
    lines = (certain_value(invoice, Detail.TAX_LINES) or []) if invoice.details else []
    printed = {line.rate for line in lines if line.rate is not None}
    fits = [rate for rate in (printed or set(rates)) if abs(_in_cents(net * rate / 100) - tax) <= _CENT]
    if len(fits) != 1:
        raise NotReady("its tax rate is not known; correct the tax lines, or give the rate a code in the settings")
    return _Share(fits[0], net, tax)


def _in_cents(value: Decimal) -> Decimal:
    return value.quantize(_CENT, ROUND_HALF_UP)


def _text_of(invoice: Invoice) -> str:
    """The only line of the invoice, else nothing beyond vendor and number."""
    items = certain_value(invoice, Field.LINE_ITEMS) or []
    only = items[0].description if len(items) == 1 else None
    return one_line(only or "")
