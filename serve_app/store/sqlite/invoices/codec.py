"""From invoice rows to the domain's objects and back."""

import json
from typing import Any

import msgspec

from serve_app.domain.earlier_invoice import EarlierInvoice
from serve_app.domain.invoice import Invoice
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.vendor import VendorDetails
from serve_app.store.rows import earlier_invoices
from serve_app.store.rows import invoices as invoice_rows
from serve_app.store.sqlite.engine.driver import sqlite3

_COMPARED = msgspec.json.Decoder(earlier_invoices.ComparedValues)


def columns_of(invoice: Invoice) -> dict[str, Any]:
    """The row's columns that derive from the invoice."""
    fields = invoice_rows.fields_of(invoice)
    return {
        **fields,
        **{name: json.dumps(fields[name]) if fields[name] else None for name in ("order_ids", "custom_terms")},
        "id": str(invoice.id),
        "document": invoice_rows.document_of(invoice),
        "issued_at": None if invoice.issued_at is None else invoice.issued_at.isoformat(),
        "invoice_number": invoice.invoice_number,
        "currency": invoice.currency,
        "auto_verified": invoice.auto_verified,
        "quality": invoice.quality_score,
    }


def invoice_from(row: sqlite3.Row) -> Invoice:
    """The invoice of a full row."""
    return invoice_rows.invoice_from(row, json.loads(row["document"]))


def earlier_from(row: sqlite3.Row) -> EarlierInvoice:
    """What is compared of a full row."""
    return earlier_invoices.earlier_from(row, _COMPARED.decode(row["document"]))


def record_from(row: sqlite3.Row) -> InvoiceRecord:
    """The record of a full row."""
    return invoice_rows.record_from(row, invoice_from(row), json.loads(row["details"]))


def details_of(details: VendorDetails) -> str:
    """The vendor details that were found, as JSON."""
    return json.dumps(invoice_rows.details_of(details))
