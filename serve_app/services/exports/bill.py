"""What all formats write: a bill, whose postings close to its total."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Coding:
    """What a posting is booked on. Empty: nothing is known. `others` are codes of further dimensions of the chart, by
    their keys, as far as the format has columns for them."""

    account: str = ""
    tax_code: str = ""
    cost_centre: str = ""
    others: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Posting:
    """A part of a bill with one rate of tax and one account. Of a bill and of a credit note alike, its amounts are
    positive, unless it reduces them. `rate` is in percent."""

    text: str
    net: Decimal
    tax: Decimal
    rate: Decimal
    coding: Coding

    @property
    def gross(self) -> Decimal:
        return self.net + self.tax


OwnValues = Mapping[str, str | Decimal | date]
"""Certain values of fields that the account has added, by their names."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line as it is printed, as far as it is certain. The signs of its amounts are those of postings."""

    number: int
    description: str | None = None
    quantity: Decimal | None = None
    unit_price: Decimal | None = None
    total: Decimal | None = None
    tax_rate: Decimal | None = None
    own: OwnValues = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Bill:
    """An invoice as it is booked. `vendor_account` is the vendor's number in the other program. `order` is the number
    that the invoice names, `matched_orders` are those that it bills. `own` are those of whole invoices."""

    invoice_id: UUID
    is_credit: bool
    vendor: str
    vendor_account: str
    number: str
    issued_at: date
    due_at: date | None
    currency: str
    postings: Sequence[Posting]
    tax_id: str = ""
    iban: str = ""
    order: str = ""
    matched_orders: str = ""
    order_match: str = ""
    coding_status: str = ""
    file_name: str = ""
    own: OwnValues = field(default_factory=dict)
    lines: Sequence[Line] = ()

    @property
    def total(self) -> Decimal:
        return sum((posting.gross for posting in self.postings), Decimal(0))

    @property
    def net(self) -> Decimal:
        return sum((posting.net for posting in self.postings), Decimal(0))

    @property
    def tax(self) -> Decimal:
        return self.total - self.net
