"""Invoices as documents, and back.

Times are whole microseconds since 1970 (a BSON date has only milliseconds), ids are strings, numbers are exact strings
with a float beside them for comparisons.
"""

import json
from dataclasses import asdict
from decimal import Decimal, Inexact
from uuid import UUID

from bson.decimal128 import Decimal128, create_decimal128_context

from serve_app.domain.duplicates import duplicate_key, normalise_vendor
from serve_app.domain.folding import folded
from serve_app.domain.invoice import Invoice, Status
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.vendor import VendorDetails, billed, seen_on
from serve_app.store.codec import optional_micros, optional_moment
from serve_app.store.mongo.types import Row

# These have fields of their own, so that each has a single source of truth.
_TEXTS = ("status", "source", "duplicate_of", "vendor_id", "entity_tag", "approval_status", "approval_email")
_TIMES = ("created_at", "updated_at", "paid_at")
_FIELDS = frozenset({"id", *_TEXTS, *_TIMES, "paid", "object"})


def fields_of(invoice: Invoice) -> Row:
    """The row's fields that derive from the invoice; those of its vendor and its twins are set only while it is
    complete."""
    counts = invoice.status is Status.COMPLETE
    vendor_key = normalise_vendor(invoice.vendor_name or "") if counts else ""
    return {
        **{name: None if (value := getattr(invoice, name)) is None else str(value) for name in _TEXTS},
        **{name: optional_micros(getattr(invoice, name)) for name in _TIMES},
        "paid": invoice.paid,
        "document": _document_of(invoice),
        "vendor_folded": None if invoice.vendor_name is None else folded(invoice.vendor_name),
        "amount": None if invoice.amount is None else float(invoice.amount),
        "due_at": None if invoice.due_at is None else invoice.due_at.isoformat(),
        "duplicate_key": duplicate_key(invoice) if counts else None,
        "vendor_key": vendor_key or None,
        "billed": to_decimal128(billed(invoice)) if vendor_key else None,
        "seen_on": seen_on(invoice).isoformat() if vendor_key else None,
    }


def new_row(record: InvoiceRecord, unit: str) -> Row:
    """The row of a new record; `unit` is the token of the unit that pays for its first run."""
    return {
        "_id": str(record.invoice.id),
        "account_id": str(record.account_id),
        "file_key": record.file_key,
        **fields_of(record.invoice),
        "details": details_of(record.details),
        "attempt": 0,
        "lost_claims": 0,
        "releases": 0,
        "runs": 1,
        "revision": 0,
        "units": [unit],
    }


def invoice_from(row: Row) -> Invoice:
    """The invoice of a full row."""
    values: Row = {"id": row["_id"], "paid": row["paid"], **row["document"]}
    values["metadata"] = dict(values.get("metadata", ()))
    values |= {name: row[name] for name in _TEXTS}
    values |= {name: optional_moment(row[name]) for name in _TIMES}
    return Invoice.model_validate(values)


def record_from(row: Row) -> InvoiceRecord:
    """The record of a full row."""
    return InvoiceRecord(
        invoice=invoice_from(row),
        account_id=UUID(row["account_id"]),
        file_key=row["file_key"],
        next_run_at=optional_moment(row.get("next_run_at")),
        attempt=row["attempt"],
        lost_claims=row["lost_claims"],
        releases=row["releases"],
        runs=row["runs"],
        details=VendorDetails(**row["details"]),
    )


def details_of(details: VendorDetails) -> dict[str, str]:
    """The vendor details that were found."""
    return {name: value for name, value in asdict(details).items() if value is not None}


def to_decimal128(number: Decimal) -> Decimal128:
    """The number in the form that the database sums: exact up to 34 digits."""
    context = create_decimal128_context()
    context.traps[Inexact] = False
    return Decimal128(context.create_decimal(number))


def _document_of(invoice: Invoice) -> Row:
    """What has no field of its own, as JSON values; a Decimal becomes its exact text, not a float."""
    document: Row = json.loads(json.dumps(invoice.model_dump(exclude=set(_FIELDS)), default=str))
    # Pairs, because a field's name may not hold every character.
    document["metadata"] = [list(pair) for pair in invoice.metadata.items()]
    return document
