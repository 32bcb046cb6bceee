"""Which sums of an invoice check out, for people: "lines 100.00 = net 100.00"."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from serve_app.domain.invoice import Details, Extraction, LineItem

# Rounding each line or tax rate apart moves a sum by less.
TOLERANCE = Decimal("0.02")


@dataclass(frozen=True, slots=True)
class Check:
    """A sum that should be `expected`: the name of both sides, and what each has."""

    left: str
    right: str
    found: Decimal
    expected: Decimal

    @property
    def difference(self) -> Decimal:
        return self.found - self.expected

    @property
    def holds(self) -> bool:
        return abs(self.difference) <= TOLERANCE


def checks_of(invoice: Extraction) -> list[Check]:
    """The sums that can be checked with what was read."""
    return [check for check in _checks(invoice, invoice.details or Details()) if check is not None]


def _checks(invoice: Extraction, details: Details) -> Iterator[Check | None]:
    subtotal, tax, amount = details.subtotal, invoice.tax, invoice.amount
    net = subtotal if subtotal is not None else (amount - tax if amount is not None and tax is not None else None)
    lines = [_total(item) for item in invoice.line_items]
    if lines and None not in lines:
        yield _lines(sum((line for line in lines if line is not None), Decimal(0)), net, amount)
    if subtotal is not None and tax is not None and amount is not None:
        extra = (details.shipping or Decimal(0)) - (details.discount or Decimal(0))
        name = "Subtotal, shipping, discount and tax" if extra else "Subtotal and tax"
        with_extra = Check(name, "amount", subtotal + tax + extra, amount)
        # Some subtotals contain shipping and discount.
        without = Check("Subtotal and tax", "amount", subtotal + tax, amount)
        yield without if without.holds else with_extra
    taxes = [line.amount for line in details.tax_lines]
    if tax is not None and taxes and None not in taxes:
        yield Check("Tax of all rates", "tax", sum((each for each in taxes if each is not None), Decimal(0)), tax)
    if details.amount_due is not None and details.amount_paid is not None and amount is not None:
        yield Check("Amount less what was paid", "amount due", amount - details.amount_paid, details.amount_due)


def _lines(lines: Decimal, net: Decimal | None, amount: Decimal | None) -> Check | None:
    """Lines are net or gross: of the two sums, the nearer one is what they should make."""
    stated = [(name, value) for name, value in (("subtotal", net), ("amount", amount)) if value is not None]
    if not stated:
        return None
    name, value = min(stated, key=lambda each: abs(each[1] - lines))
    return Check("Lines", name, lines, value)


def _total(item: LineItem) -> Decimal | None:
    if item.total is not None:
        return item.total
    return None if item.quantity is None or item.unit_price is None else item.quantity * item.unit_price
