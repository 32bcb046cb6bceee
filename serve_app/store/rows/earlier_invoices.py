"""Earlier invoices of a supplier, as both stores keep them."""

from datetime import date, datetime
from decimal import Decimal
from uuid import UUID

import msgspec

from serve_app.domain.earlier_invoice import EarlierInvoice
from serve_app.domain.invoice import CheckKind, Source, Status
from serve_app.domain.query import InvoiceQuery, ReviewFilter
from serve_app.store.rows.codec import from_micros
from serve_app.store.rows.columns import Fields


class _Details(msgspec.Struct, frozen=True):
    iban: str | None = None
    vendor_tax_id: str | None = None


class _Batch(msgspec.Struct, frozen=True):
    id: UUID


class _Check(msgspec.Struct, frozen=True):
    kind: CheckKind
    confirmed_at: str | None = None


class ComparedValues(msgspec.Struct, frozen=True):
    """What is compared of an invoice's document. Everything else in it is skipped."""

    vendor_name: str | None = None
    invoice_number: str | None = None
    amount: Decimal | None = None
    tax: Decimal | None = None
    currency: str | None = None
    issued_at: date | None = None
    details: _Details | None = None
    batch: _Batch | None = None
    checks: tuple[_Check, ...] = ()


class _Earlier(ComparedValues, frozen=True, kw_only=True):
    id: UUID
    created_at: datetime
    source: Source


def earlier_query(vendor_id: UUID) -> InvoiceQuery:
    """Which invoices of the supplier are compared."""
    return InvoiceQuery(status=Status.COMPLETE, vendor_id=vendor_id, review=ReviewFilter.NOT_REJECTED)


def earlier_from(row: Fields, values: ComparedValues) -> EarlierInvoice:
    """The invoice of a row and the values in its document."""
    return _Earlier(
        id=UUID(row["id"]),
        created_at=from_micros(row["created_at"]),
        source=Source(row["source"]),
        **msgspec.structs.asdict(values),
    )
