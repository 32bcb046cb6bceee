"""The invoice resource, as `/v1` answers it."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, PlainSerializer

# Exact inside the service; a JSON number (as the contract says) outside.
Number = Annotated[Decimal, PlainSerializer(float, return_type=float, when_used="json")]


class Resource(BaseModel):
    # Answers contain every field, so the schema marks each as required.
    model_config = ConfigDict(extra="forbid", json_schema_serialization_defaults_required=True)


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


class Confidence(StrEnum):
    """How far a value can be trusted. `high`: two models agree and the arithmetic checks out."""

    HIGH = "high"
    MID = "mid"
    LOW = "low"


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


class LineItem(Resource):
    description: str | None
    quantity: Number | None
    unit_price: Number | None
    confidence: Confidence | None


class Citation(Resource):
    """Where a value is printed: `page` is 1-based, `box` is x0, y0, x1, y1 in fractions of the page, top left first."""

    page: int
    box: tuple[float, float, float, float]
    text: str


# A header field has one citation; `line_items` has a list parallel to the invoice's line items.
Citations = dict[Field, Citation | list[Citation]]


class ModelRevisions(Resource):
    """The revisions of the models that made the result."""

    extractor: str
    verifier: str


class EInvoiceField(StrEnum):
    """What an embedded electronic invoice and the page are compared by."""

    INVOICE_NUMBER = "invoice_number"
    AMOUNT = "amount"
    TAX = "tax"
    CURRENCY = "currency"
    ISSUED_AT = "issued_at"
    DUE_AT = "due_at"
    VAT_ID = "vat_id"
    IBAN = "iban"


class EInvoiceDifference(Resource):
    """A value of the electronic invoice that the page contradicts; `page` is what the page says instead, or null if
    that could not be determined. Amounts are plain decimals, dates ISO 8601."""

    field: EInvoiceField
    einvoice: str
    page: str | None


class EInvoiceCheck(Resource):
    """Whether the electronic invoice embedded in the file says the same as its page. No value is taken from it."""

    profile: str
    matches_page: bool
    differences: list[EInvoiceDifference]


class Batch(Resource):
    """An invoice's place in the file that it came in with others. Indices and pages are 1-based; both pages belong to
    it. `id` is the same for all invoices of the file."""

    id: UUID
    index: int
    count: int
    first_page: int
    last_page: int


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
    citations: Citations | None = None
    quality_score: float | None = None
    auto_verified: bool = False
    pages: int | None = None
    batch: Batch | None = None
    einvoice: EInvoiceCheck | None = None
    models: ModelRevisions | None = None


class Invoice(Extraction):
    """An invoice as `GET /v1/invoices/{id}` returns it."""

    id: UUID
    object: Literal["invoice"] = "invoice"
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

    @property
    def is_finished(self) -> bool:
        """Whether its run has ended."""
        return self.status in {Status.COMPLETE, Status.FAILED}
