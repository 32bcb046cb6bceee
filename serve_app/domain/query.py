"""Filters and pages of lists."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Generic, TypeVar
from uuid import UUID

from serve_app.domain.event import EventType
from serve_app.domain.folding import folded
from serve_app.domain.invoice import ApprovalStatus, Confidence, Invoice, ReviewStatus, Source, Status
from serve_app.domain.order_match import OrderMatchStatus
from serve_app.domain.webhook import DeliveryState

T = TypeVar("T")
_DAY = timedelta(days=1)


class ReviewFilter(StrEnum):
    """What people must have said about an invoice."""

    OPEN = ReviewStatus.OPEN
    CONFIRMED = ReviewStatus.CONFIRMED
    REJECTED = ReviewStatus.REJECTED
    NOT_REJECTED = "not_rejected"
    """Open or confirmed."""


@dataclass(frozen=True, slots=True)
class InvoiceQuery:
    """Which invoices to list; None matches any value.

    Dates and times are strict bounds, amounts inclusive ones; a bound excludes invoices that have no such value.
    `vendor` is a substring of the vendor's name, in any case and with or without accents, taken literally; the other
    texts must match exactly. `overdue_on` is the day on which `overdue` is evaluated: complete, unpaid and due before
    it; False means everything else. `duplicate` is whether the invoice repeats an older one, `batch` the id that the
    invoices of one file share. `number` is a part of the invoice number, in any case. `to_check` is whether it is
    complete, was not verified automatically and nobody has decided, so that a person should look. `level` is the lowest
    confidence of its header fields, `models` the two revisions that read it, with a space between. `review` is what
    people said about it, `has_alerts` whether its `checks` have an alert. `order_match` is how it
    matches purchase orders, `order_id` one that it bills. `ids` are the only invoices to look at.
    `is_exported` is whether it is in an export. `custom` is an own field and its value, as `custom_term` writes them.
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
    vendor_id: UUID | None = None
    invoice_number: str | None = None
    currency: str | None = None
    entity_tag: str | None = None
    approval_status: ApprovalStatus | None = None
    duplicate: bool | None = None
    batch: UUID | None = None
    issued_after: date | None = None
    issued_before: date | None = None
    number: str | None = None
    to_check: bool | None = None
    level: Confidence | None = None
    models: str | None = None
    review: ReviewFilter | None = None
    has_alerts: bool | None = None
    order_match: OrderMatchStatus | None = None
    order_id: UUID | None = None
    updated_after: datetime | None = None
    updated_before: datetime | None = None
    ids: tuple[UUID, ...] | None = None
    is_exported: bool | None = None
    custom: str | None = None


def custom_term(name: str, value: str) -> str:
    """An own field with its value, as lists are filtered by it."""
    return f"{name}:{value}"


def issued_between(since: date | None, until: date | None) -> InvoiceQuery:
    """Issued on these days or between them; None: on any. The bounds of a query are strict."""
    return InvoiceQuery(
        issued_after=None if since in (None, date.min) else since - _DAY,
        issued_before=None if until in (None, date.max) else until + _DAY,
    )


class SortKey(StrEnum):
    """What a list can be sorted by besides the time at which its invoices came."""

    AMOUNT = "amount"
    DUE = "due"
    ISSUED = "issued"
    VENDOR = "vendor"
    UPDATED = "updated"


@dataclass(frozen=True, slots=True)
class Order:
    """The order of a list of invoices. Those of one value are in the order of their ids, in the same direction; those
    without a value come last, in either direction."""

    key: SortKey
    descending: bool = False


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a sorted list: after the invoice `id`, whose value is `value` (None: it has none). It stays a place if
    the invoice is changed or deleted."""

    value: str | None
    id: UUID


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def change_position(updated_at: datetime, id: UUID) -> Position:
    """A place in the list by `updated_at`, whose value is in microseconds since 1970."""
    return Position(str((updated_at - _EPOCH) // timedelta(microseconds=1)), id)


def position_of(invoice: Invoice, key: SortKey) -> Position:
    """Where the invoice is in a list sorted by this."""
    if key is SortKey.UPDATED:
        return change_position(invoice.updated_at, invoice.id)
    value = {
        SortKey.AMOUNT: invoice.amount,
        SortKey.DUE: invoice.due_at,
        SortKey.ISSUED: invoice.issued_at,
        SortKey.VENDOR: None if invoice.vendor_name is None else folded(invoice.vendor_name),
    }[key]
    return Position(None if value is None else str(value), invoice.id)


@dataclass(frozen=True, slots=True)
class Total:
    """How many invoices there are in one currency, and the sum of their amounts; without an amount they add nothing.
    `currency` None: they name none."""

    currency: str | None
    count: int
    amount: Decimal


@dataclass(frozen=True, slots=True)
class EventQuery:
    """Which events to list; None matches any value, of types those of ended runs. Times are strict bounds."""

    type: EventType | None = None
    created_after: datetime | None = None
    created_before: datetime | None = None


@dataclass(frozen=True, slots=True)
class DeliveryQuery:
    """Which deliveries to list; None matches any value. Times are strict bounds on the creation of the delivery."""

    endpoint_id: UUID | None = None
    event_id: str | None = None
    state: DeliveryState | None = None
    created_after: datetime | None = None
    created_before: datetime | None = None


@dataclass(frozen=True, slots=True)
class ListPage(Generic[T]):
    """A part of a list, newest first; `has_more` is whether anything follows."""

    items: tuple[T, ...]
    has_more: bool


def page_of(found: list[T], limit: int) -> ListPage[T]:
    """The page of the items found by a query for `limit` + 1."""
    return ListPage(tuple(found[:limit]), len(found) > limit)
