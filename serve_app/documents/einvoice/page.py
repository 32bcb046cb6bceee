"""An electronic invoice as a page that people see and models read: HTML with all values as they are in the XML, under
captions in its issuer's language."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from serve_app.documents.einvoice.captions import captions_of
from serve_app.domain.einvoice import Account, Address, Adjustment, EInvoice, Line, Party, Period, VatBreakdown
from serve_app.extraction.knowledge import PageCaptions

MAX_SHOWN_LINES = 500
"""Lines on the pages; all others are only in the record. Laying them out takes time, and nobody reads so many."""
Row = tuple[str, str]


def to_page(einvoice: EInvoice) -> str:
    """The HTML of the page."""
    language, captions = captions_of(einvoice)
    return _template().render(_Content(einvoice, captions).as_variables(), language=language)


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
    return " - ".join(day.isoformat() for day in days if day) or None


def _captioned(rows: Iterable[tuple[str, str | None]]) -> Iterator[str]:
    return (f"{caption}: {value}" for caption, value in _rows(rows))


def _address(address: Address) -> Iterator[str]:
    town = " ".join(filter(None, (address.postal_code, address.city)))
    lines = (address.line_1, address.line_2, address.line_3, town, address.subdivision, address.country)
    return (line for line in lines if line)


def _number(value: Decimal | None) -> str:
    return "" if value is None else shown_number(value)


@dataclass(frozen=True, slots=True)
class _ShownLine:
    id: str
    name: str
    texts: Sequence[str]
    numbers: Sequence[str]


@dataclass(frozen=True, slots=True)
class _Content:
    """What the page says, with captions in one language."""

    einvoice: EInvoice
    captions: PageCaptions

    def as_variables(self) -> dict[str, object]:
        """For the template."""
        einvoice, captions = self.einvoice, self.captions
        return {
            "captions": captions,
            "title": captions.credit_note if einvoice.is_credit_note else captions.invoice,
            "seller": list(self._party(einvoice.seller)),
            "head": list(self._head()),
            "parties": [(heading, lines) for heading, found in self._parties() if (lines := list(found))],
            "columns": (captions.quantity, captions.unit, captions.unit_price, captions.tax_rate, captions.amount),
            "lines": list(map(self._shown_line, einvoice.lines[:MAX_SHOWN_LINES])),
            "hidden_lines": max(0, len(einvoice.lines) - MAX_SHOWN_LINES),
            "totals": list(self._totals()),
            "blocks": [(heading, texts) for heading, found in self._blocks() if (texts := list(found))],
            "profile": einvoice.profile,
        }

    def _head(self) -> Iterator[Row]:
        einvoice, captions = self.einvoice, self.captions
        yield from _rows((
            (captions.credit_note_number if einvoice.is_credit_note else captions.invoice_number, einvoice.number),
            (captions.issue_date, _day(einvoice.issued_at)),
            (captions.due_date, _day(einvoice.due_at)),
            (captions.delivery_date, _day(einvoice.delivery.delivered_at) if einvoice.delivery else None),
            (captions.period, _period(einvoice.period)),
            (captions.order, einvoice.order),
            (captions.sales_order, einvoice.sales_order),
            (captions.contract, einvoice.contract),
            (captions.project, einvoice.project),
            (captions.delivery_note, einvoice.despatch_advice),
            (captions.buyer_reference, einvoice.buyer_reference),
            (captions.cost_centre, einvoice.buyer_accounting_reference),
        ))  # fmt: skip
        for each in einvoice.preceding:
            corrected = ", ".join(filter(None, (each.number, _day(each.issued_at))))
            yield from _rows(((captions.original_invoice, corrected),))

    def _parties(self) -> Iterator[tuple[str, Iterable[str]]]:
        einvoice, captions = self.einvoice, self.captions
        yield captions.buyer, self._party(einvoice.buyer)
        if einvoice.delivery:
            yield captions.ship_to, self._party(Party(name=einvoice.delivery.name, address=einvoice.delivery.address))
        if einvoice.payee:
            yield captions.payee, self._party(einvoice.payee)
        if einvoice.tax_representative:
            yield captions.tax_representative, self._party(einvoice.tax_representative)

    def _party(self, party: Party) -> Iterator[str]:
        captions, contact = self.captions, party.contact
        if party.name:
            yield party.name
        if party.trading_name and party.trading_name != party.name:
            yield party.trading_name
        if party.address:
            yield from _address(party.address)
        registration = party.registration.value if party.registration else None
        yield from _captioned((
            (captions.vat_id, party.vat_id),
            (captions.tax_number, party.tax_number),
            (captions.registration, registration),
        ))  # fmt: skip
        if contact:
            yield from filter(None, (contact.name, contact.phone, contact.email))
        if party.legal_information:
            yield party.legal_information

    def _shown_line(self, line: Line) -> _ShownLine:
        numbers = (
            _number(line.quantity),
            line.unit or "",
            shown_amount(line.price) if line.price is not None else "",
            _number(line.vat_rate),
            shown_amount(line.net) if line.net is not None else "",
        )
        return _ShownLine(line.id or "", line.name or "", list(self._line_texts(line)), numbers)

    def _line_texts(self, line: Line) -> Iterator[str]:
        captions = self.captions
        if line.description and line.description != line.name:
            yield line.description
        base = f"{_number(line.base_quantity)} {line.base_unit or ''}".strip()
        item = line.standard_item_id.value if line.standard_item_id else None
        yield from _captioned((
            (captions.item, line.seller_item_id), (captions.buyer_item, line.buyer_item_id),
            (captions.standard_item, item), (captions.price_for, base if line.base_quantity not in (None, 1) else ""),
            (captions.period, _period(line.period)),
        ))  # fmt: skip
        yield from (f"{caption}: {value}" for caption, value in map(self._adjustment, line.adjustments))
        if line.note:
            yield line.note

    def _adjustment(self, found: Adjustment) -> Row:
        caption = found.reason or (self.captions.charge if found.is_charge else self.captions.discount)
        percent = f" ({shown_number(found.percent)} %)" if found.percent is not None else ""
        if found.amount is None:
            return f"{caption}{percent}", ""
        return f"{caption}{percent}", shown_amount(found.amount if found.is_charge else -found.amount)

    def _totals(self) -> Iterator[tuple[str, str, bool]]:
        """Caption, amount, and whether it is the total."""
        totals, currency, captions = self.einvoice.totals, self.einvoice.currency or "", self.captions

        def row(caption: str, amount: Decimal | None, *, is_total: bool = False) -> Iterator[tuple[str, str, bool]]:
            if amount is not None:
                yield caption, f"{shown_amount(amount)} {currency}".strip(), is_total

        if totals.lines != totals.net or not totals.net:
            yield from row(captions.lines_total, totals.lines)
        adjustments = (each for each in self.einvoice.adjustments if each.amount is not None)
        yield from ((*self._adjustment(each), False) for each in adjustments)
        yield from row(captions.subtotal, totals.net)
        for each in self.einvoice.vat:
            yield from row(self._tax_caption(each), each.tax)
        if len(self.einvoice.vat) != 1:
            yield from row(captions.total_tax, totals.tax)
        yield from row(captions.withheld, totals.withheld)
        yield from row(captions.total, totals.gross, is_total=True)
        yield from row(captions.paid, totals.paid or None)
        yield from row(captions.rounding, totals.rounding or None)
        yield from row(captions.amount_due, totals.due)

    def _tax_caption(self, found: VatBreakdown) -> str:
        tax = self.captions.tax
        rate = f"{tax} {shown_number(found.rate)} %" if found.rate is not None else tax
        return f"{rate} {self.captions.tax_of} {shown_amount(found.base)}" if found.base is not None else rate

    def _blocks(self) -> Iterator[tuple[str, Iterable[str]]]:
        einvoice, captions, payment = self.einvoice, self.captions, self.einvoice.payment
        yield captions.payment, [
            *(line for account in payment.accounts for line in self._account(account)),
            *_captioned((
                (captions.payment_reference, payment.reference), (captions.mandate, payment.mandate),
                (captions.creditor_id, payment.creditor_id), (captions.debited_account, payment.debited_account),
                (captions.payment_means, payment.means_text), (captions.card, payment.card_number),
            )),
        ]  # fmt: skip
        yield captions.payment_terms, (payment.terms or "").splitlines()
        yield captions.exemption, dict.fromkeys(filter(None, (each.exemption_reason for each in einvoice.vat)))
        yield captions.notes, (line for note in einvoice.notes for line in note.splitlines() if line.strip())
        attached = (each.file_name or each.description or each.id for each in einvoice.attachments)
        yield captions.attachments, filter(None, attached)

    def _account(self, account: Account) -> Iterator[str]:
        return _captioned(
            (("IBAN", account.number), ("BIC", account.bic), (self.captions.account_holder, account.name))
        )
