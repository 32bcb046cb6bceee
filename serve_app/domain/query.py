"""What lists can be asked for."""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Generic, TypeVar
from uuid import UUID

from serve_app.domain.event import EventType
from serve_app.domain.invoice import Source, Status
from serve_app.domain.webhook import DeliveryState

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class InvoiceQuery:
    """Which invoices; None: no matter.

    Dates and times are strict bounds, amounts inclusive ones; a bound leaves out invoices that have no such value.
    `vendor` is a substring of the vendor's name, in any case, taken literally. `overdue_on` is the day on which
    `overdue` is judged: complete, unpaid and due before it; False means everything else.
    """

    status: Status | None = None
    source: Source | None = None
    created_after: datetime | None = None
    created_before: datetime | None = None
    vendor: str | None = None
    paid: bool | None = None
    overdue: bool | None = None
    overdue_on: date = date.max
    min_amount: Decimal | None = None
    max_amount: Decimal | None = None
    due_after: date | None = None
    due_before: date | None = None


@dataclass(frozen=True, slots=True)
class EventQuery:
    """Which events; None: no matter. Times are strict bounds."""

    type: EventType | None = None
    created_after: datetime | None = None
    created_before: datetime | None = None


@dataclass(frozen=True, slots=True)
class DeliveryQuery:
    """Which deliveries; None: no matter. Times are strict bounds of when the delivery was made."""

    endpoint_id: UUID | None = None
    event_id: str | None = None
    state: DeliveryState | None = None
    created_after: datetime | None = None
    created_before: datetime | None = None


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """A part of a list, newest first; `has_more` tells whether anything follows."""

    items: tuple[T, ...]
    has_more: bool


def page_of(found: list[T], limit: int) -> Page[T]:
    """The page of what was found where one more than `limit` was asked for."""
    return Page(tuple(found[:limit]), len(found) > limit)
