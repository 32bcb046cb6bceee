"""From a query to conditions on rows."""

import json
import re
from typing import Any
from uuid import UUID

from serve_app.domain.event import ENDS_OF_RUNS
from serve_app.domain.folding import folded
from serve_app.domain.invoice import Source
from serve_app.domain.query import DeliveryQuery, EventQuery, InvoiceQuery, ReviewFilter
from serve_app.domain.record import file_key_of
from serve_app.store.rows.codec import optional_micros

# The condition of the index `invoices_to_check`.
_TO_CHECK = "needs_person = 1"
# The condition of the index `invoices_with_alerts`.
_HAS_ALERTS = "has_alerts = 1"
_REVIEW = {
    ReviewFilter.OPEN: "review_status = 'open'",
    ReviewFilter.CONFIRMED: "review_status = 'confirmed'",
    ReviewFilter.REJECTED: "review_status = 'rejected'",
    ReviewFilter.NOT_REJECTED: "review_status != 'rejected'",
}
# Later than every due date.
_NEVER = "9999-99-99"
_IS_OVERDUE = "status = 'complete' AND paid = 0 AND due_at < :overdue_on"
_OVERDUE = f"(status = 'complete' AND paid = 0 AND ifnull(due_at, '{_NEVER}') < :overdue_on)"
_INVOICE_CONDITIONS = {
    "status": "status = :status",
    "created_after": "created_at > :created_after",
    "created_before": "created_at < :created_before",
    "updated_after": "updated_at > :updated_after",
    "updated_before": "updated_at < :updated_before",
    "vendor": "instr(vendor_folded, :vendor) > 0",
    "paid": "paid = :paid",
    "min_amount": "amount >= :min_amount",
    "max_amount": "amount <= :max_amount",
    "due_after": "due_at > :due_after",
    "due_before": "due_at < :due_before",
    "vendor_id": "vendor_id = :vendor_id",
    "invoice_number": "invoice_number = :invoice_number",
    "currency": "currency = :currency",
    "entity_tag": "entity_tag = :entity_tag",
    "approval_status": "approval_status = :approval_status",
    "batch": "file_key = :file_key AND document ->> '$.batch.id' = :batch",
    "issued_after": "issued_at > :issued_after",
    "issued_before": "issued_at < :issued_before",
    "level": "level = :level",
    "models": "models = :models",
    "order_match": "order_match = :order_match",
    "order_id": ("id IN (SELECT invoice_id FROM order_invoices WHERE account_id = :account AND order_id = :order_id)"),
    "custom": "id IN (SELECT invoice_id FROM custom_invoices WHERE account_id = :account AND term = :custom)",
    "ids": "id IN (SELECT value FROM json_each(:ids))",
    "number": "invoice_number IS NOT NULL AND invoice_number LIKE :number ESCAPE '^'",
}
_ENDS_OF_RUNS = f"type IN ({', '.join(repr(str(type)) for type in ENDS_OF_RUNS)})"
_DELIVERY_CONDITIONS = {
    "endpoint_id": "endpoint_id = :endpoint_id",
    "event_id": "event_id = :event_id",
    "state": "state = :state",
    "created_after": "created_at > :created_after",
    "created_before": "created_at < :created_before",
}
_EVENT_CONDITIONS = {
    "type": "type = :type",
    "created_after": "created_at > :created_after",
    "created_before": "created_at < :created_before",
}


def invoice_conditions(account_id: UUID, query: InvoiceQuery) -> tuple[list[str], dict[str, Any]]:
    """Conditions on the columns of the account's invoices, and the values that they name."""
    values: dict[str, Any] = {
        "status": query.status,
        "created_after": optional_micros(query.created_after),
        "created_before": optional_micros(query.created_before),
        "updated_after": optional_micros(query.updated_after),
        "updated_before": optional_micros(query.updated_before),
        "vendor": None if query.vendor is None else folded(query.vendor),
        "paid": query.paid,
        "min_amount": None if query.min_amount is None else float(query.min_amount),
        "max_amount": None if query.max_amount is None else float(query.max_amount),
        **{name: _text(getattr(query, name)) for name in ("due_after", "due_before", "issued_after", "issued_before")},
        **{name: _text(getattr(query, name)) for name in ("vendor_id", "approval_status", "batch", "order_id")},
        "invoice_number": query.invoice_number,
        "currency": query.currency,
        "entity_tag": query.entity_tag,
        "level": query.level,
        "models": query.models,
        "order_match": query.order_match,
        "custom": query.custom,
        "number": None if query.number is None else f"%{_literal(query.number)}%",
        "ids": None if query.ids is None else json.dumps([str(id) for id in query.ids]),
        "file_key": None if query.batch is None else file_key_of(account_id, query.batch),
    }
    conditions = [text for name, text in _INVOICE_CONDITIONS.items() if values[name] is not None]
    if query.source is not None:
        # Literally, so that SQLite sees that an index of one source has them.
        conditions.append(f"source = '{Source(query.source)}'")
    if query.overdue is not None:
        values["overdue_on"] = query.overdue_on.isoformat()
        conditions.append(_IS_OVERDUE if query.overdue else f"NOT {_OVERDUE}")
    if query.to_check is not None:
        conditions.append(_TO_CHECK if query.to_check else f"NOT ({_TO_CHECK})")
    if query.has_alerts is not None:
        conditions.append(_HAS_ALERTS if query.has_alerts else f"NOT ({_HAS_ALERTS})")
    if query.review is not None:
        conditions.append(_REVIEW[query.review])
    if query.is_exported is not None:
        conditions.append("export_id IS NOT NULL" if query.is_exported else "export_id IS NULL")
    if query.duplicate is not None:
        conditions.append("duplicate_of IS NOT NULL" if query.duplicate else "duplicate_of IS NULL")
    return conditions, values


def _literal(text: str) -> str:
    """For LIKE, which takes case for nothing."""
    return re.sub(r"([%_^])", r"^\1", text)


def _text(value: object) -> str | None:
    """Dates as ISO 8601."""
    return None if value is None else str(value)


def event_conditions(query: EventQuery) -> tuple[list[str], dict[str, Any]]:
    """Conditions on the columns of events, and the values that they name."""
    values: dict[str, Any] = {
        "type": query.type,
        "created_after": optional_micros(query.created_after),
        "created_before": optional_micros(query.created_before),
    }
    conditions = [text for name, text in _EVENT_CONDITIONS.items() if values[name] is not None]
    if query.type is None:
        conditions.append(_ENDS_OF_RUNS)
    return ["is_test = 0", *conditions], values


def delivery_conditions(query: DeliveryQuery) -> tuple[list[str], dict[str, Any]]:
    """Conditions on the columns of deliveries, and the values that they name."""
    values: dict[str, Any] = {
        "endpoint_id": query.endpoint_id and str(query.endpoint_id),
        "event_id": query.event_id,
        "state": query.state,
        "created_after": optional_micros(query.created_after),
        "created_before": optional_micros(query.created_before),
    }
    return [text for name, text in _DELIVERY_CONDITIONS.items() if values[name] is not None], values


def newest(table: str, conditions: list[str]) -> str:
    """The statement for an account's newest rows, `:limit` of them, after `:after` if that is a condition. It finds the
    ids in an index that contains all the columns it needs, and only then reads whole rows."""
    # An event has few deliveries: its own index finds them, not that of the account's list.
    account = "+account_id" if _DELIVERY_CONDITIONS["event_id"] in conditions else "account_id"
    where = " AND ".join([f"{account} = :account", *conditions])
    # Built from the constants above.
    ids = f"SELECT id FROM {table} WHERE {where} ORDER BY id DESC LIMIT :limit"  # noqa: S608
    return f"SELECT * FROM {table} WHERE id IN ({ids}) ORDER BY id DESC"  # noqa: S608
