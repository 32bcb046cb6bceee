"""Exports: files for other bookkeeping programs. An exported invoice keeps its values until somebody unlocks it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from serve_app.domain.errors import InvoiceExported
from serve_app.domain.invoice import Invoice, ReviewStatus
from serve_app.domain.own_values import own_values

MAX_INVOICES = 2_000
"""How many invoices an export contains at most. The next export contains the rest."""
MAX_FILE_BYTES = 8_000_000
"""The compressed size of an export's file, which is kept in the database."""


class ExportFormat(StrEnum):
    """What program a file is for. `template`: any other, with columns that a person chooses."""

    DATEV = "datev"
    XERO = "xero"
    QUICKBOOKS = "quickbooks"
    ODOO = "odoo"
    LEXWARE = "lexware"
    FLAT_FILE = "flat_file"
    TEMPLATE = "template"


@dataclass(frozen=True, slots=True)
class ExportDelivery:
    """That an export goes to a place: its file to a folder, a bucket, an SFTP server or an address of e-mail, or its
    bills to the API of the program. It is tried at `due_at`; None: no more. `problem` is why the last try failed, for
    people. `booked` has the id in the program of each invoice that was booked by its API, `refused` the reason of each
    that was not."""

    place: str
    due_at: datetime | None
    tries: int = 0
    problem: str = ""
    delivered_at: datetime | None = None
    booked: Mapping[UUID, str] = field(default_factory=dict)
    refused: Mapping[UUID, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Export:
    """A file that was made, with its receipt: what is in it, its SHA-256 in hexadecimal and its size.

    `settings` are those of its format. `created_by` is the person's address, or the name of the API key. `invoices`
    lacks those that were deleted since, and then there is no file any more. `notes` say what could not be written as
    it is in the invoice. `delivery` is None if nobody asked for one.
    """

    id: UUID
    account_id: UUID
    format: ExportFormat
    created_at: datetime
    created_by: str
    file_name: str
    sha256: str
    size_bytes: int
    invoices: tuple[UUID, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    has_file: bool = True
    delivery: ExportDelivery | None = None


@dataclass(frozen=True, slots=True)
class NewExport:
    """An export that is to be stored. `content` is its file, compressed; `seen` is `updated_at` of each invoice when
    its values were read. `is_repeated`: its invoices may have been exported before, because somebody wants it so."""

    export: Export
    content: bytes
    seen: Mapping[UUID, datetime]
    is_repeated: bool = False


def refuse_change_of_exported(before: Invoice, after: Invoice) -> None:
    """Raises InvoiceExported if the change of an exported invoice would contradict the other program's books."""
    if before.export_id is None:
        return
    is_rejected = after.review.status is ReviewStatus.REJECTED and before.review.status is not ReviewStatus.REJECTED
    if is_rejected or _booked(before) != _booked(after):
        raise InvoiceExported


def _booked(invoice: Invoice) -> dict[str, Any]:
    """The values, without places and confidence."""
    fields = {"vendor_name", "invoice_number", "amount", "currency", "issued_at", "due_at", "tax", "document_type"}
    values = invoice.model_dump(include=fields)
    rows = [item.model_dump(exclude={"confidence", "custom"}) for item in invoice.line_items]
    unsaid = {"field_confidence", "field_source", "citations"}
    details = None if invoice.details is None else invoice.details.model_dump(exclude=unsaid)
    own = {name: each.value for name, each in own_values(invoice).items() if each.value is not None}
    return values | {"line_items": rows, "details": details, "coding": _codes(invoice), "custom": own}


def _codes(invoice: Invoice) -> list[tuple[Any, ...]]:
    """What it is booked on, whoever says so."""
    postings = () if invoice.coding is None else invoice.coding.postings
    return [
        (posting.line, posting.share, sorted((key, code.value or "") for key, code in posting.codes.items()))
        for posting in postings
    ]
