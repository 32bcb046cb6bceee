"""Electronic invoices that callers ask for."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum

from serve_app.domain.einvoice import Address, Adjustment, EInvoice, Line, Party, Totals
from serve_app.domain.einvoice_validation import Validation


class EInvoiceFormat(StrEnum):
    """How an electronic invoice is written; `facturx` is CII embedded in the invoice's PDF."""

    UBL = "ubl"
    CII = "cii"
    FACTURX = "facturx"


class ZeroRate(StrEnum):
    """Why no VAT is charged: a category (UNTDID 5305) that needs no text of its own."""

    ZERO = "Z"
    REVERSE_CHARGE = "AE"
    EXPORT = "G"


@dataclass(frozen=True, slots=True)
class EInvoiceOrder:
    """What is to be written. The countries and `zero_rate` are the caller's, used where the invoice states none."""

    format: EInvoiceFormat
    seller_country: str | None = None
    buyer_country: str | None = None
    zero_rate: ZeroRate | None = None


@dataclass(frozen=True, slots=True)
class EInvoiceMade:
    """A written invoice. `data` is empty if terms are `missing`; then nothing was checked."""

    data: bytes = b""
    missing: tuple[str, ...] = ()
    validation: Validation | None = None


def completed(record: EInvoice, order: EInvoiceOrder) -> EInvoice:
    """The record with the caller's countries, and with the sums that EN 16931 defines by other terms."""
    return replace(
        record,
        tax_currency=None if record.tax_currency == record.currency else record.tax_currency,
        # A group without a name, which EN 16931 requires (BT-59), is empty.
        payee=record.payee if record.payee and record.payee.name else None,
        seller=_in_country(record.seller, order.seller_country),
        buyer=_in_country(record.buyer, order.buyer_country),
        totals=_with_sums(record),
        lines=tuple(map(_with_gross_price, record.lines)),
    )


def _with_gross_price(line: Line) -> Line:
    """BT-148 of a line with a discount on its price, which it is defined by."""
    if line.gross_price is not None or line.price is None or line.price_discount is None:
        return line
    return replace(line, gross_price=line.price + line.price_discount)


def _in_country(party: Party, country: str | None) -> Party:
    address = party.address or Address()
    if address.country or not country:
        return party
    return replace(party, address=replace(address, country=country))


def _with_sums(record: EInvoice) -> Totals:
    """BT-106, BT-107 and BT-108 where the invoice has none."""
    totals = record.totals
    if totals.lines is None:
        totals = replace(totals, lines=_sum(line.net for line in record.lines))
    if totals.allowances is None:
        totals = replace(totals, allowances=_sum_of(record.adjustments, is_charge=False))
    if totals.charges is None:
        totals = replace(totals, charges=_sum_of(record.adjustments, is_charge=True))
    return totals


def _sum_of(adjustments: tuple[Adjustment, ...], *, is_charge: bool) -> Decimal | None:
    return _sum(each.amount for each in adjustments if each.is_charge is is_charge)


def _sum(amounts: Iterable[Decimal | None]) -> Decimal | None:
    """None if there are none, or one is unknown."""
    known = list(amounts)
    if not known or None in known:
        return None
    return sum((amount for amount in known if amount is not None), Decimal(0))
