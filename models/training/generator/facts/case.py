"""A case: everything that one document could say. Layouts decide what of it is printed, and where."""

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
    """The facts. Amounts are consistent: `total = net + tax + rounding`, `due = total - paid`.

    `paid` below zero is a balance from before; `charge` is the kind of `shipping`: a word list.
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
        return self.total - self.paid

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
        )
