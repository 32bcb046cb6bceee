"""Parameters of calls. Written by `python -m scripts.clients` from the OpenAPI document."""

from datetime import date, datetime
from decimal import Decimal
from typing import Any

from typing_extensions import Required, TypedDict

from invoices_client.models.enums import (
    ApprovalStatus,
    EventType,
    ExportFormat,
    HeldFor,
    OrderMatchStatus,
    OrderStatus,
    Outcome,
    OwnFieldScope,
    OwnFieldType,
    ReviewFilter,
    ReviewStatus,
    ShownState,
    Source,
    Status,
)


class CitationBody(TypedDict, total=False):
    """Where a value is printed."""

    page: Required[int]
    """From 1."""
    box: Required[list[float]]
    """`x0`, `y0`, `x1`, `y1` as fractions of the page, from its top left corner."""
    text: str
    """The text printed there."""


class FieldBody(TypedDict, total=False):
    """The decision on a field."""

    value: Required[str | None]
    """A text: an exact decimal such as `1190.50`, an ISO 8601 date or the printed words; null if nothing is printed."""
    citation: CitationBody | None
    """Where the value is printed; null if that is not known."""


class RowBody(TypedDict, total=False):
    """A line item."""

    description: str | None
    """The text of the line."""
    quantity: str | None
    """How many."""
    unit_price: str | None
    """The price of one."""
    total: str | None
    """The total of the line."""
    tax_rate: str | None
    """In percent."""
    custom: dict[str, FieldBody]
    """Own fields of the line, by their names. Those that are omitted stay as they are."""


class TaxRowBody(TypedDict, total=False):
    """The tax of one rate, which is in percent."""

    rate: str | None
    """In percent."""
    base: str | None
    """The net sum that is taxed."""
    amount: str | None
    """The total of the invoice, with tax; null if it was not found."""


class CodeBody(TypedDict, total=False):
    """A code of a dimension."""

    code: Required[str]
    """The code itself."""
    name: str
    """What it is for."""
    active: bool
    """Whether it is suggested and can be entered."""


class DimensionBody(TypedDict, total=False):
    """A dimension with all its codes."""

    key: Required[str]
    """`account`, `cost_center`, `tax_code`, `project`, or an own one."""
    name: Required[str]
    """What people call it."""
    codes: Required[list[CodeBody]]
    """Its codes."""


class RuleBody(TypedDict, total=False):
    """Codes for lines that contain words, of vendors whose names contain words."""

    vendor: str | None
    """A part of the vendor's name; null: any vendor."""
    contains: str | None
    """Words in the line; null: any line."""
    codes: Required[dict[str, Any]]
    """The code of each dimension that it decides."""


class PostingBody(TypedDict, total=False):
    """What a line, a share of it, or the whole invoice is booked on."""

    line: int | None
    """The number of the line item, from 1; null: the whole invoice."""
    share: str | None
    """The share of the line, in percent, such as `33.3333`; only if it has several postings."""
    amount: str | None
    """The amount of the posting instead of its share."""
    codes: Required[dict[str, Any]]
    """The code of each dimension; null: none."""


class OrderLineBody(TypedDict, total=False):
    """A line of an order."""

    position: int | None
    """Its number in the order; without one, its place among the lines."""
    description: str
    """What was ordered."""
    sku: str | None
    """The vendor's or your own article number, as invoices print it."""
    quantity: Required[Decimal | float]
    """How many were ordered."""
    unit: str | None
    """The unit of the quantity."""
    unit_price: Required[Decimal | float]
    """The price of one unit, without tax."""
    received_quantity: Decimal | float | None
    """How many have arrived; null: arrivals are not counted, and the line is matched without them."""


class ReceivedLineBody(TypedDict, total=False):
    """What has arrived of a line."""

    position: Required[int]
    """The number of the line in the order."""
    quantity: Required[Decimal | float]
    """How many more have arrived; less than zero takes back."""


class ListInvoicesQuery(TypedDict, total=False):
    """List Invoices"""

    limit: int
    """Maximum number of entries."""
    starting_after: str
    """Only invoices after this one. It may have been deleted in the last 30 days."""
    exclude: str
    """Sets all `citations` to null, which makes the response smaller."""
    sort: str
    """`updated_at`: oldest change first, without changes of the last 10 s, which may be incomplete. To continue,
    send the last item's `updated_at` as `updated_after` and its `id` as `starting_after`. Default: newest invoice
    first.
    """
    status: Status | str
    """Only those with this status."""
    source: Source | str
    """The channel: `app`, `email` or `api`."""
    created_after: datetime
    """Strictly after; without an offset in UTC."""
    created_before: datetime
    """Strictly before; without an offset in UTC."""
    vendor: str
    """Part of the vendor's name; case and accents are ignored."""
    paid: bool
    """Only invoices marked as paid; false: only unpaid ones."""
    overdue: bool
    """Only complete, unpaid invoices past their due date; false: all others."""
    min_amount: Decimal | float
    """Inclusive."""
    max_amount: Decimal | float
    """Inclusive."""
    due_before: date
    """Strictly before."""
    due_after: date
    """Strictly after."""
    vendor_id: str
    """The id of a vendor."""
    invoice_number: str
    """Exactly this number."""
    currency: str
    """Exactly this code, e.g. `EUR`."""
    entity_tag: str
    """Exactly this tag."""
    approval_status: ApprovalStatus | str
    """Only invoices with an approval request in this state."""
    duplicate: bool
    """Only duplicates of an older invoice; false: all others."""
    batch: str
    """Only the invoices of one file, by the `id` of `batch`."""
    issued_after: date
    """Strictly after."""
    issued_before: date
    """Strictly before."""
    updated_after: datetime
    """Strictly after; with `sort` and `starting_after`, the position to continue from."""
    review: ReviewFilter | str
    """The status of the review; `not_rejected`: all except rejected ones."""
    has_alerts: bool
    """Only invoices with an alert among their `checks`; false: all others."""
    order_match: OrderMatchStatus | str
    """How the invoice matches purchase orders: `matched`, `differs` or `not_found`."""
    order_id: str
    """Only invoices that bill this purchase order, by its id."""
    custom: str
    """Only invoices with this value of an own field: `delivery_date:2026-03-01`."""
    ids: list[str]
    """Only these invoices, separated by commas. Unknown ids are left out."""


class AmendBody(TypedDict, total=False):
    """The changes; at least one property."""

    paid: bool
    """Mark the invoice as paid or unpaid; only for complete invoices."""
    entity_tag: str | None
    """Any text. Control characters are dropped; null clears the tag."""


class ExtractBody(TypedDict, total=False):
    """Options for reading a document again."""

    force: bool
    """Read the document again even if the invoice is complete."""
    password: str | None
    """The password of a protected PDF. It is not stored; the document is then stored without a password."""


class ReviewBody(TypedDict, total=False):
    """The decisions of a person."""

    revision: Required[int]
    """The revision of the review that the person saw."""
    fields: dict[str, FieldBody | None]
    """The decided fields; null removes a decision. The others stay."""
    line_items: list[RowBody] | None
    """The whole table; null removes the decision on it. If omitted, the table stays."""
    tax_lines: list[TaxRowBody] | None
    """The tax of each rate, as a whole table; null removes the decision on it."""
    status: ReviewStatus | str | None
    """`confirmed`, `rejected` or `open`. If omitted, the status stays."""
    reason: str | None
    """The reason for a rejection."""
    supplier_checks: dict[str, bool]
    """Which of the invoice's `checks` are in order, by kind; false takes that back."""


class ChartBody(TypedDict, total=False):
    """The whole chart as it is to be."""

    revision: Required[int]
    """The revision of the chart that was seen; 0: there is none yet."""
    dimensions: Required[list[DimensionBody]]
    """What codes answer: which account, cost centre, tax code, project, or an own question."""
    rules: list[RuleBody]
    """Codes for lines with certain words or vendors; the first that applies decides."""


class CodingBody(TypedDict, total=False):
    """What an invoice is booked on, as a whole."""

    postings: Required[list[PostingBody] | None]
    """All postings of the invoice; null removes the decision."""


class ApprovalBody(TypedDict, total=False):
    """The recipient of the request."""

    email: Required[str]
    """The address."""


class ListVendorsQuery(TypedDict, total=False):
    """List Vendors"""

    limit: int
    """Maximum number of entries."""
    starting_after: str
    """Only vendors after this one; the response then has `has_more`."""
    include: str
    """Adds `totals`, the sums by currency, or `identifiers`, what invoices print."""


class NewOrderBody(TypedDict, total=False):
    """A purchase order to keep."""

    number: Required[str]
    """Its number, which the account has once; spaces, punctuation and case do not count."""
    vendor: Required[str]
    """The vendor's name, as its invoices print it."""
    currency: Required[str]
    """The currency of its prices (ISO 4217)."""
    ordered_on: date | None
    """The day of the order."""
    status: OrderStatus | str
    """`open`, or `closed`: nothing more may be billed."""
    lines: Required[list[OrderLineBody]]
    """Its lines."""


class ListPurchaseOrdersQuery(TypedDict, total=False):
    """List Purchase Orders"""

    limit: int
    """Maximum number of entries."""
    status: OrderStatus | str
    """Only `open` or only `closed` orders."""
    number: str
    """The number, however it is spaced."""
    vendor: str
    """The vendor's whole name."""
    starting_after: str
    """Only orders after this one."""


class OrderRulesBody(TypedDict, total=False):
    """The tolerances of an account. What is omitted has its default."""

    price_percent: Decimal | float
    """How many percent a line may cost more or less than ordered."""
    amount: Decimal | float
    """The same as an amount in the order's currency; either is enough."""
    quantity_percent: Decimal | float
    """How many percent more than ordered or received may be billed."""
    skip_review: bool
    """Whether an invoice within tolerance needs no review."""


class AmendOrderBody(TypedDict, total=False):
    """The changes; at least one property. All of them are made, or none."""

    number: str
    """The new number."""
    vendor: str
    """The vendor's new name."""
    currency: str
    """The new currency."""
    ordered_on: date | None
    """The day of the order; null clears it."""
    status: OrderStatus | str
    """`closed` ends the order, `open` opens it again."""
    lines: list[OrderLineBody]
    """All lines of the order: those that are missing here are removed."""


class ReceiveBody(TypedDict, total=False):
    """Goods that have arrived."""

    lines: Required[list[ReceivedLineBody]]
    """The lines, each once."""


class ListFieldsQuery(TypedDict, total=False):
    """List Fields"""


class OwnFieldBody(TypedDict, total=False):
    """An own field as a whole."""

    label: Required[str]
    """What people call it."""
    type: OwnFieldType | str
    """What its values are. It cannot be changed later."""
    scope: OwnFieldScope | str
    """What a value is about; it cannot be changed later."""
    choices: list[str]
    """The values that it can have; only of the type `choice`."""
    captions: list[str]
    """Words that are printed beside or above the value."""
    required: bool
    """Whether an invoice without a sure value needs a person."""


class CustomValueBody(TypedDict, total=False):
    """A value of an own field, the place where it is printed, or both."""

    value: str | None
    """A text: an exact decimal, an ISO 8601 date, a choice or the printed words. With a `citation` alone, what is
    printed there; with neither, the value is not printed.
    """
    citation: CitationBody | None
    """Where the value is printed; without `value`, what is printed there is read."""
    line: int | None
    """Of a field of lines, the line from 1."""


class ListEventsQuery(TypedDict, total=False):
    """List Events"""

    limit: int
    """Maximum number of entries."""
    type: EventType | str
    """Default: `invoice.completed` and `invoice.failed`."""
    created_after: datetime
    """Strictly after; without an offset in UTC."""
    created_before: datetime
    """Strictly before; without an offset in UTC."""
    starting_after: str
    """Only events after this one. It may have been deleted in the last 30 days."""


class NewEndpointBody(TypedDict, total=False):
    """A webhook endpoint to register."""

    url: Required[str]
    """The URL that receives events: https, at a public address, without user and password, registered only once."""
    description: str
    """The purpose of the endpoint; control characters are dropped."""
    types: list[EventType | str]
    """The types of events to send. Default: `invoice.completed` and `invoice.failed`."""


class ListWebhookEndpointsQuery(TypedDict, total=False):
    """List Webhook Endpoints"""


class AmendEndpointBody(TypedDict, total=False):
    """The changes; at least one property. All of them are made, or none."""

    url: str
    """The new URL."""
    description: str
    """The new description."""
    types: list[EventType | str]
    """The new types of events."""
    active: bool
    """False pauses the endpoint: deliveries that wait for a retry are abandoned. True resumes it for new events."""


class ListMailsQuery(TypedDict, total=False):
    """List Mails"""

    limit: int
    """Maximum number of entries."""
    state: ShownState | str
    """Only mails in this state."""
    held_for: HeldFor | str
    """Only held mails that wait for this."""
    outcome: Outcome | str
    """Only mails that have a part with this outcome."""
    starting_after: str
    """Only mails after this one."""


class NewExportBody(TypedDict, total=False):
    """What to export."""

    format: Required[ExportFormat | str]
    """The program that the file is for."""
    settings: dict[str, Any]
    """The settings of the format, such as the accounts; documented with each format."""
    issued_since: date | None
    """Only invoices issued on this day or later."""
    issued_until: date | None
    """Only invoices issued on this day or earlier."""
    ids: list[str]
    """Only these invoices. Without them, all that are in no export."""
    again: bool
    """Also those of `ids` that were exported before."""


class ListExportsQuery(TypedDict, total=False):
    """List Exports"""

    limit: int
    """Maximum number of entries."""
    starting_after: str
    """Only exports after this one."""
