"""What the pages of orders show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from serve_app.domain.purchase_order import OrderLine, OrderStatus, PurchaseOrder, net_total


@dataclass(frozen=True, slots=True)
class LineRow:
    """A line of an order, with what is billed and what is open."""

    line: OrderLine
    billed: Decimal

    @property
    def open(self) -> Decimal:
        return max(self.line.quantity - self.billed, Decimal(0))


@dataclass(frozen=True, slots=True)
class OrderRow:
    """An order, with what invoices bill of each line, by position."""

    order: PurchaseOrder
    billed: Mapping[int, Decimal]

    @property
    def lines(self) -> Sequence[LineRow]:
        return [LineRow(line, self.billed.get(line.position, Decimal(0))) for line in self.order.lines]

    @property
    def total(self) -> Decimal:
        """What all of it costs without tax."""
        return net_total(self.order.lines)

    @property
    def open_total(self) -> Decimal:
        """What may still be billed."""
        return sum((row.open * row.line.unit_price for row in self.lines), Decimal(0))

    @property
    def is_open(self) -> bool:
        return self.order.status is OrderStatus.OPEN
