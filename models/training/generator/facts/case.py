"""A case: everything that a document could say. Layouts decide what is printed, and where."""

from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal

from models.training.generator.facts.countries import Country
from models.training.generator.facts.items import ZERO, Item
from models.training.generator.facts.parties import Party


@dataclass(frozen=True, slots=True)
class TaxRow:
    """The tax of one rate."""

    name: str
    rate: Decimal
    net: Decimal
    tax: Decimal

    @property
    def gross(self) -> Decimal:
        return self.net + self.tax


@dataclass(frozen=True, slots=True)
class Case:
    """The facts. Amounts are consistent: `total = net + tax + rounding`, `due = total - paid - withheld`.

    `paid` below zero is a balance from before; `charge` is the kind of `shipping`: a word list. `withheld` is what the
    customer keeps back at `withheld_rate`: a retention or a tax, also a word list.
    """

    country: Country
    language: str
    currency: str
    seller: Party
    buyer: Party
    number: str
    issued: date
    due: date
    other_date: date
    period: tuple[date, date]
    days: int
    items: tuple[Item, ...]
    gross_prices: bool
    row_discounts: bool
    lines_sum: Decimal
    discount: Decimal
    shipping: Decimal
    taxes: tuple[TaxRow, ...]
    rounding: Decimal
    paid: Decimal
    numbers: dict[str, str] = field(default_factory=dict)
    kind: str = "invoice"
    charge: str = "shipping"
    withheld: Decimal = ZERO
    withheld_rate: Decimal = ZERO
    withheld_kind: str = "retention"

    @property
    def net(self) -> Decimal:
        return sum((row.net for row in self.taxes), ZERO)

    @property
    def tax(self) -> Decimal:
        return sum((row.tax for row in self.taxes), ZERO)

    @property
    def total(self) -> Decimal:
        return self.net + self.tax + self.rounding

    @property
    def amount_due(self) -> Decimal:
        return self.total - self.paid - self.withheld

    @property
    def is_whole(self) -> bool:
        """Whether no amount has cents."""
        sums = (self.total, self.discount, self.shipping, self.paid, self.withheld, self.rounding)
        taxes = (amount for row in self.taxes for amount in (row.net, row.tax))
        prices = (amount for item in self.items for amount in (item.unit_price, item.total))
        return not any(amount % 1 for amount in (*sums, *taxes, *prices))

    def negated(self) -> "Case":
        """The same case with negative amounts, as many credit notes print it."""
        return replace(
            self,
            items=tuple(replace(item, quantity=-item.quantity, total=-item.total) for item in self.items),
            lines_sum=-self.lines_sum,
            discount=-self.discount,
            shipping=-self.shipping,
            taxes=tuple(replace(row, net=-row.net, tax=-row.tax) for row in self.taxes),
            rounding=-self.rounding,
            paid=-self.paid,
            withheld=-self.withheld,
        )
