"""The examples in the OpenAPI document: one invoice on its way through the service."""

from base64 import b64encode
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from serve_app.api.mail_resources import Mail, MailPart, MailSender, ShownState
from serve_app.api.webhook_resources import WebhookEndpoint
from serve_app.domain.account import KeyInfo, Me, QuotaInfo, Scope
from serve_app.domain.budget import BudgetInfo
from serve_app.domain.event import ENDS_OF_RUNS, DeletedEvent, Event, EventData, EventType
from serve_app.domain.inbound_mail import Outcome, Way
from serve_app.domain.invoice import (
    ApprovalStatus,
    Citation,
    Confidence,
    Correction,
    Detail,
    Details,
    DocumentType,
    Failure,
    FailureCode,
    Field,
    FileInfo,
    Invoice,
    InvoiceReview,
    LineItem,
    ModelRevisions,
    ReviewStatus,
    Source,
    Status,
    TaxLine,
)
from serve_app.domain.provenance import with_sources
from serve_app.domain.target_precision import TargetPrecision
from serve_app.domain.usage import Usage
from serve_app.domain.vendor import Vendor
from serve_app.services.files.links import FileLink

_SENT = datetime(2026, 5, 17, 12, 0, 5, tzinfo=UTC)
_DONE = datetime(2026, 5, 17, 12, 0, 7, tzinfo=UTC)
_ID = UUID("019e2f3a-5b1c-7d4e-8f60-718293a4b5c6")
_VENDOR_ID = UUID("019e2f3a-6c2d-7e5f-9071-8293a4b5c6d7")
_PAGE = "<!doctype html><h1>Northwind Paper Ltd</h1><p>Invoice NP-2026-0517</p><p>Total 119.00 EUR</p>"

_QUEUED = Invoice(
    id=_ID,
    status=Status.QUEUED,
    source=Source.API,
    created_at=_SENT,
    updated_at=_SENT,
    file=FileInfo(name="invoice.pdf", mime_type="application/pdf", size_bytes=48213),
    metadata={"order": "PO-4711"},
)
_COMPLETE = _QUEUED.model_copy(
    update={
        "status": Status.COMPLETE,
        "updated_at": _DONE,
        "vendor_name": "Northwind Paper Ltd",
        "vendor_id": _VENDOR_ID,
        "invoice_number": "NP-2026-0517",
        "amount": Decimal("119.00"),
        "currency": "EUR",
        "issued_at": date(2026, 5, 15),
        "due_at": date(2026, 6, 14),
        "tax": Decimal("19.00"),
        "line_items": [
            LineItem(
                description="Paper A4",
                quantity=Decimal(20),
                unit_price=Decimal("5.00"),
                confidence=Confidence.MID,
                total=Decimal("100.00"),
                tax_rate=Decimal(19),
            )
        ],
        "field_confidence": dict.fromkeys(Field, Confidence.HIGH)
        | {Field.VENDOR: Confidence.MID, Field.LINE_ITEMS: Confidence.MID},
        "citations": {Field.AMOUNT: Citation(page=1, box=(0.71, 0.82, 0.79, 0.84), text="119.00")},
        "quality_score": 0.93,
        "pages": 1,
        "models": ModelRevisions(extractor="extractor-1", verifier="verifier-1"),
        "usage": Usage(pages=1, ocr_pages=0, cpu_ms=350, gpu_ms=None),
        "target_precision": TargetPrecision.STANDARD,
        "document_type": DocumentType.INVOICE,
        "document_type_confidence": Confidence.HIGH,
        "details": Details(
            buyer_name="Contoso Bakery",
            purchase_order="PO-4711",
            subtotal=Decimal("100.00"),
            tax_lines=[TaxLine(rate=Decimal(19), base=Decimal("100.00"), amount=Decimal("19.00"))],
            vendor_tax_id="DE136695976",
            field_confidence={
                Detail.BUYER_NAME: Confidence.MID,
                Detail.PURCHASE_ORDER: Confidence.HIGH,
                Detail.SUBTOTAL: Confidence.HIGH,
                Detail.TAX_LINES: Confidence.HIGH,
                Detail.VENDOR_TAX_ID: Confidence.MID,
            },
            citations={Detail.SUBTOTAL: Citation(page=1, box=(0.71, 0.74, 0.79, 0.76), text="100.00")},
        ),
    }
)
_COMPLETE = with_sources(_COMPLETE)
_FAILED = _QUEUED.model_copy(
    update={
        "status": Status.FAILED,
        "updated_at": _DONE,
        "failure": Failure(code=FailureCode.DOCUMENT_ENCRYPTED, message="The document requires a password."),
    }
)
_REVIEWED = with_sources(
    _COMPLETE.model_copy(
        update={
            "vendor_name": "Northwind Paper",
            "review": InvoiceReview(
                status=ReviewStatus.CONFIRMED,
                by="ann@example.com",
                at=_DONE,
                fields=["vendor"],
                corrections={"vendor": Correction(read="Northwind Paper Ltd", by="ann@example.com", at=_DONE)},
            ),
        }
    )
)
_UPDATED = _COMPLETE.model_copy(update={"paid": True, "paid_at": _DONE})
_VENDOR = Vendor(
    id=_VENDOR_ID,
    name="Northwind Paper Ltd",
    invoice_count=12,
    total_billed=Decimal("1428.00"),
    last_seen_at=date(2026, 5, 15),
    website="northwind-paper.example",
    email="billing@northwind-paper.example",
    phone=None,
)
_DELETED = DeletedEvent.about(_ID, _DONE).model_dump(mode="json")
_EVENTS: dict[EventType, Any] = {
    kind: Event(
        id="evt_019e2f3a-7d3e-7f60-8182-93a4b5c6d7e8", type=kind, created_at=_DONE, data=EventData(invoice=invoice)
    ).model_dump(mode="json")
    for kind, invoice in (
        (EventType.COMPLETED, _COMPLETE),
        (EventType.FAILED, _FAILED),
        (EventType.REVIEWED, _REVIEWED),
        (EventType.UPDATED, _UPDATED),
    )
} | {EventType.DELETED: _DELETED}
_ME = Me(
    user_id=UUID("019e2f3a-1a2b-7c3d-8e4f-5061728394a5"),
    key=KeyInfo(
        id=UUID("019e2f3a-2b3c-7d4e-9f50-61728394a5b6"),
        name="reports",
        prefix="inv_live_3kF9",
        scope=Scope.READ,
        created_at=_SENT,
    ),
    quota=QuotaInfo(used=41, limit=200, period_start=datetime(2026, 5, 1, tzinfo=UTC)),
    budget=BudgetInfo(spent=Decimal("12.30"), amount=Decimal("40.00"), currency="EUR"),
    usage=Usage(pages=63, ocr_pages=20, cpu_ms=31_400, gpu_ms=None),
    target_precision=TargetPrecision.STANDARD,
)
_ENDPOINT = WebhookEndpoint(
    id=UUID("019e2f3a-8e4f-7071-9283-a4b5c6d7e8f9"),
    url="https://example.com/hooks/invoices",
    description="ERP",
    types=list(ENDS_OF_RUNS),
    active=True,
    paused_reason=None,
    failing_since=None,
    created_at=_SENT,
).model_dump(mode="json")
_MAIL = Mail(
    id=UUID("019e2f3a-4a5b-7c6d-8e7f-8091a2b3c4d5"),
    state=ShownState.DONE,
    held_for=None,
    received_at=_SENT,
    way=Way.SMTP,
    recipient="acme-7f3k2m@in.example.com",
    sender=MailSender(address="anna@example.com", name="Anna"),
    subject="Invoice NP-2026-0517",
    message_id="<1@example.com>",
    size_bytes=70123,
    entity_tag=None,
    answered_at=None,
    parts=[
        MailPart(
            path="2",
            outcome=Outcome.INVOICE,
            reason="",
            problem=False,
            file_name="invoice.pdf",
            mime_type="application/pdf",
            size_bytes=48213,
            invoice_id=_ID,
        )
    ],
).model_dump(mode="json")
_LINK = FileLink(
    id=_ID, url="https://invoices.example.com/v1/files/IjAxOWUi", file_name="invoice.pdf", mime_type="application/pdf"
)


def _list_of(item: object, **more: bool) -> dict[str, Any]:
    return {"object": "list", "data": [item], **more}


_INVOICE = _COMPLETE.model_dump(mode="json")
OF_SCHEMAS: dict[str, Any] = {
    "Invoice": _INVOICE,
    "AcceptedInvoice": _QUEUED.model_dump(mode="json"),
    "InvoiceList": _list_of(_INVOICE, has_more=False),
    "Vendor": _VENDOR.model_dump(mode="json"),
    "VendorList": _list_of(_VENDOR.model_dump(mode="json")),
    "Event": _EVENTS[EventType.COMPLETED],
    "DeletedEvent": _DELETED,
    "EventList": _list_of(_EVENTS[EventType.COMPLETED], has_more=False),
    "WebhookEndpoint": _ENDPOINT,
    "WebhookEndpointWithSecret": _ENDPOINT | {"secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDcDaWVcXtX10="},
    "WebhookEndpointList": _list_of(_ENDPOINT, has_more=False),
    "Mail": _MAIL,
    "MailList": _list_of(_MAIL, has_more=False),
    "Me": _ME.model_dump(mode="json"),
    "FileLink": _LINK.model_dump(mode="json"),
    "ApprovalRequested": {
        "id": str(_ID),
        "approval_status": ApprovalStatus.REQUESTED.value,
        "approval_email": "boss@example.com",
    },
}
"""Examples by component name."""
OF_WEBHOOKS = _EVENTS
FORM = {"file": _PAGE, "metadata": {"order": "PO-4711"}}
"""HTML, because the other document types are binary."""
BY_URL = {"file_url": "https://files.example.com/bill.pdf", "file_name": "bill.pdf", "metadata": {"order": "PO-4711"}}
AS_BASE64 = {"file_base64": b64encode(_PAGE.encode()).decode(), "file_name": "invoice.html", "mime_type": "text/html"}
