"""Answers about exports. Written by `python -m scripts.clients` from the OpenAPI document."""

from datetime import datetime
from typing import Any

from invoices_client.models.base import Model
from invoices_client.models.enums import ExportFormat


class BookedInvoice(Model):
    """What became of an invoice in the other program."""

    invoice_id: str
    """Its id."""
    booked_as: str | None = None
    """The id of its bill in the program; null: it was not booked."""
    reason: str | None = None
    """Why it was not booked; null if it was."""


class ExportDelivery(Model):
    """Where the file of a scheduled export goes, and how that went."""

    place: str
    """A folder, bucket or SFTP server, an address of e-mail, or a program: `odoo:`, `xero:`, `quickbooks:`."""
    tries: int
    """How often it was tried."""
    problem: str | None = None
    """Why the last try failed; null if it did not."""
    next_try_at: datetime | None = None
    """When it is tried next; null: no more."""
    delivered_at: datetime | None = None
    """When it was delivered."""
    invoices: list[BookedInvoice] = []
    """Of a program, the invoices that were booked, and those that were not; otherwise empty."""


class NotReadyInvoice(Model):
    """An invoice that the export left out."""

    invoice_id: str
    """Its id."""
    reason: str
    """Why it is not ready."""


class Export(Model):
    """A file for another program, with its receipt."""

    id: str
    """The id."""
    object: str
    """Always `export`."""
    format: ExportFormat
    """The program that the file is for."""
    created_at: datetime
    """When it was made."""
    created_by: str
    """The person's address, or the name of the API key."""
    file_name: str
    """The name of the file."""
    sha256: str
    """The SHA-256 of the file, in hexadecimal."""
    size_bytes: int
    """The size of the file."""
    has_file: bool
    """False once one of its invoices was deleted; the file went with it."""
    invoices: list[str] = []
    """The invoices in it, in the order of the file."""
    notes: list[str] = []
    """What could not be written as it is in the invoice."""
    settings: dict[str, Any] = {}
    """The settings of the format, as far as they differ from the defaults."""
    delivery: ExportDelivery | None = None
    """Of an export that a schedule has made; null otherwise."""
    not_ready: list[NotReadyInvoice] | None = None
    """The newest 500 of the invoices that are not ready, in the response to the creation; null later."""


class ExportList(Model):
    """Exports, newest first."""

    object: str
    """Always `list`."""
    data: list[Export] = []
    """The exports."""
    has_more: bool
    """Whether more entries follow."""
