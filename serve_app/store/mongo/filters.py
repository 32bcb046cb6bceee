"""From a query to a filter of documents. A bound excludes documents whose value is null, because MongoDB compares only
within a type."""

import re
from datetime import date
from typing import Any
from uuid import UUID

from serve_app.domain.invoice import Status
from serve_app.domain.query import DeliveryQuery, EventQuery, InvoiceQuery
from serve_app.store.codec import optional_micros
from serve_app.store.mongo.types import Row


def invoice_filter(account_id: UUID, query: InvoiceQuery, after: UUID | None) -> Row:
    """The invoices of the account that match and are older than `after`."""
    found = {
        **_account(account_id, None if after is None else str(after)),
        **_equal(status=query.status, source=query.source, paid=query.paid),
        **_between("created_at", optional_micros(query.created_after), optional_micros(query.created_before)),
        **_between("due_at", _text(query.due_after), _text(query.due_before)),
    }
    amounts = {"$gte": _float(query.min_amount), "$lte": _float(query.max_amount)}
    if bounds := {name: value for name, value in amounts.items() if value is not None}:
        found["amount"] = bounds
    if query.vendor is not None:
        found["vendor_folded"] = _holding(query.vendor.casefold())
    if query.overdue is not None:
        overdue = {"status": str(Status.COMPLETE), "paid": False, "due_at": {"$lt": query.overdue_on.isoformat()}}
        found["$and" if query.overdue else "$nor"] = [overdue]
    return found


def event_filter(account_id: UUID, query: EventQuery, after: str | None) -> Row:
    """The events of the account that match and are older than `after`."""
    return {
        **_account(account_id, after),
        **_equal(type=query.type),
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


def _equal(**wanted: Any) -> Row:
    return {
        name: value if isinstance(value, bool) else str(value) for name, value in wanted.items() if value is not None
    }


def _between(name: str, after: Any, before: Any) -> Row:
    bounds = {sign: value for sign, value in (("$gt", after), ("$lt", before)) if value is not None}
    return {name: bounds} if bounds else {}


def _holding(part: str) -> Row:
    # The server rejects a NUL in a pattern; no name contains one.
    return {"$in": []} if "\0" in part else {"$regex": re.escape(part)}


def _text(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def _float(number: Any) -> float | None:
    return None if number is None else float(number)
