"""The invoice resource, as `/v1` answers it."""

from datetime import date, datetime
from enum import StrEnum
from typing import Literal
from uuid import UUID

from serve_app.domain.coding import Coding
from serve_app.domain.confidence import Confidence as Confidence
from serve_app.domain.embedded_data import Code, EInvoiceCheck
from serve_app.domain.order_match import OrderMatch
from serve_app.domain.resource import Number, Resource
from serve_app.domain.target_precision import TargetPrecision
from serve_app.domain.usage import Usage


class Status(StrEnum):
    QUEUED = "queued"
    PROCESSING = "processing"
    COMPLETE = "complete"
    FAILED = "failed"


class Source(StrEnum):
    APP = "app"
    EMAIL = "email"
    API = "api"


class ApprovalStatus(StrEnum):
    REQUESTED = "requested"
    APPROVED = "approved"
    REJECTED = "rejected"


class Field(StrEnum):
    """The keys of `field_confidence` and `citations`."""

    VENDOR = "vendor"
    INVOICE_NUMBER = "invoice_number"
    AMOUNT = "amount"
    CURRENCY = "currency"
    ISSUED_AT = "issued_at"
    DUE_AT = "due_at"
    TAX = "tax"
    LINE_ITEMS = "line_items"


VERIFIED_BY = (Field.VENDOR, Field.INVOICE_NUMBER, Field.AMOUNT, Field.CURRENCY, Field.ISSUED_AT)
"""If all of these fields are `high`, nobody needs to check them."""


class FieldSource(StrEnum):
    """Where a value comes from. `models`: two models read it. `person`: somebody has entered another value than was
    read, or that there is none. `einvoice`: the file is an electronic invoice (XML), and the value is its own."""

    MODELS = "models"
    PERSON = "person"
    EINVOICE = "einvoice"


class DocumentType(StrEnum):
    """The kind of document. `other`: one that asks for no payment, such as an offer, an order, a delivery note
    or a statement; nothing read from it is ever `high`."""

    INVOICE = "invoice"
    CREDIT_NOTE = "credit_note"
    RECEIPT = "receipt"
    OTHER = "other"


class Detail(StrEnum):
    """The keys of `details.field_confidence` and `details.citations`."""

    BUYER_NAME = "buyer_name"
    PURCHASE_ORDER = "purchase_order"
    SUBTOTAL = "subtotal"
    TAX_LINES = "tax_lines"
    SHIPPING = "shipping"
    DISCOUNT = "discount"
    AMOUNT_DUE = "amount_due"
    AMOUNT_PAID = "amount_paid"
    VENDOR_TAX_ID = "vendor_tax_id"
    BUYER_TAX_ID = "buyer_tax_id"
    IBAN = "iban"
    PAYMENT_TERMS = "payment_terms"


class ReviewStatus(StrEnum):
    """What a person says about an invoice."""

    OPEN = "open"
    CONFIRMED = "confirmed"
    REJECTED = "rejected"


class FailureCode(StrEnum):
    DOCUMENT_ENCRYPTED = "document_encrypted"
    DOCUMENT_UNREADABLE = "document_unreadable"
    DOCUMENT_TOO_LARGE = "document_too_large"
    NO_TEXT_FOUND = "no_text_found"
    EXTRACTION_INTERRUPTED = "extraction_interrupted"


class Failure(Resource):
    """Why a run ended without a result."""

    code: FailureCode
    message: str


class FileInfo(Resource):
    name: str | None
    mime_type: str | None
    size_bytes: int | None


class Citation(Resource):
    """Where a value is printed: `page` is 1-based, `box` is x0, y0, x1, y1 in fractions of the page, top left first."""

    page: int
    box: tuple[float, float, float, float]
    text: str


# A header field has one citation; `line_items` has a list parallel to the invoice's line items.
Citations = dict[Field, Citation | list[Citation]]


class CustomValue(Resource):
    """The value of an own field: an exact decimal, an ISO 8601 date, a choice or the printed text; null if it was not
    found. `confidence` and `score` are of the value that was found, whatever the invoice says now: `high`, at least
    99 % of such values were right among the account's own decisions; `mid`, two ways of finding it agree; `low`, only
    one found it. `reason` is a sentence for people. `source` is `models` for a value that was found."""

    value: str | None = None
    confidence: Confidence | None = None
    score: float | None = None
    reason: str | None = None
    required: bool = False
    source: FieldSource | None = None
    citation: Citation | None = None

    @property
    def is_missing(self) -> bool:
        """Whether a person must look, because the account requires the value and it is not sure."""
        is_sure = self.source is FieldSource.PERSON or (self.value is not None and self.confidence is Confidence.HIGH)
        return self.required and not is_sure


class LineItem(Resource):
    description: str | None
    quantity: Number | None
    unit_price: Number | None
    confidence: Confidence | None
    total: Number | None = None
    tax_rate: Number | None = None
    custom: dict[str, CustomValue] = {}
    """The account's own fields of lines, by their names."""


class TaxLine(Resource):
    """The tax of one rate. `rate` is in percent; `base` is the net sum that it is taken of."""

    rate: Number | None
    base: Number | None
    amount: Number | None


class Details(Resource):
    """What bookkeeping asks for beside the header fields; null where it is not printed or was not found.

    `discount` and `amount_paid` are given without a sign. `vendor_tax_id`, `buyer_tax_id` and `iban` are without the
    gaps that are printed in them. `payment_terms` are as printed. The confidence and the place of each value that was
    found are in `field_confidence` and `citations`; `tax_lines` have a list of places parallel to them. `field_source`
    means the same as in the invoice.
    """

    buyer_name: str | None = None
    purchase_order: str | None = None
    subtotal: Number | None = None
    tax_lines: list[TaxLine] = []
    shipping: Number | None = None
    discount: Number | None = None
    amount_due: Number | None = None
    amount_paid: Number | None = None
    vendor_tax_id: str | None = None
    buyer_tax_id: str | None = None
    iban: str | None = None
    payment_terms: str | None = None
    field_confidence: dict[Detail, Confidence] = {}
    field_source: dict[Detail, FieldSource] = {}
    citations: dict[Detail, Citation | list[Citation]] | None = None


class ModelRevisions(Resource):
    """The revisions of the models that made the result."""

    extractor: str
    verifier: str


class CheckKind(StrEnum):
    """What is unusual about an invoice: in its file, and beside the supplier's earlier ones."""

    BANK_ACCOUNT_CHANGED = "bank_account_changed"
    TAX_NUMBER_CHANGED = "tax_number_changed"
    NUMBER_REUSED = "number_reused"
    NEAR_DUPLICATE = "near_duplicate"
    DATA_DIFFERS = "data_differs"
    FILE_CHANGED = "file_changed"
    TEXT_LAYER_DIFFERS = "text_layer_differs"
    LOOKALIKE = "lookalike"
    SUPPLIER_BLOCKED = "supplier_blocked"
    SUPPLIER_LIST_DIFFERS = "supplier_list_differs"
    ACCOUNT_ABROAD = "account_abroad"
    AMOUNT_UNUSUAL = "amount_unusual"
    DATE_UNUSUAL = "date_unusual"
    NUMBER_UNUSUAL = "number_unusual"
    ORDER_DIFFERS = "order_differs"
    TAX_NUMBER_UNREGISTERED = "tax_number_unregistered"
    TAX_RATE_UNKNOWN = "tax_rate_unknown"
    TAX_UNUSUAL = "tax_unusual"
    SENDER_CHANGED = "sender_changed"


class CheckSeverity(StrEnum):
    """`alert`: do not pay before a person has looked. `notice`: worth a look."""

    ALERT = "alert"
    NOTICE = "notice"


class SupplierCheck(Resource):
    """Something unusual about an invoice. `text` is a sentence for people; `since` is the day of the oldest of the
    earlier invoices that it differs from, `evidence` has the ids of the newest five of them. `confirmed_by` is the
    person's address, or the name of the API key, that has said that it is in order."""

    kind: CheckKind
    severity: CheckSeverity
    text: str
    since: date | None
    evidence: list[UUID]
    confirmed_by: str | None = None
    confirmed_at: datetime | None = None

    @property
    def is_open_alert(self) -> bool:
        """Whether a person must still look before the invoice is paid."""
        return self.severity is CheckSeverity.ALERT and self.confirmed_at is None


class Batch(Resource):
    """An invoice's place in the file that it came in with others. Indices and pages are 1-based; both pages belong to
    it. `id` is the same for all invoices of the file."""

    id: UUID
    index: int
    count: int
    first_page: int
    last_page: int


class Correction(Resource):
    """A value that somebody has entered. `read` is what was read instead, as text: an exact decimal, an ISO 8601 date
    or what is printed; null if nothing was read, and for tables. `by` is the person's address, or with `by_key` the
    name of the API key that was used."""

    read: str | None
    by: str
    by_key: bool = False
    at: datetime


class InvoiceReview(Resource):
    """What people say about an invoice. `fields` are those with another value than was read: the invoice has theirs,
    and `corrections` tells of each who entered it. `by` and `at` are of the last confirmation or rejection, `reason` of
    a rejection."""

    status: ReviewStatus = ReviewStatus.OPEN
    by: str | None = None
    at: datetime | None = None
    reason: str | None = None
    fields: list[str] = []
    corrections: dict[str, Correction] = {}


class Extraction(Resource):
    """What was read from one document: the part of an invoice that a run produces."""

    vendor_name: str | None = None
    invoice_number: str | None = None
    amount: Number | None = None
    currency: str | None = None
    issued_at: date | None = None
    due_at: date | None = None
    tax: Number | None = None
    line_items: list[LineItem] = []
    field_confidence: dict[Field, Confidence] | None = None
    """What the models say about the value that they read, whatever the invoice says now: compare `field_source`."""
    citations: Citations | None = None
    quality_score: float | None = None
    auto_verified: bool = False
    """Vendor, number, amount, currency and issue date were all read with `high` confidence. It is about what the models
    read: before you pay without a look, also check that no `field_source` is `person`."""
    target_precision: TargetPrecision | None = None
    """The account's target precision when the levels of confidence were made."""
    pages: int | None = None
    batch: Batch | None = None
    einvoice: EInvoiceCheck | None = None
    codes: list[Code] = []
    checks: list[SupplierCheck] = []
    """What is unusual in its file and beside the supplier's earlier invoices, alerts first."""
    order_match: OrderMatch | None = None
    """The purchase orders that it bills; null for accounts without orders."""
    models: ModelRevisions | None = None
    usage: Usage | None = None
    """What reading it took; null before the extraction, and for invoices of older versions."""
    document_type: DocumentType | None = None
    document_type_confidence: Confidence | None = None
    details: Details | None = None
    coding: Coding | None = None
    """What it is booked on; null without a chart, and if it was read before there was one."""
    custom: dict[str, CustomValue] = {}
    """The account's own fields of the whole invoice, by their names."""


class Invoice(Extraction):
    """An invoice as `GET /v1/invoices/{id}` returns it."""

    # Never stored: the estimate is made for each answer, the sources follow from the review (`domain/provenance.py`).
    id: UUID
    object: Literal["invoice"] = "invoice"
    livemode: bool = True
    """False in test mode."""
    status: Status = Status.QUEUED
    source: Source
    created_at: datetime
    updated_at: datetime
    file: FileInfo
    failure: Failure | None = None
    duplicate_of: UUID | None = None
    vendor_id: UUID | None = None
    paid: bool = False
    paid_at: datetime | None = None
    entity_tag: str | None = None
    approval_status: ApprovalStatus | None = None
    approval_email: str | None = None
    metadata: dict[str, str] = {}
    review: InvoiceReview = InvoiceReview()
    field_source: dict[Field, FieldSource] = {}
    """The source of each value. A field has a key if it has a value, or if somebody has said that it has none."""
    document_type_source: FieldSource | None = None
    """Where `document_type` comes from."""
    export_id: UUID | None = None
    """The export that it came into first; null while it is in none, or after it was unlocked. While it is in one, its
    values cannot be changed."""
    estimated_start_at: datetime | None = None
    """While it is queued, when its run will probably begin; null if that is unknown, and in lists and events."""

    @property
    def is_finished(self) -> bool:
        """Whether its run has ended."""
        return self.status in {Status.COMPLETE, Status.FAILED}

    def differs_from(self, other: "Invoice") -> bool:
        """Whether anything but `updated_at` is different."""
        return self != other.model_copy(update={"updated_at": self.updated_at})


def lowest_level(invoice: Extraction) -> Confidence | None:
    """The lowest confidence of the header fields that were found."""
    levels = [level for field, level in (invoice.field_confidence or {}).items() if field is not Field.LINE_ITEMS]
    return max(levels, key=list(Confidence).index, default=None)


def has_alerts(invoice: Extraction) -> bool:
    """Whether a person must look before it is paid."""
    return any(check.is_open_alert for check in invoice.checks)


def models_text(invoice: Extraction) -> str | None:
    """The revisions of the two models that read it, with a space between."""
    return None if invoice.models is None else f"{invoice.models.extractor} {invoice.models.verifier}"


def without_citations(invoice: Invoice) -> Invoice:
    """The invoice with no place of any value."""
    details = invoice.details and invoice.details.model_copy(update={"citations": None})
    lines = [item.model_copy(update={"custom": _unplaced(item.custom)}) for item in invoice.line_items]
    update = {"citations": None, "details": details, "custom": _unplaced(invoice.custom), "line_items": lines}
    return invoice.model_copy(update=update)


def _unplaced(custom: dict[str, CustomValue]) -> dict[str, CustomValue]:
    return {name: each.model_copy(update={"citation": None}) for name, each in custom.items()}
