"""An electronic invoice as a page that people see and models read: HTML with all values as they are in the XML."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from serve_app.domain.einvoice import Account, Adjustment, Delivery, EInvoice, Line, Party, Period, VatBreakdown

MAX_SHOWN_LINES = 500
"""Lines on the pages; all others are only in the record. Laying them out takes time, and nobody reads so many."""
Row = tuple[str, str]


def to_page(einvoice: EInvoice) -> str:
    """The HTML of the page."""
    return _template().render(
        title="Credit note" if einvoice.is_credit_note else "Invoice",
        seller=list(_party(einvoice.seller)),
        head=list(_head(einvoice)),
        parties=[(heading, lines) for heading, found in _parties(einvoice) if (lines := list(found))],
        columns=_COLUMNS,
        lines=list(map(_shown_line, einvoice.lines[:MAX_SHOWN_LINES])),
        hidden_lines=max(0, len(einvoice.lines) - MAX_SHOWN_LINES),
        totals=list(_totals(einvoice)),
        blocks=[(heading, texts) for heading, found in _blocks(einvoice) if (texts := list(found))],
        profile=einvoice.profile,
    )


def shown_amount(value: Decimal) -> str:
    """An amount of money with two decimals, or as many as it has beyond them."""
    whole, _, decimals = f"{value:f}".partition(".")
    return f"{whole}.{decimals.rstrip('0').ljust(2, '0')}"


def shown_number(value: Decimal) -> str:
    """A quantity or a rate, without zeros at its end."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


@cache
def _template() -> Template:
    loader = PackageLoader("serve_app.documents.einvoice")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined).get_template("page.html")


def _rows(rows: Iterable[tuple[str, str | None]]) -> Iterator[Row]:
    return ((caption, value) for caption, value in rows if value)


def _day(value: date | None) -> str | None:
    return value.isoformat() if value else None


def _period(value: Period | None) -> str | None:
    days = (value.start, value.end) if value else ()
    return " to ".join(day.isoformat() for day in days if day) or None


def _head(einvoice: EInvoice) -> Iterator[Row]:
    is_credit = einvoice.is_credit_note
    yield from _rows((
        ("Credit note number" if is_credit else "Invoice number", einvoice.number),
        ("Issue date", _day(einvoice.issued_at)),
        ("Due date", _day(einvoice.due_at)),
        ("Delivery date", _day(einvoice.delivery.delivered_at) if einvoice.delivery else None),
        ("Billing period", _period(einvoice.period)),
        ("Purchase order", einvoice.order),
        ("Sales order", einvoice.sales_order),
        ("Contract", einvoice.contract),
        ("Project", einvoice.project),
        ("Delivery note", einvoice.despatch_advice),
        ("Buyer reference", einvoice.buyer_reference),
        ("Cost centre", einvoice.buyer_accounting_reference),
    ))  # fmt: skip
    for each in einvoice.preceding:
        yield from _rows((("Original invoice", " of ".join(filter(None, (each.number, _day(each.issued_at))))),))


def _parties(einvoice: EInvoice) -> Iterator[tuple[str, Iterable[str]]]:
    yield "Bill to", _party(einvoice.buyer)
    if einvoice.delivery:
        yield "Ship to", _delivery(einvoice.delivery)
    if einvoice.payee:
        yield "Payee", _party(einvoice.payee)
    if einvoice.tax_representative:
        yield "Tax representative", _party(einvoice.tax_representative)


def _party(party: Party) -> Iterator[str]:
    address, contact = party.address, party.contact
    if party.name:
        yield party.name
    if party.trading_name and party.trading_name != party.name:
        yield party.trading_name
    if address:
        town = " ".join(filter(None, (address.postal_code, address.city)))
        yield from filter(None, (address.line_1, address.line_2, address.line_3, town, address.subdivision))
        yield from filter(None, (address.country,))
    registration = party.registration.value if party.registration else None
    captioned = _rows((("VAT ID", party.vat_id), ("Tax number", party.tax_number), ("Registration", registration)))
    yield from (f"{caption}: {value}" for caption, value in captioned)
    if contact:
        yield from filter(None, (contact.name, contact.phone, contact.email))
    if party.legal_information:
        yield party.legal_information


def _delivery(delivery: Delivery) -> Iterator[str]:
    return _party(Party(name=delivery.name, address=delivery.address))


_COLUMNS = ("Quantity", "Unit", "Unit price", "VAT %", "Amount")


@dataclass(frozen=True, slots=True)
class _ShownLine:
    id: str
    name: str
    texts: Sequence[str]
    numbers: Sequence[str]


def _shown_line(line: Line) -> _ShownLine:
    numbers = (
        _number(line.quantity),
        line.unit or "",
        shown_amount(line.price) if line.price is not None else "",
        _number(line.vat_rate),
        shown_amount(line.net) if line.net is not None else "",
    )
    return _ShownLine(line.id or "", line.name or "", list(_line_texts(line)), numbers)


def _number(value: Decimal | None) -> str:
    return "" if value is None else shown_number(value)


def _line_texts(line: Line) -> Iterator[str]:
    if line.description and line.description != line.name:
        yield line.description
    base = (
        f"{_number(line.base_quantity)} {line.base_unit or ''}".strip() if line.base_quantity not in (None, 1) else ""
    )
    item = line.standard_item_id.value if line.standard_item_id else None
    captioned = _rows((
        ("Item", line.seller_item_id), ("Your item", line.buyer_item_id), ("Standard item", item),
        ("Price for", base), ("Period", _period(line.period)),
    ))  # fmt: skip
    yield from (f"{caption}: {value}" for caption, value in captioned)
    yield from (f"{caption}: {value}" for caption, value in map(_adjustment, line.adjustments))
    if line.note:
        yield line.note


def _adjustment(found: Adjustment) -> Row:
    caption = found.reason or ("Charge" if found.is_charge else "Discount")
    percent = f" ({shown_number(found.percent)} %)" if found.percent is not None else ""
    if found.amount is None:
        return f"{caption}{percent}", ""
    return f"{caption}{percent}", shown_amount(found.amount if found.is_charge else -found.amount)


def _totals(einvoice: EInvoice) -> Iterator[tuple[str, str, bool]]:
    """Caption, amount, and whether it is the total."""
    totals, currency = einvoice.totals, einvoice.currency or ""

    def row(caption: str, amount: Decimal | None, *, is_total: bool = False) -> Iterator[tuple[str, str, bool]]:
        if amount is not None:
            yield caption, f"{shown_amount(amount)} {currency}".strip(), is_total

    if totals.lines != totals.net or not totals.net:
        yield from row("Sum of lines", totals.lines)
    yield from ((*_adjustment(each), False) for each in einvoice.adjustments if each.amount is not None)
    yield from row("Subtotal", totals.net)
    for each in einvoice.vat:
        yield from row(_vat_caption(each), each.tax)
    if len(einvoice.vat) != 1:
        yield from row("Total VAT", totals.tax)
    yield from row("Withheld tax", totals.withheld)
    yield from row("Total", totals.gross, is_total=True)
    yield from row("Paid", totals.paid or None)
    yield from row("Rounding", totals.rounding or None)
    yield from row("Amount due", totals.due)


def _vat_caption(found: VatBreakdown) -> str:
    rate = f"VAT {shown_number(found.rate)} %" if found.rate is not None else "VAT"
    return f"{rate} of {shown_amount(found.base)}" if found.base is not None else rate


def _blocks(einvoice: EInvoice) -> Iterator[tuple[str, Iterable[str]]]:
    payment = einvoice.payment
    yield "Payment", [
        *(line for account in payment.accounts for line in _account(account)),
        *(f"{caption}: {value}" for caption, value in _rows((
            ("Payment reference", payment.reference), ("Mandate", payment.mandate),
            ("Creditor ID", payment.creditor_id), ("Debited account", payment.debited_account),
            ("Means of payment", payment.means_text), ("Card", payment.card_number),
        ))),
    ]  # fmt: skip
    yield "Payment terms", (payment.terms or "").splitlines()
    yield "Tax exemption", dict.fromkeys(filter(None, (each.exemption_reason for each in einvoice.vat)))
    yield "Notes", (line for note in einvoice.notes for line in note.splitlines() if line.strip())
    yield "Attachments", filter(None, (each.file_name or each.description or each.id for each in einvoice.attachments))


def _account(account: Account) -> Iterator[str]:
    captioned = _rows((("IBAN", account.number), ("BIC", account.bic), ("Account holder", account.name)))
    return (f"{caption}: {value}" for caption, value in captioned)
