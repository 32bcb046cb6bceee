"""The OpenAPI document: what the framework finds in the endpoints, and what it cannot know."""

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from serve_app.api.schema_details import add_details
from serve_app.domain.event import Event, EventData, EventType
from serve_app.domain.invoice import (
    Citation,
    Confidence,
    Field,
    FileInfo,
    Invoice,
    LineItem,
    ModelRevisions,
    Source,
    Status,
)
from serve_app.domain.vendor import Vendor

_DESCRIPTION = """Extracts structured invoices from documents: PDF, JPEG, PNG, HEIC and HTML.

Send `Authorization: Bearer <API key>` with every request. A key may send 60 requests a minute. Every error has the same
envelope; `code` is for programs."""
_WEBHOOKS = {
    EventType.COMPLETED: "Extraction finished and the invoice is complete.",
    EventType.FAILED: "Extraction failed; the invoice has status `failed`.",
}
_WEBHOOK_HEADERS = {
    "webhook-id": "The event's id: the same for every attempt.",
    "webhook-timestamp": "When this attempt was made, in unix seconds.",
    "webhook-signature": "`v1,<base64>`: HMAC-SHA256 over `{id}.{timestamp}.{body}` with the endpoint's secret.",
}


def describe(app: FastAPI) -> dict[str, Any]:
    """The document, version 3.1 of OpenAPI."""
    document = get_openapi(
        title="Invoice extraction",
        version="1.0.0",
        description=_DESCRIPTION,
        routes=app.routes,
        webhooks=app.webhooks.routes,
        tags=[{"name": name} for name in ("invoices", "files", "vendors", "events", "account")],
    )
    schemas = document["components"]["schemas"]
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    document["components"]["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer"}}
    document["security"] = [{"key": []}]
    for operation in _operations(document["paths"]):
        # The framework's own answer to bad input is never given.
        if operation["responses"].get("422", {}).get("description") == "Validation Error":
            del operation["responses"]["422"]
    _describe_accepted(schemas)
    add_details(document["paths"], schemas)
    document["webhooks"] = {type: _webhook(text) for type, text in _WEBHOOKS.items()}
    schemas["Invoice"]["example"] = EXAMPLE.model_dump(mode="json")
    schemas["Vendor"]["example"] = _VENDOR.model_dump(mode="json")
    schemas["Event"]["example"] = _EVENT.model_dump(mode="json")
    return document


_REF = "#/components/schemas/{model}"


def _operations(paths: dict[str, Any]) -> list[dict[str, Any]]:
    return [operation for path in paths.values() for operation in path.values() if "responses" in operation]


def _describe_accepted(schemas: dict[str, Any]) -> None:
    """`wait_timed_out` is there only when it is true."""
    accepted = schemas["AcceptedInvoice"]
    accepted["required"] = [name for name in accepted["required"] if name != "wait_timed_out"]
    accepted["properties"]["wait_timed_out"] = {
        "type": "boolean",
        "description": "Only with `wait=true`, where extraction outran the wait window.",
    }


def _webhook(text: str) -> dict[str, Any]:
    headers = [
        {"name": name, "in": "header", "required": True, "description": about, "schema": {"type": "string"}}
        for name, about in _WEBHOOK_HEADERS.items()
    ]
    body = {"content": {"application/json": {"schema": {"$ref": _REF.format(model="Event")}}}, "required": True}
    answers = {"2XX": {"description": "Received. Anything else, or no answer within 10 s, is tried again."}}
    return {"post": {"summary": text, "parameters": headers, "requestBody": body, "responses": answers, "security": []}}


_NOW = datetime(2026, 5, 17, 12, 0, 7, tzinfo=UTC)
_ID = UUID("019e2f3a-5b1c-7d4e-8f60-718293a4b5c6")
_VENDOR_ID = UUID("019e2f3a-6c2d-7e5f-9071-8293a4b5c6d7")
EXAMPLE = Invoice(
    id=_ID,
    status=Status.COMPLETE,
    source=Source.API,
    created_at=_NOW,
    updated_at=_NOW,
    file=FileInfo(name="invoice.pdf", mime_type="application/pdf", size_bytes=48213),
    vendor_name="Northwind Paper Ltd",
    vendor_id=_VENDOR_ID,
    invoice_number="NP-2026-0517",
    amount=Decimal("119.00"),
    currency="EUR",
    issued_at=date(2026, 5, 15),
    due_at=date(2026, 6, 14),
    tax=Decimal("19.00"),
    line_items=[
        LineItem(description="Paper A4", quantity=Decimal(20), unit_price=Decimal("5.00"), confidence=Confidence.MID)
    ],
    field_confidence={Field.AMOUNT: Confidence.HIGH, Field.VENDOR: Confidence.MID},
    citations={Field.AMOUNT: Citation(page=1, box=(0.71, 0.82, 0.79, 0.84), text="119,00")},
    quality_score=0.93,
    pages=1,
    models=ModelRevisions(extractor="extractor-1", verifier="verifier-1"),
)
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
_EVENT = Event(
    id=f"evt_{UUID('019e2f3a-7d3e-7f60-8182-93a4b5c6d7e8')}",
    type=EventType.COMPLETED,
    created_at=_NOW,
    data=EventData(invoice=EXAMPLE),
)
