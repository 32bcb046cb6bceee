"""Purchase orders: what an account has ordered, and what has arrived."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

from pydantic import BaseModel, ConfigDict

from serve_app.domain.duplicates import normalise_vendor
from serve_app.domain.errors import InvalidParameter

MAX_LINES = 1_000
"""Lines of an order."""
MAX_TEXT = 200
"""Characters of a number, a vendor's name, a SKU or a unit."""
MAX_DESCRIPTION = 1_000
"""Characters of a description."""
MOST = Decimal(10) ** 12
"""No quantity and no price is greater."""
_MOST_CHANGES = 20


class OrderStatus(StrEnum):
    """`closed`: nothing more may be billed."""

    OPEN = "open"
    CLOSED = "closed"


class OrderLine(BaseModel):
    """A line of an order. `position` names it; the price is net, of one unit. `received_quantity` is None as long as
    nobody counts what arrives: then the line is matched without it."""

    model_config = ConfigDict(frozen=True)

    position: int
    description: str = ""
    sku: str | None = None
    quantity: Decimal
    unit: str | None = None
    unit_price: Decimal
    received_quantity: Decimal | None = None


@dataclass(frozen=True, slots=True)
class OrderDraft:
    """What somebody says that was ordered."""

    number: str
    vendor: str
    currency: str
    lines: tuple[OrderLine, ...]
    ordered_on: date | None = None
    status: OrderStatus = OrderStatus.OPEN

    def check(self) -> None:
        """Raises InvalidParameter that says what of it cannot be kept."""
        if not order_key(self.number):
            raise InvalidParameter("number: enter letters or digits.", "number")
        if not normalise_vendor(self.vendor):
            raise InvalidParameter("vendor: enter the vendor's name.", "vendor")
        if not 1 <= len(self.lines) <= MAX_LINES:
            raise InvalidParameter(f"lines: an order has 1 to {MAX_LINES} lines.", "lines")
        positions = [line.position for line in self.lines]
        if len(set(positions)) < len(positions):
            raise InvalidParameter("lines: two lines have the same position.", "lines")

    def with_received(self, quantities: Mapping[int, Decimal]) -> "OrderDraft":
        """With these quantities, by position, in addition to those that had arrived; a negative one takes back. Raises
        InvalidParameter for an unknown position, and for less than nothing."""
        unknown = quantities.keys() - {line.position for line in self.lines}
        if unknown:
            raise InvalidParameter(f"The order has no line with the position {min(unknown)}.", "lines")
        return replace(self, lines=tuple(_received(line, quantities.get(line.position)) for line in self.lines))

    def over(self, kept: "OrderDraft") -> "OrderDraft":
        """As this file's row, with what had arrived of the order that is kept: a file may not say it."""
        received = {line.position: line.received_quantity for line in kept.lines}
        lines = tuple(
            line.model_copy(update={"received_quantity": received.get(line.position)})
            if line.received_quantity is None
            else line
            for line in self.lines
        )
        return replace(self, lines=lines)


@dataclass(frozen=True, slots=True)
class PurchaseOrder:
    """An order of an account. Its number is unique in the account, however it is spaced or punctuated. `revision` grows
    with every change; `changes` are the latest ones with an idempotency key. From `check_at` on, the invoices that bill
    it are compared with it again; None: nothing has changed since."""

    id: UUID
    account_id: UUID
    number: str
    vendor: str
    currency: str
    lines: tuple[OrderLine, ...]
    created_at: datetime
    updated_at: datetime
    ordered_on: date | None = None
    status: OrderStatus = OrderStatus.OPEN
    revision: int = 0
    check_at: datetime | None = None
    changes: tuple[UUID, ...] = ()

    @property
    def draft(self) -> OrderDraft:
        """What was ordered, without what the service keeps of it."""
        return OrderDraft(self.number, self.vendor, self.currency, self.lines, self.ordered_on, self.status)

    @property
    def key(self) -> str:
        """What its number is found by."""
        return order_key(self.number)

    @property
    def vendor_key(self) -> str:
        """What its vendor is found by."""
        return normalise_vendor(self.vendor)

    def with_draft(self, draft: OrderDraft, now: datetime) -> "PurchaseOrder":
        """With what somebody says now that was ordered; the invoices that bill it are to be compared again."""
        return replace(
            self,
            number=draft.number,
            vendor=draft.vendor,
            currency=draft.currency,
            lines=draft.lines,
            ordered_on=draft.ordered_on,
            status=draft.status,
            updated_at=now,
            revision=self.revision + 1,
            check_at=now,
        )

    def with_change(self, change_id: UUID | None) -> "PurchaseOrder":
        """With this change noted, if it has an idempotency key."""
        return self if change_id is None else replace(self, changes=(*self.changes, change_id)[-_MOST_CHANGES:])


@dataclass(frozen=True, slots=True)
class OrderQuery:
    """Which orders to list; None matches any. `number` is found however it is spaced, `vendor` by its whole name."""

    status: OrderStatus | None = None
    number: str | None = None
    vendor: str | None = None


def order_key(number: str) -> str:
    """Letters and digits of a number, without case: `PO 47-11` and `po4711` are one number."""
    return "".join(filter(str.isalnum, number.casefold()))


def net_total(lines: Sequence[OrderLine]) -> Decimal:
    """What all lines cost together, without tax."""
    return sum((line.quantity * line.unit_price for line in lines), Decimal(0))


def _received(line: OrderLine, more: Decimal | None) -> OrderLine:
    if more is None:
        return line
    received = (line.received_quantity or Decimal(0)) + more
    if received < 0:
        raise InvalidParameter(f"Line {line.position}: less than nothing would have been received.", "lines")
    return line.model_copy(update={"received_quantity": received})
