"""Make the record of an electronic invoice of the values of an invoice that was read from a page (ADR 0150).

Only values that are `high`, that a person or an XML file states, or that a confirmed review covers are used. Nothing
is guessed: what is not known is absent, and `einvoice_terms.py` names it.
"""

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from serve_app.domain.einvoice import (
    Account,
    Adjustment,
    EInvoice,
    EInvoiceSyntax,
    Line,
    Party,
    Payment,
    Totals,
    VatBreakdown,
)
from serve_app.domain.einvoice_order import ZeroRate
from serve_app.domain.invoice import (
    Detail,
    Details,
    DocumentType,
    Field,
    Invoice,
    LineItem,
    TaxLine,
)
from serve_app.domain.provenance import DOCUMENT_TYPE, certain_value, current_value

_TYPES = {DocumentType.INVOICE: "380", DocumentType.CREDIT_NOTE: "381"}
_PIECE = "C62"
"""The unit "one", which is right where the page prints a number of things and no unit."""
_TRANSFER = "30"
_DISCOUNT, _FREIGHT = "95", "FC"
_EXEMPTIONS = {ZeroRate.REVERSE_CHARGE: "VATEX-EU-AE", ZeroRate.EXPORT: "VATEX-EU-G"}
_VAT_ID = re.compile(r"[A-Z]{2}[0-9A-Z]+")
_CENT, _HALF_CENT = Decimal("0.01"), Decimal("0.005")


def record_of(invoice: Invoice, zero_rate: ZeroRate | None = None) -> EInvoice:
    """The terms that the invoice's values give. Amounts of a credit note are positive."""
    values = _Values(invoice, zero_rate)
    adjustments = values.adjustments()
    lines = values.lines()
    iban = values.get(Detail.IBAN)
    return EInvoice(
        syntax=EInvoiceSyntax.CII,
        profile="EN 16931",
        number=values.get(Field.INVOICE_NUMBER),
        issued_at=values.get(Field.ISSUED_AT),
        type_code=_TYPES.get(values.get(DOCUMENT_TYPE)),
        currency=values.get(Field.CURRENCY),
        due_at=values.get(Field.DUE_AT),
        order=values.get(Detail.PURCHASE_ORDER),
        seller=_party(values.get(Field.VENDOR), values.get(Detail.VENDOR_TAX_ID), is_seller=True),
        buyer=_party(values.get(Detail.BUYER_NAME), values.get(Detail.BUYER_TAX_ID), is_seller=False),
        payment=Payment(
            means_code=_TRANSFER if iban else None,
            accounts=(Account(iban),) if iban else (),
            terms=values.get(Detail.PAYMENT_TERMS),
        ),
        adjustments=adjustments,
        totals=values.totals(),
        vat=values.vat(lines, adjustments),
        lines=lines,
    )


def _party(name: str | None, tax_id: str | None, *, is_seller: bool) -> Party:
    """A number without letters of a country is no VAT identifier, and only sellers have a term for it."""
    compact = "".join((tax_id or "").split()).upper()
    if _VAT_ID.fullmatch(compact):
        return Party(name=name, vat_id=compact)
    return Party(name=name, tax_number=tax_id if is_seller else None)


@dataclass(frozen=True, slots=True)
class _Values:
    """The values that can be relied on."""

    invoice: Invoice
    zero_rate: ZeroRate | None

    def get(self, name: str) -> Any:
        """The value of a `Field`, a `Detail` or the document's type; None if it is absent or uncertain."""
        return certain_value(self.invoice, name)

    def _any(self, name: str) -> Any:
        return current_value(self.invoice, name)

    def _money(self, name: str) -> Decimal | None:
        return _amount(self.get(name), self._sign)

    @property
    def _sign(self) -> int:
        """Some credit notes print negative amounts; in EN 16931 the type alone says so."""
        is_credit = self.invoice.document_type is DocumentType.CREDIT_NOTE
        return -1 if is_credit and (self.invoice.amount or 0) < 0 else 1

    def totals(self) -> Totals:
        gross, tax = self._money(Field.AMOUNT), self._tax()
        return Totals(
            net=None if gross is None or tax is None else gross - tax,
            tax=tax,
            gross=gross,
            paid=_amount(self.get(Detail.AMOUNT_PAID)),
            due=self._due(gross),
        )

    def _tax(self) -> Decimal | None:
        """As printed, else the sum of all rates."""
        printed = self._money(Field.TAX)
        amounts = [line.amount for line in self._tax_lines()]
        if printed is not None or not amounts or None in amounts:
            return printed
        return _amount(sum((amount for amount in amounts if amount is not None), Decimal(0)), self._sign)

    def _due(self, gross: Decimal | None) -> Decimal | None:
        """As printed, else what is not paid yet; None if a value that it depends on is uncertain."""
        if any(self._is_uncertain(name) for name in (Detail.AMOUNT_PAID, Detail.AMOUNT_DUE)):
            return None
        printed = self._money(Detail.AMOUNT_DUE)
        if printed is not None or gross is None:
            return printed
        return gross - (_amount(self.get(Detail.AMOUNT_PAID)) or 0)

    def _is_uncertain(self, name: str) -> bool:
        return self._any(name) is not None and self.get(name) is None

    def adjustments(self) -> tuple[Adjustment, ...]:
        """The discount and the shipping of the whole document; without an amount if it is uncertain."""
        rate = self._only_rate()
        return tuple(
            Adjustment(
                is_charge,
                _amount(abs(value)) if (value := self.get(name)) is not None else None,
                vat_category=self._category(rate),
                vat_rate=rate,
                reason_code=reason,
            )
            for name, is_charge, reason in ((Detail.DISCOUNT, False, _DISCOUNT), (Detail.SHIPPING, True, _FREIGHT))
            if self._any(name)
        )

    def vat(self, lines: tuple[Line, ...], adjustments: tuple[Adjustment, ...]) -> tuple[VatBreakdown, ...]:
        """Of the printed rates; if none are, of the only rate of the lines."""
        printed = self._tax_lines()
        rate = self._only_rate()
        if not printed and rate is not None and not (self.invoice.details or Details()).tax_lines:
            printed = (TaxLine(rate=rate, base=None, amount=self.get(Field.TAX)),)
        return tuple(self._breakdown(each, lines, adjustments) for each in printed)

    def _breakdown(
        self, printed: TaxLine, lines: tuple[Line, ...], adjustments: tuple[Adjustment, ...]
    ) -> VatBreakdown:
        rate = _plain(printed.rate)
        base, tax = _amount(printed.base, self._sign), _amount(printed.amount, self._sign)
        category = self._category(rate)
        return VatBreakdown(
            base=_base(rate, lines, adjustments) if base is None else base,
            tax=Decimal("0.00") if tax is None and rate == 0 else tax,
            category=category,
            rate=rate,
            exemption_code=_EXEMPTIONS.get(self.zero_rate) if rate == 0 and self.zero_rate else None,
        )

    def _category(self, rate: Decimal | None) -> str | None:
        """A rate above zero proves the standard category; zero has many reasons, which only the caller knows."""
        if rate is None:
            return None
        return "S" if rate > 0 else self.zero_rate

    def _tax_lines(self) -> tuple[TaxLine, ...]:
        return tuple(self.get(Detail.TAX_LINES) or ())

    def _items(self) -> tuple[LineItem, ...]:
        return tuple(self.get(Field.LINE_ITEMS) or ())

    def _only_rate(self) -> Decimal | None:
        """The rate of the whole document, if it has only one."""
        printed = [line.rate for line in self._tax_lines()] or [item.tax_rate for item in self._items()]
        return _plain(printed[0]) if len(set(printed)) == 1 else None

    def lines(self) -> tuple[Line, ...]:
        rate = self._only_rate()
        return tuple(self._line(str(number), item, rate) for number, item in enumerate(self._items(), 1))

    def _line(self, number: str, item: LineItem, only_rate: Decimal | None) -> Line:
        """Prices have no sign in EN 16931; the quantity has the sign of the amount."""
        net, price = _amount(item.total, self._sign), _plain(item.unit_price)
        quantity = _plain(item.quantity)
        if net is None and quantity is not None and price is not None:
            net = _amount(_in_cents(quantity * price), self._sign)
        if quantity is not None and net is not None:
            quantity = abs(quantity) if net >= 0 else -abs(quantity)
        price = None if price is None else abs(price)
        rate = only_rate if item.tax_rate is None else _plain(item.tax_rate)
        return Line(
            id=number,
            name=item.description,
            quantity=quantity,
            unit=_PIECE,
            net=net,
            price=price,
            vat_category=self._category(rate),
            vat_rate=rate,
            adjustments=_adjusted(net, quantity, price),
        )


def _adjusted(net: Decimal | None, quantity: Decimal | None, price: Decimal | None) -> tuple[Adjustment, ...]:
    """What the amount of a line differs by from quantity times price, beyond rounding of the price; why is unknown."""
    if net is None or quantity is None or price is None:
        return ()
    difference = net - _in_cents(quantity * price)
    if abs(difference) <= abs(quantity) * _HALF_CENT + _CENT:
        return ()
    return (Adjustment(difference > 0, abs(difference)),)


def _base(rate: Decimal | None, lines: tuple[Line, ...], adjustments: tuple[Adjustment, ...]) -> Decimal | None:
    """What BT-116 is by definition: the lines of the rate, less its allowances, with its charges."""
    amounts = [line.net for line in lines if line.vat_rate == rate]
    amounts += [_signed(each) for each in adjustments if each.vat_rate == rate]
    if not amounts or None in amounts or any(line.vat_rate is None for line in lines):
        return None
    return sum((amount for amount in amounts if amount is not None), Decimal(0))


def _signed(adjustment: Adjustment) -> Decimal | None:
    if adjustment.amount is None or adjustment.is_charge:
        return adjustment.amount
    return -adjustment.amount


def _plain(value: Decimal | None) -> Decimal | None:
    """Without zeros at the end."""
    return None if value is None else Decimal(f"{value.normalize():f}")


def _in_cents(value: Decimal) -> Decimal:
    """Rounded, however long it is: `quantize` fails beyond 28 digits."""
    return Decimal(f"{value:.2f}")


def _amount(value: Decimal | None, sign: int = 1) -> Decimal | None:
    """In cents, unless it has more decimals, which the rules then find."""
    if value is None:
        return None
    signed = value * sign
    cents = _in_cents(signed)
    return cents if cents == signed else signed
