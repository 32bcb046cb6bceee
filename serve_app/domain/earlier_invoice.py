"""What is compared of a supplier's earlier invoices."""

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Protocol
from uuid import UUID

from serve_app.domain.invoice import CheckKind, Source


class Identifiers(Protocol):
    """By which a supplier is recognised, without gaps."""

    @property
    def iban(self) -> str | None: ...

    @property
    def vendor_tax_id(self) -> str | None: ...


class EarlierCheck(Protocol):
    """A check that was found earlier. `confirmed_at` is when a person confirmed it."""

    @property
    def kind(self) -> CheckKind: ...

    @property
    def confirmed_at(self) -> object | None: ...


class EarlierBatch(Protocol):
    """The file that the invoice shares with others."""

    @property
    def id(self) -> UUID: ...


class EarlierInvoice(Protocol):
    """The part of an `Invoice` that a new one is compared with. A store reads it much faster than whole invoices."""

    @property
    def id(self) -> UUID: ...

    @property
    def created_at(self) -> datetime: ...

    @property
    def source(self) -> Source: ...

    @property
    def vendor_name(self) -> str | None: ...

    @property
    def invoice_number(self) -> str | None: ...

    @property
    def amount(self) -> Decimal | None: ...

    @property
    def tax(self) -> Decimal | None: ...

    @property
    def currency(self) -> str | None: ...

    @property
    def issued_at(self) -> date | None: ...

    @property
    def details(self) -> Identifiers | None: ...

    @property
    def batch(self) -> EarlierBatch | None: ...

    @property
    def checks(self) -> Sequence[EarlierCheck]: ...
