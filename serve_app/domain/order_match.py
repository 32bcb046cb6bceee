"""What an invoice has to do with the account's purchase orders."""

from enum import StrEnum
from uuid import UUID

from serve_app.domain.resource import Number, Resource


class OrderMatchStatus(StrEnum):
    """`matched`: everything that is billed was ordered, within the account's tolerances. `differs`: an order was found,
    and something differs from it. `not_found`: the account has orders, and the invoice belongs to none that is
    known, or to several alike."""

    MATCHED = "matched"
    DIFFERS = "differs"
    NOT_FOUND = "not_found"


class OrderFoundBy(StrEnum):
    """How the order was found: by the number that was read as the order's (`number`), by its number elsewhere in the
    text (`text`), or by the vendor and the lines (`lines`)."""

    NUMBER = "number"
    TEXT = "text"
    LINES = "lines"


class OrderFindingKind(StrEnum):
    """How an invoice differs from its orders."""

    PRICE_ABOVE = "price_above"
    PRICE_BELOW = "price_below"
    QUANTITY_ABOVE_ORDERED = "quantity_above_ordered"
    QUANTITY_ABOVE_RECEIVED = "quantity_above_received"
    LINE_NOT_ORDERED = "line_not_ordered"
    LINE_INCOMPLETE = "line_incomplete"
    LINE_MISSING = "line_missing"
    UNIT_DIFFERS = "unit_differs"
    VENDOR_DIFFERS = "vendor_differs"
    CURRENCY_DIFFERS = "currency_differs"
    ORDER_CLOSED = "order_closed"
    ORDER_USED_UP = "order_used_up"
    ORDER_UNKNOWN = "order_unknown"
    BILLED_TWICE = "billed_twice"
    TOTAL_DIFFERS = "total_differs"
    CHARGE_NOT_ORDERED = "charge_not_ordered"


INFORMATIVE = frozenset({OrderFindingKind.LINE_MISSING})
"""Not differences: a partial delivery bills only a part."""


class OrderFinding(Resource):
    """A difference. `line` is the line item of the invoice (from 1), `order_line` the position in the order; null if it
    is about neither. `expected` is what the order says, `found` what the invoice says: exact decimals, or texts. `text`
    is a sentence for people."""

    kind: OrderFindingKind
    line: int | None = None
    order_id: UUID | None = None
    order_line: int | None = None
    expected: str | None = None
    found: str | None = None
    text: str

    @property
    def is_difference(self) -> bool:
        """Whether a person should decide."""
        return self.kind not in INFORMATIVE


class MatchedOrder(Resource):
    """An order that the invoice bills."""

    id: UUID
    number: str


class MatchedLine(Resource):
    """A line item of the invoice (from 1) and the position in the order that it bills. `quantity` is in the order's
    unit, `amount` is net; both are below zero on credit notes."""

    line: int
    order_id: UUID
    order_line: int
    quantity: Number
    amount: Number


class OrderMatch(Resource):
    """The orders that an invoice bills, line by line, and how it differs from them. `skips_review`: it is within
    tolerance, and the account lets such invoices pass without a look."""

    status: OrderMatchStatus
    found_by: OrderFoundBy | None = None
    orders: list[MatchedOrder] = []
    lines: list[MatchedLine] = []
    findings: list[OrderFinding] = []
    skips_review: bool = False

    @property
    def order_numbers(self) -> str:
        """The numbers of the orders, separated by semicolons."""
        return "; ".join(order.number for order in self.orders)
