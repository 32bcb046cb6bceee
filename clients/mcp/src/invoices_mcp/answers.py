"""What tools answer. Everything that comes from a document is in `untrusted`, and nowhere else."""

import json
from collections.abc import Iterator, Sequence
from decimal import Decimal

from mcp.types import CallToolResult, ContentBlock, TextContent
from pydantic import BaseModel, Field, JsonValue

from invoices_client.models import Citation, Invoice, Vendor
from invoices_mcp.doubts import FIELDS, Doubt, doubts_of
from invoices_mcp.untrusted import NOTICE, untrusted_block, visible


class Value(BaseModel):
    """A value with its level: rely on it only if it is `high`, or a person has confirmed it."""

    value: str | None = None
    level: str | None = Field(default=None, description="`high`, `mid` or `low`; null if it has none.")
    source: str | None = Field(default=None, description="`models`, `person` or `einvoice`.")
    page: int | None = Field(default=None, description="The page where it is printed, from 1.")


class Line(BaseModel):
    """A line item."""

    description: str | None = None
    quantity: str | None = None
    unit_price: str | None = None
    total: str | None = None
    tax_rate: str | None = None
    level: str | None = None


class DocumentValues(BaseModel):
    """What the document says."""

    notice: str = NOTICE
    file_name: str | None = None
    fields: dict[str, Value] = {}
    details: dict[str, Value] = {}
    line_items: list[Line] = []


class InvoiceAnswer(BaseModel):
    """An invoice."""

    id: str
    status: str = Field(description="`queued`, `processing`, `complete` or `failed`.")
    failure: str | None = Field(default=None, description="Why it could not be read.")
    auto_verified: bool = Field(description="All main values were read with `high` confidence.")
    review: str = Field(description="`open`, `confirmed` or `rejected` by a person.")
    doubts: list[Doubt] = Field(description="What a person should look at before anybody relies on the invoice.")
    paid: bool
    tag: str | None = None
    approval_status: str | None = None
    duplicate_of: str | None = None
    document_type: str | None = None
    created_at: str
    pages: int | None = None
    batch: str | None = Field(
        None, description="Of a file with several invoices: find all with search_invoices(batch=...)."
    )
    untrusted: DocumentValues


class InvoicesAnswer(BaseModel):
    """Invoices, newest first. `next` continues the list; null at its end."""

    invoices: list[InvoiceAnswer]
    next: str | None = Field(default=None, description="Pass it as `starting_after`.")


class VendorNames(BaseModel):
    """What documents say about a vendor."""

    notice: str = NOTICE
    name: str
    website: str | None = None
    email: str | None = None


class VendorAnswer(BaseModel):
    """A vendor. Totals leave out duplicates and rejected invoices."""

    id: str
    invoice_count: int
    totals: dict[str, str] = Field(description="What it billed, by currency.")
    last_seen_at: str | None = None
    untrusted: VendorNames


class VendorsAnswer(BaseModel):
    """Vendors, highest spend first."""

    vendors: list[VendorAnswer]
    next: str | None = Field(default=None, description="Pass it as `starting_after`.")


class Candidate(BaseModel):
    """A value that may be the field's."""

    value: str
    score: float = Field(description="From 0 to 1.")
    sources: list[str] = Field(description="Which models read it.")
    page: int


class FieldValues(BaseModel):
    """What the document says of a field."""

    notice: str = NOTICE
    value: str | None = None
    read: str | None = Field(default=None, description="What the models read, before people changed it.")
    candidates: list[Candidate] = []


class FieldAnswer(BaseModel):
    """Where a value comes from, and why it is or is not certain."""

    invoice_id: str
    field: str
    level: str | None = None
    doubt: str | None = Field(default=None, description="Why the level is not `high`: a code.")
    decided_by: str | None = Field(default=None, description="The person or API key that decided what the value is.")
    evidence: list[str] = Field(description="What speaks for the value.")
    review: str = Field(description="The invoice's review: `open`, `confirmed` or `rejected`.")
    page: int | None = None
    box: list[float] | None = Field(default=None, description="x0, y0, x1, y1 as fractions of the page.")
    untrusted: FieldValues


class ActionAnswer(BaseModel):
    """What became of an action."""

    invoice_id: str
    done: bool
    asked: bool = Field(description="Whether a person was asked.")
    message: str


class PageAnswer(BaseModel):
    """A picture, which comes as image content."""

    invoice_id: str
    page: int
    pages: int | None = None
    mime_type: str = "image/jpeg"
    notice: str = NOTICE


def invoice_answer(invoice: Invoice) -> InvoiceAnswer:
    """An invoice for an agent."""
    return InvoiceAnswer(
        id=invoice.id,
        status=invoice.status,
        failure=invoice.failure.message if invoice.failure else None,
        auto_verified=invoice.auto_verified,
        review=invoice.review.status,
        doubts=doubts_of(invoice) if invoice.status == "complete" else [],
        paid=invoice.paid,
        tag=text_of(invoice.entity_tag),
        approval_status=invoice.approval_status,
        duplicate_of=invoice.duplicate_of,
        document_type=invoice.document_type,
        created_at=invoice.created_at.isoformat(),
        pages=invoice.pages,
        batch=invoice.batch.id if invoice.batch else None,
        untrusted=_document_values(invoice),
    )


def vendor_answer(vendor: Vendor) -> VendorAnswer:
    """A vendor for an agent."""
    return VendorAnswer(
        id=vendor.id,
        invoice_count=vendor.invoice_count,
        totals={total.currency or "": f"{total.amount:f}" for total in vendor.totals or ()},
        last_seen_at=vendor.last_seen_at.isoformat() if vendor.last_seen_at else None,
        untrusted=VendorNames(name=visible(vendor.name), website=text_of(vendor.website), email=text_of(vendor.email)),
    )


def result(answer: BaseModel, *, said: str, more: Sequence[ContentBlock] = ()) -> CallToolResult:
    """An answer: first the server's own words, then, in a block of its own, what comes from documents."""
    content: JsonValue = answer.model_dump(mode="json")
    own = json.dumps(_without_documents(content), ensure_ascii=False)
    blocks: list[ContentBlock] = [TextContent(type="text", text=f"{said}\n{own}")]
    if documents := list(_documents(content)):
        blocks.append(untrusted_block(documents))
    return CallToolResult(content=[*blocks, *more], structured_content=content)


def _without_documents(content: JsonValue) -> JsonValue:
    if isinstance(content, list):
        return [_without_documents(each) for each in content]
    if not isinstance(content, dict):
        return content
    return {name: _without_documents(each) for name, each in content.items() if name != "untrusted"}


def _documents(content: JsonValue) -> Iterator[dict[str, JsonValue]]:
    """What comes from documents, each with the id of its object."""
    if isinstance(content, list):
        for each in content:
            yield from _documents(each)
    elif isinstance(content, dict):
        values = content.get("untrusted")
        if isinstance(values, dict):
            yield {"id": content.get("id") or content.get("invoice_id"), **values}
        for name, each in content.items():
            yield from _documents(each if name != "untrusted" else None)


def summary(invoice: InvoiceAnswer) -> str:
    """An invoice in the server's own words, without any of the document's."""
    if invoice.status == "failed":
        return f"Invoice {invoice.id} could not be read: {invoice.failure}"
    if invoice.status != "complete":
        return f"Invoice {invoice.id} is {invoice.status}. Read it again with get_invoice in some seconds."
    doubts = ", ".join(f"{doubt.about} ({doubt.reason})" for doubt in invoice.doubts)
    state = f"A person should look at: {doubts}." if doubts else "All values that a payment relies on are certain."
    batch = f" The file has several invoices: search_invoices(batch={invoice.batch!r})." if invoice.batch else ""
    return f"Invoice {invoice.id} is complete. {state}{batch}"


def _document_values(invoice: Invoice) -> DocumentValues:
    levels, places = invoice.field_confidence or {}, invoice.citations or {}
    fields = {
        field: Value(
            value=text_of(getattr(invoice, name)),
            level=levels.get(field),
            source=invoice.field_source.get(field) or invoice.field_source.get(name),
            page=_page(places.get(field)),
        )
        for field, name in FIELDS.items()
    }
    lines = [
        Line(
            description=text_of(line.description),
            quantity=text_of(line.quantity),
            unit_price=text_of(line.unit_price),
            total=text_of(line.total),
            tax_rate=text_of(line.tax_rate),
            level=line.confidence,
        )
        for line in invoice.line_items
    ]
    return DocumentValues(
        file_name=text_of(invoice.file.name), fields=fields, details=_detail_values(invoice), line_items=lines
    )


def _detail_values(invoice: Invoice) -> dict[str, Value]:
    details = invoice.details
    if details is None:
        return {}
    levels, places = details.field_confidence, details.citations or {}
    values = {name: getattr(details, name) for name in levels if name != "tax_lines"}
    return {
        name: Value(
            value=text_of(value),
            level=levels[name],
            source=details.field_source.get(name),
            page=_page(places.get(name)),
        )
        for name, value in values.items()
        if value is not None
    }


def text_of(value: object) -> str | None:
    """A value as text: exact, and without what people cannot see."""
    if value is None:
        return None
    return f"{value:f}" if isinstance(value, Decimal) else visible(str(value))


def _page(place: Citation | list[Citation] | None) -> int | None:
    return place.page if isinstance(place, Citation) else None
