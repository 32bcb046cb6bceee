"""From a query to a filter of documents. A bound excludes documents whose value is null, because MongoDB compares only
within a type."""

import re
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from serve_app.domain.event import ENDS_OF_RUNS
from serve_app.domain.folding import folded
from serve_app.domain.invoice import Status
from serve_app.domain.query import DeliveryQuery, EventQuery, InvoiceQuery, ReviewFilter
from serve_app.domain.record import file_key_of
from serve_app.store.mongo.engine.types import Row
from serve_app.store.rows.codec import optional_micros

# An index that is partial has the documents with any text there: a query must say so to be answered from it.
_SOME = {"$gt": ""}
# So many days are asked for one by one, which MongoDB merges from the index in the order of the list. For more than 200
# it would sort instead (`internalQueryMaxScansToExplode`).
_DAYS = 100
# Rows of before there were reviews have no state.
_REVIEW: dict[ReviewFilter, Row] = {
    ReviewFilter.OPEN: {"review_status": {"$in": ["open", None]}},
    ReviewFilter.CONFIRMED: {"review_status": "confirmed"},
    ReviewFilter.REJECTED: {"review_status": "rejected"},
    ReviewFilter.NOT_REJECTED: {"review_status": {"$ne": "rejected"}},
}


def invoice_filter(account_id: UUID, query: InvoiceQuery, after: UUID | None) -> Row:
    """The invoices of the account that match and are older than `after`."""
    found = {
        **_account(account_id, None if after is None else str(after)),
        **_equal(status=query.status, source=query.source, paid=query.paid),
        **_equal(level=query.level, models=query.models, order_match=query.order_match, order_ids=query.order_id),
        **_equal(custom_terms=query.custom),
        **_marked(needs_person=query.to_check, has_alerts=query.has_alerts),
        **_present(duplicate_of=query.duplicate, export_id=query.is_exported),
        **_equal(vendor_id=query.vendor_id, entity_tag=query.entity_tag, approval_status=query.approval_status),
        **_equal(**{"document.invoice_number": query.invoice_number, "document.currency": query.currency}),
        **_between("created_at", optional_micros(query.created_after), optional_micros(query.created_before)),
        **_between("updated_at", optional_micros(query.updated_after), optional_micros(query.updated_before)),
        **_between("due_at", _text(query.due_after), _text(query.due_before)),
    }
    if query.ids is not None:
        found["_id"] = found.get("_id", {}) | {"$in": [str(id) for id in query.ids]}
    amounts = {"$gte": _float(query.min_amount), "$lte": _float(query.max_amount)}
    if bounds := {name: value for name, value in amounts.items() if value is not None}:
        # One amount is asked for as such: SecantusDB finds nothing between equal bounds.
        is_one = query.min_amount is not None and query.min_amount == query.max_amount
        found["amount"] = bounds["$gte"] if is_one else bounds
    if query.vendor is not None:
        found["vendor_folded"] = _holding(folded(query.vendor))
    if query.batch is not None:
        found |= {"file_key": file_key_of(account_id, query.batch), "document.batch.id": str(query.batch)}
    if query.issued_after is not None or query.issued_before is not None:
        found["document.issued_at"] = _issued(query.issued_after, query.issued_before)
    if query.number is not None:
        found["$and"] = [{"document.invoice_number": {"$regex": re.escape(query.number), "$options": "i"}}]
    if query.review is not None:
        found |= _REVIEW[query.review]
    if query.overdue is not None:
        overdue = {"status": str(Status.COMPLETE), "paid": False, "due_at": {"$lt": query.overdue_on.isoformat()}}
        found.setdefault("$and" if query.overdue else "$nor", []).append(overdue)
    return found


def event_filter(account_id: UUID, query: EventQuery, after: str | None) -> Row:
    """The events of the account that match and are older than `after`."""
    return {
        **_account(account_id, after),
        **({"type": {"$in": [str(type) for type in ENDS_OF_RUNS]}} if query.type is None else _equal(type=query.type)),
        **_between("created_at", optional_micros(query.created_after), optional_micros(query.created_before)),
        # No list shows test events.
        "test_of": None,
    }


def delivery_filter(account_id: UUID, query: DeliveryQuery, after: UUID | None) -> Row:
    """The deliveries of the account that match and are older than `after`."""
    return {
        **_account(account_id, None if after is None else str(after)),
        **_equal(endpoint_id=query.endpoint_id, event_id=query.event_id, state=query.state),
        **_between("created_at", optional_micros(query.created_after), optional_micros(query.created_before)),
    }


def _account(account_id: UUID, after: str | None) -> Row:
    return {"account_id": str(account_id)} | ({} if after is None else {"_id": {"$lt": after}})


def _equal(**equal: Any) -> Row:
    return {
        name: value if isinstance(value, bool) else str(value) for name, value in equal.items() if value is not None
    }


def _marked(**marked: bool | None) -> Row:
    """Rows of before there was a mark do not have it."""
    return {name: True if is_wanted else {"$ne": True} for name, is_wanted in marked.items() if is_wanted is not None}


def _present(**present: bool | None) -> Row:
    """Whether there is any text."""
    return {name: _SOME if is_wanted else None for name, is_wanted in present.items() if is_wanted is not None}


def _between(name: str, after: Any, before: Any) -> Row:
    bounds = {sign: value for sign, value in (("$gt", after), ("$lt", before)) if value is not None}
    return {name: bounds} if bounds else {}


def _issued(after: date | None, before: date | None) -> Row:
    if after is not None and before is not None and (before - after).days <= _DAYS:
        return {"$in": [str(after + timedelta(days=number)) for number in range(1, (before - after).days)]}
    return {"$gt": _text(after) or ""} | ({} if before is None else {"$lt": _text(before)})


def _holding(part: str) -> Row:
    # The server rejects a NUL in a pattern; no name contains one.
    return {"$in": []} if "\0" in part else {"$regex": re.escape(part)}


def _text(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def _float(number: Any) -> float | None:
    return None if number is None else float(number)
