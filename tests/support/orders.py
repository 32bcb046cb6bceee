"""Purchase orders for tests."""

from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from serve_app.domain.ids import new_id
from serve_app.domain.purchase_order import OrderLine, PurchaseOrder
from tests.support import NOON


def make_line(
    position: int = 1, description: str = "Oak desk", quantity: str = "10", unit_price: str = "25.00", **more: Any
) -> OrderLine:
    numbers = {"quantity": Decimal(quantity), "unit_price": Decimal(unit_price)}
    return OrderLine(position=position, description=description, **numbers, **more)


def make_order(
    account_id: UUID, number: str = "PO-1001", *lines: OrderLine, at: datetime = NOON, **more: Any
) -> PurchaseOrder:
    """An order of ten desks from Norvik Supplies, if nothing else is said."""
    values: dict[str, Any] = {"vendor": "Norvik Supplies GmbH", "currency": "EUR", "created_at": at, "updated_at": at}
    return PurchaseOrder(new_id(), account_id, number, lines=lines or (make_line(),), **values | more)
