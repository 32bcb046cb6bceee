"""Exports."""

from datetime import datetime
from typing import Protocol
from uuid import UUID

from serve_app.domain.export import Export, ExportDelivery, NewExport
from serve_app.domain.invoice import Invoice
from serve_app.domain.query import ListPage


class Exports(Protocol):
    """Files for other bookkeeping programs, in the database, so that a file and the mark of its invoices cannot differ.
    Deleting an account deletes its exports. Deleting an invoice removes it from its exports, and their files, which
    contain its values."""

    async def add(self, new: NewExport) -> bool:
        """Store the export, and mark its invoices as exported: all or nothing. False if one of them was changed,
        exported (unless the export is repeated) or deleted since it was read."""
        ...

    async def get(self, account_id: UUID, export_id: UUID) -> Export | None:
        """None if the id is unknown or belongs to another account."""
        ...

    async def content(self, account_id: UUID, export_id: UUID) -> bytes | None:
        """The compressed file; None if there is none, or no such export."""
        ...

    async def page(self, account_id: UUID, limit: int, after: UUID | None = None) -> ListPage[Export]:
        """The newest first, starting strictly after the id `after` in that order."""
        ...

    async def claim_delivery(self, now: datetime, until: datetime) -> Export | None:
        """An export of any account whose delivery is due; due again at `until`, unless this try is recorded. None if
        there is none."""
        ...

    async def record_delivery(self, claimed: Export, delivery: ExportDelivery) -> bool:
        """Replace the delivery of a claimed export. False if it was claimed again, or deleted."""
        ...

    async def deliver_again(self, account_id: UUID, export_id: UUID, now: datetime) -> bool:
        """Let the export's delivery be due at once. False if it has none, or there is no such export."""
        ...

    async def unlock(self, account_id: UUID, invoice_id: UUID, now: datetime) -> Invoice | None:
        """Let the invoice's values be changed again: the next export contains it once more. None if the account has no
        such invoice."""
        ...
