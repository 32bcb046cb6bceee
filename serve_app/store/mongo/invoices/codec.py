"""Invoices as documents, and back. Times are whole microseconds since 1970: a BSON date has only milliseconds."""

import json
from decimal import Decimal, Inexact

from bson.decimal128 import Decimal128, create_decimal128_context

from serve_app.domain.invoice import Invoice
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.review import Review, needs_person
from serve_app.store.mongo.engine.types import Row, named
from serve_app.store.mongo.invoices.text_search import trigrams_of
from serve_app.store.rows import invoices as invoice_rows
from serve_app.store.rows.invoices import details_of, load_fields

_ABSENT: Row = {
    **dict.fromkeys(("next_run_at", "review", "evidence_key", "review_lease", "assignee", "drawn", "queued_at")),
    **{"sha256": None, "trace": None, "pair": None, "kind": "text", "expected_pages": 1, "document_gone_at": None},
    **{"change_ids": None, "export_id": None},
}
"""What rows may lack."""


def fields_of(invoice: Invoice) -> Row:
    """The row's fields that derive from the invoice."""
    fields = invoice_rows.fields_of(invoice)
    billed = fields["billed"]
    billed_number = None if billed is None else to_decimal128(Decimal(billed))
    trigrams = trigrams_of(fields["vendor_folded"], invoice.invoice_number)
    return {**fields, "document": _document_of(invoice), "billed": billed_number, "trigrams": trigrams}


def new_row(record: InvoiceRecord, unit: str) -> Row:
    """The row of a new record; `unit` is the token of the unit that pays for its first run."""
    return {
        "_id": str(record.invoice.id),
        "account_id": str(record.account_id),
        "file_key": record.file_key,
        **fields_of(record.invoice),
        **load_fields(record),
        "details": details_of(record.details),
        "evidence_key": record.evidence_key,
        "drawn": record.drawn,
        "sha256": record.sha256,
        "trace": record.trace,
        "needs_person": needs_person(record.invoice, is_drawn=record.drawn is not None),
        "attempt": 0,
        "lost_claims": 0,
        "releases": 0,
        "runs": 1,
        "revision": 0,
        "units": [unit],
    }


def invoice_from(row: Row) -> Invoice:
    """The invoice of a full row."""
    document = {**row["document"], "metadata": dict(row["document"].get("metadata", ()))}
    return invoice_rows.invoice_from(named(whole(row)), document)


def record_from(row: Row) -> InvoiceRecord:
    """The record of a full row."""
    return invoice_rows.record_from(whole(row), invoice_from(row), row["details"])


def review_from(row: Row) -> Review:
    """What people said, of a full row."""
    return invoice_rows.review_from(whole(row))


def whole(row: Row) -> Row:
    """The row with every field."""
    return _ABSENT | row


def to_decimal128(number: Decimal) -> Decimal128:
    """The number in the form that the database sums: exact up to 34 digits."""
    context = create_decimal128_context()
    context.traps[Inexact] = False
    return Decimal128(context.create_decimal(number))


def _document_of(invoice: Invoice) -> Row:
    document: Row = json.loads(invoice_rows.document_of(invoice))
    # Pairs, because a field's name may not hold every character.
    document["metadata"] = [list(pair) for pair in invoice.metadata.items()]
    return document
