"""Answers about orders. Written by `python -m scripts.clients` from the OpenAPI document."""

from datetime import date, datetime
from decimal import Decimal

from invoices_client.models.base import Model
from invoices_client.models.enums import OrderStatus


class PurchaseOrderLine(Model):
    """A line of an order, with what is billed and open of it."""

    position: int
    """Its number in the order."""
    description: str
    """The text of the line."""
    sku: str | None = None
    """The article number; null if there is none."""
    quantity: Decimal
    """How many were ordered."""
    unit: str | None = None
    """The unit of the quantity; null if it is unknown."""
    unit_price: Decimal
    """The price of one unit, without tax."""
    received_quantity: Decimal | None = None
    """How many have arrived; null: arrivals are not counted."""
    billed_quantity: Decimal
    """How many invoices bill that are complete and not rejected."""
    open_quantity: Decimal
    """How many may still be billed."""


class PurchaseOrder(Model):
    """A purchase order with what is open of it."""

    id: str
    """The id."""
    object: str
    """The type of the object."""
    number: str
    """The order's number."""
    vendor: str
    """The vendor's name."""
    currency: str
    """The ISO 4217 code; null if it was not found."""
    ordered_on: date | None = None
    """The day of the order; null if it is unknown."""
    status: OrderStatus
    """`open`, or `closed`: nothing more may be billed."""
    lines: list[PurchaseOrderLine] = []
    """Its lines, with what is billed and open of each."""
    created_at: datetime
    """When it was created."""
    updated_at: datetime
    """When it was last changed."""


class PurchaseOrderList(Model):
    """Purchase orders, newest first."""

    object: str
    """The type of the object."""
    data: list[PurchaseOrder] = []
    """The object of the event, or the entries of the list."""
    has_more: bool
    """Whether more entries follow."""


class PurchaseOrderRules(Model):
    """The tolerances in force."""

    object: str
    """The type of the object."""
    price_percent: Decimal
    """How many percent a line may cost more or less than ordered."""
    amount: Decimal
    """The same as an amount in the order's currency; either is enough."""
    quantity_percent: Decimal
    """How many percent more may be billed than ordered or received."""
    skip_review: bool
    """Whether an invoice within tolerance needs no review."""
