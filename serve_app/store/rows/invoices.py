"""Invoices as both stores keep them: ids are strings, numbers exact strings with a float next to them for comparisons,
and everything without its own field is in one document."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any
from uuid import UUID

from serve_app.domain.duplicates import duplicate_key, normalise_vendor
from serve_app.domain.folding import folded
from serve_app.domain.invoice import Invoice, Status, has_alerts, lowest_level, models_text
from serve_app.domain.livemode import is_live
from serve_app.domain.load import Load, PageKind
from serve_app.domain.own_values import own_name, own_values
from serve_app.domain.provenance import with_sources
from serve_app.domain.query import custom_term
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.review import NO_REVIEW, Overlay, Review, needs_person
from serve_app.domain.vendor import VendorDetails, billed, seen_on
from serve_app.domain.work import Lease, Reader
from serve_app.store.rows.codec import from_micros, optional_micros, optional_moment, to_micros
from serve_app.store.rows.columns import Fields

# These have fields of their own, so that each has a single source of truth.
_MOST_CHANGES = 20
"""A retry that comes after more changes with keys, and whose first try had no answer, is made again."""
_TEXTS = (
    "status",
    "source",
    "duplicate_of",
    "vendor_id",
    "entity_tag",
    "approval_status",
    "approval_email",
    "export_id",
)
_TIMES = ("created_at", "updated_at", "paid_at")
_OWN = frozenset({"id", *_TEXTS, *_TIMES, "paid", "object", "livemode", "estimated_start_at"})
# The last ones follow from the review, which is in the row. Programs of before refuse documents that have them.
_LEFT_OUT: Any = {
    **dict.fromkeys((*_OWN, "field_source", "document_type_source"), True),
    "details": {"field_source"},
    "custom": {"__all__": {"source"}},
    "line_items": {"__all__": {"custom": {"__all__": {"source"}}}},
    "review": {"corrections"},
}


def fields_of(invoice: Invoice) -> dict[str, Any]:
    """The fields that derive from the invoice, without its id and the document; those of its vendor and its duplicates
    are set only while it is complete."""
    counts = invoice.status is Status.COMPLETE
    vendor_key = normalise_vendor(invoice.vendor_name or "") if counts else ""
    return {
        **{name: None if (value := getattr(invoice, name)) is None else str(value) for name in _TEXTS},
        **{name: optional_micros(getattr(invoice, name)) for name in _TIMES},
        "paid": invoice.paid,
        "vendor_folded": None if invoice.vendor_name is None else folded(invoice.vendor_name),
        "amount": None if invoice.amount is None else float(invoice.amount),
        "due_at": None if invoice.due_at is None else invoice.due_at.isoformat(),
        "duplicate_key": duplicate_key(invoice) if counts else None,
        "vendor_key": vendor_key or None,
        "billed": str(billed(invoice)) if vendor_key else None,
        "seen_on": seen_on(invoice).isoformat() if vendor_key else None,
        "review_status": str(invoice.review.status),
        "reviewed_at": optional_micros(invoice.review.at),
        "needs_person": needs_person(invoice),
        "level": str(level) if counts and (level := lowest_level(invoice)) else None,
        "models": models_text(invoice) if counts else None,
        "has_alerts": has_alerts(invoice),
        "order_match": str(invoice.order_match.status) if counts and invoice.order_match else None,
        "order_ids": order_ids(invoice) if counts else [],
        "custom_terms": custom_terms(invoice) if counts else [],
    }


def order_ids(invoice: Invoice) -> list[str]:
    """The purchase orders that it bills."""
    return [str(order.id) for order in invoice.order_match.orders] if invoice.order_match else []


def custom_terms(invoice: Invoice) -> list[str]:
    """Its own fields that have a value, with the value; each once, on however many lines it is."""
    terms = (
        custom_term(own_name(name), each.value) for name, each in own_values(invoice).items() if each.value is not None
    )
    return list(dict.fromkeys(terms))


def document_of(invoice: Invoice) -> str:
    """Everything without its own field, as JSON; a Decimal becomes its exact text, not a float."""
    return json.dumps(invoice.model_dump(exclude=_LEFT_OUT), default=str, ensure_ascii=False)


def invoice_from(row: Fields, document: Mapping[str, Any]) -> Invoice:
    """The invoice of a full row and its document, without fields that a later version has added."""
    values = {**document, "id": row["id"], "paid": bool(row["paid"]), "livemode": is_live(UUID(row["account_id"]))}
    values |= {name: row[name] for name in _TEXTS}
    values |= {name: optional_moment(row[name]) for name in _TIMES}
    invoice = Invoice.model_validate(values, extra="ignore")
    if invoice.review.fields:
        # Without the history, which may be long.
        corrections = Overlay.model_validate_json(row["review"]).corrections
        invoice = invoice.model_copy(update={"review": invoice.review.model_copy(update={"corrections": corrections})})
    return with_sources(invoice)


def record_from(row: Fields, invoice: Invoice, details: Mapping[str, str]) -> InvoiceRecord:
    """The record of a full row, its invoice and the vendor details that were found."""
    return InvoiceRecord(
        invoice=invoice,
        account_id=UUID(row["account_id"]),
        file_key=row["file_key"],
        next_run_at=optional_moment(row["next_run_at"]),
        attempt=row["attempt"],
        lost_claims=row["lost_claims"],
        releases=row["releases"],
        runs=row["runs"],
        details=VendorDetails(**details),
        review=review_from(row),
        evidence_key=row["evidence_key"],
        lease=lease_from(row["review_lease"]),
        drawn=row["drawn"],
        sha256=row["sha256"],
        assignee=None if row["assignee"] is None else UUID(row["assignee"]),
        load=Load(PageKind(row["kind"]), row["expected_pages"]),
        queued_at=optional_moment(row["queued_at"]),
        trace=row["trace"],
        pair=row["pair"],
        document_gone_at=optional_moment(row["document_gone_at"]),
        change_ids=change_ids_from(row["change_ids"]),
    )


def change_ids_from(text: str | None) -> tuple[UUID, ...]:
    """The latest changes with an idempotency key, the oldest first."""
    return () if text is None else tuple(UUID(id) for id in json.loads(text))


def with_change(text: str | None, change_id: UUID | None) -> dict[str, str]:
    """The field with this change, which is noted in the same write that makes it; nothing for a change without an
    idempotency key."""
    if change_id is None:
        return {}
    latest = [*change_ids_from(text), change_id][-_MOST_CHANGES:]
    return {"change_ids": json.dumps([str(id) for id in latest])}


def lease_from(text: str | None) -> Lease | None:
    """The lease of a review."""
    if text is None:
        return None
    kept = json.loads(text)
    reader = Reader(UUID(kept["person_id"]), kept["name"], kept["window"])
    return Lease(reader, from_micros(kept["until"]), optional_moment(kept.get("since")))


def lease_text(lease: Lease) -> str:
    """The same as it is stored."""
    reader = lease.reader
    kept = {"person_id": str(reader.person_id), "name": reader.name, "window": reader.window}
    return json.dumps(
        kept | {"until": to_micros(lease.until), "since": optional_micros(lease.since)}, ensure_ascii=False
    )


def review_from(row: Fields) -> Review:
    """What people said, of a full row."""
    text = row["review"]
    return NO_REVIEW if text is None else Review.model_validate_json(text)


def review_text(review: Review) -> str | None:
    """The same as it is stored; None for nothing."""
    return None if review == NO_REVIEW else review.model_dump_json()


def load_fields(record: InvoiceRecord) -> dict[str, Any]:
    """The fields that tell how much work a document is, and since when it waits."""
    since = optional_micros(record.queued_at or record.next_run_at or record.invoice.created_at)
    return {"kind": str(record.load.kind), "expected_pages": record.load.pages, "queued_at": since}


def details_of(details: VendorDetails) -> dict[str, str]:
    """The vendor details that were found."""
    return {name: value for name, value in asdict(details).items() if value is not None}
