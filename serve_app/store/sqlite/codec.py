"""Rows to the domain's objects and back. Times are whole microseconds since 1970 (UTC); numbers are exact texts."""

import json
import sqlite3
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from serve_app.domain.invoice import Invoice
from serve_app.domain.record import InvoiceRecord

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# These live in columns, so that there is one truth about each.
_COLUMNS = frozenset({"id", "object", "status", "source", "created_at", "updated_at", "duplicate_of"})


def to_micros(moment: datetime) -> int:
    """Whole microseconds since 1970."""
    return (moment - _EPOCH) // timedelta(microseconds=1)


def from_micros(micros: int) -> datetime:
    """The moment, in UTC."""
    return _EPOCH + timedelta(microseconds=micros)


def document_of(invoice: Invoice) -> str:
    """What has no column of its own, as JSON; a Decimal becomes its exact text, not a float."""
    return json.dumps(invoice.model_dump(exclude=set(_COLUMNS)), default=str, ensure_ascii=False)


def invoice_from(row: sqlite3.Row) -> Invoice:
    """The invoice of a full row."""
    values: dict[str, Any] = json.loads(row["document"])
    values |= {name: row[name] for name in ("id", "status", "source", "duplicate_of")}
    values |= {name: from_micros(row[name]) for name in ("created_at", "updated_at")}
    return Invoice.model_validate(values)


def record_from(row: sqlite3.Row) -> InvoiceRecord:
    """The record of a full row."""
    due = row["next_run_at"]
    return InvoiceRecord(
        invoice=invoice_from(row),
        account_id=UUID(row["account_id"]),
        file_key=row["file_key"],
        next_run_at=None if due is None else from_micros(due),
        attempt=row["attempt"],
        lost_claims=row["lost_claims"],
        releases=row["releases"],
    )
