"""What the list of invoices shows."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import cached_property

from serve_app.domain.invoice import (
    VERIFIED_BY,
    ApprovalStatus,
    Confidence,
    Invoice,
    ReviewStatus,
    Status,
    lowest_level,
)
from serve_app.domain.query import ListPage, SortKey, Total
from serve_app.web.invoices.filters import USUAL, InvoiceFilters

COUNTED = 1000
"""How many of the newest matching invoices are counted and added up."""
PAGE = 50

OVERDUE = {"overdue": "true", "review": "not_rejected"}
"""The filters of what is overdue and to be paid."""

ALERTS = {"has_alerts": "true", "paid": "false", "review": "not_rejected"}
"""The filters of what somebody must look at before it is paid."""

COLUMNS = {
    "number": "Number",
    "issued": "Issued",
    "due": "Due",
    "amount": "Amount",
    "state": "State",
    "payment": "Payment",
    "tag": "Tag",
    "level": "Confidence",
    "approval": "Approval",
    "type": "Type",
    "received": "Received",
    "source": "Source",
    "file": "File",
    "pages": "Pages",
}


@dataclass(frozen=True, slots=True)
class Label:
    """A state in a word, with the icon and the tone that go with it; see `ui.state`."""

    word: str
    tone: str = "quiet"
    icon: str = ""


@dataclass(frozen=True)
class Row:
    """One invoice of the list."""

    invoice: Invoice
    title: str
    state: Label
    payment: Label | None
    level: Confidence | None

    @cached_property
    def empty(self) -> frozenset[str]:
        """The columns that have nothing to show."""
        invoice = self.invoice
        values = {
            "number": invoice.invoice_number,
            "issued": invoice.issued_at,
            "due": invoice.due_at,
            "amount": invoice.amount,
            "payment": self.payment,
            "tag": invoice.entity_tag,
            "level": self.level or invoice.review.corrections or None,
            "approval": invoice.approval_status,
            "type": invoice.document_type,
            "file": invoice.file.name,
            "pages": invoice.pages,
        }
        return frozenset(name for name, value in values.items() if value is None)

    @property
    def amount_text(self) -> str:
        """The exact amount, for scripts that add up."""
        return "" if self.invoice.amount is None else str(self.invoice.amount)


@dataclass(frozen=True, slots=True)
class Tab:
    """A list that is asked for often."""

    name: str
    path: str
    is_here: bool


@dataclass(frozen=True, slots=True)
class InvoiceList:
    """A part of the list, and sums over all that match (or over the newest of them)."""

    rows: Sequence[Row]
    columns: Sequence[str]
    totals: Sequence[Total]
    next_path: str
    first_path: str

    @property
    def count(self) -> int:
        return sum(total.count for total in self.totals)

    @property
    def is_moving(self) -> bool:
        """Whether a document of this part is still to be read."""
        return any(row.invoice.status in (Status.QUEUED, Status.PROCESSING) for row in self.rows)

    @property
    def is_cut(self) -> bool:
        """Whether there may be more than were counted."""
        return self.count >= COUNTED

    @property
    def sums(self) -> list[tuple[Decimal, str]]:
        return [(total.amount, total.currency) for total in self.totals if total.currency and total.amount]


def list_of(page: ListPage[Invoice], totals: Sequence[Total], filters: InvoiceFilters, today: date) -> InvoiceList:
    """The page of a list that was asked for."""
    rows = [row_of(invoice, today) for invoice in page.items]
    return InvoiceList(
        rows=rows,
        columns=columns_of(filters),
        totals=totals,
        next_path=filters.path_after(page.items[-1]) if page.has_more else "",
        first_path=filters.path() if filters.after else "",
    )


def totals_of(invoices: Sequence[Invoice]) -> list[Total]:
    """The sums of these invoices by currency, the most frequent one first."""
    counts = Counter(invoice.currency for invoice in invoices)
    return [
        Total(
            currency,
            count,
            sum((each.amount or Decimal(0) for each in invoices if each.currency == currency), Decimal(0)),
        )
        for currency, count in counts.most_common()
    ]


SORTED = {"vendor": SortKey.VENDOR, "issued": SortKey.ISSUED, "due": SortKey.DUE, "amount": SortKey.AMOUNT}
"""The columns that a list can be sorted by."""


ORDERS = (
    ("due", "Due first"),
    ("-due", "Due last"),
    ("-amount", "Largest amount first"),
    ("amount", "Smallest amount first"),
    ("-issued", "Issued last"),
    ("issued", "Issued first"),
    ("vendor", "Vendor, A to Z"),
    ("-vendor", "Vendor, Z to A"),
)
"""The orders of a list, as its address names them, in words."""


def columns_of(filters: InvoiceFilters) -> list[str]:
    """The columns to show, in the order of the table."""
    requested = set(filters.shown) & COLUMNS.keys() or set(USUAL)
    return [name for name in COLUMNS if name in requested]


def row_of(invoice: Invoice, today: date) -> Row:
    return Row(invoice, title_of(invoice), state_of(invoice), payment_of(invoice, today), lowest_level(invoice))


def title_of(invoice: Invoice) -> str:
    """By what people know an invoice: its vendor, else its file."""
    return invoice.vendor_name or invoice.file.name or "Unnamed document"


def state_of(invoice: Invoice) -> Label:
    match invoice.status:
        case Status.QUEUED:
            return Label("Waiting", "busy", "clock")
        case Status.PROCESSING:
            return Label("Being read", "busy", "refresh-cw")
        case Status.FAILED:
            return Label("Failed", "bad", "circle-alert")
        case _:
            return _state_of_complete(invoice)


def _state_of_complete(invoice: Invoice) -> Label:
    review = invoice.review
    match review.status:
        case ReviewStatus.CONFIRMED:
            return Label(f"Confirmed by {review.by}", "good", "circle-check")
        case ReviewStatus.REJECTED:
            return Label(f"Rejected by {review.by}", "bad", "x")
        case _ if invoice.auto_verified:
            return _verified(invoice)
        case _:
            return Label("To check", "warn", "eye")


def _verified(invoice: Invoice) -> Label:
    # Two models have verified what they read, not what somebody has entered instead.
    corrected = invoice.review.corrections.keys() & {str(field) for field in VERIFIED_BY}
    return Label("Corrected", "good", "pencil") if corrected else Label("Verified", "good", "circle-check")


def payment_of(invoice: Invoice, today: date) -> Label | None:
    """None while there is nothing to pay that is known of."""
    if invoice.status is not Status.COMPLETE:
        return None
    if invoice.paid:
        return Label("Paid", "good", "check")
    if invoice.review.status is ReviewStatus.REJECTED:
        return None
    if invoice.due_at is not None and invoice.due_at < today:
        return Label("Overdue", "bad", "triangle-alert")
    return Label("Open")


def approval_of(status: ApprovalStatus | None) -> Label | None:
    match status:
        case ApprovalStatus.REQUESTED:
            return Label("Requested", "busy", "mail")
        case ApprovalStatus.APPROVED:
            return Label("Approved", "good", "circle-check")
        case ApprovalStatus.REJECTED:
            return Label("Rejected", "bad", "x")
        case _:
            return None


def tabs_of(filters: InvoiceFilters) -> list[Tab]:
    """The lists that are asked for most."""
    lists: list[tuple[str, dict[str, str]]] = [
        ("All", {}),
        ("To check", {"to_check": "true"}),
        ("Confirmed", {"review": "confirmed"}),
        ("Rejected", {"review": "rejected"}),
        ("Unpaid", {"status": "complete", "paid": "false", "review": "not_rejected"}),
        ("Overdue", OVERDUE),
        ("Alerts", ALERTS),
        ("Failed", {"status": "failed"}),
        ("Duplicates", {"duplicate": "true"}),
    ]
    return [Tab(name, filters.with_only(**given), dict(filters.given) == given) for name, given in lists]


def is_today(moment: datetime, today: date) -> bool:
    return moment.date() == today
