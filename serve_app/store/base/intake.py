"""Intake of documents: a quota unit, the file's bytes and a row, never one without the others."""

from datetime import datetime
from typing import Protocol
from uuid import UUID

from serve_app.domain.invoice import Invoice
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.reservation import Reservation


class Intake(Protocol):
    """Order of calls: `reserve`, write the file, `add`. After a failure: `give_up`, delete the file, `cancel`."""

    async def reserve(self, record: InvoiceRecord, month: datetime, limit: int | None) -> Reservation:
        """Take a quota unit for the record's first run and note that its file is about to be written, in one write. If
        an interrupted request for the same invoice left a reservation, this call takes it over with its unit; the other
        request's reservation ends at that moment.

        Raises QuotaReached at the limit, and InvoiceContended if the invoice exists already, or was
        given up and its file is about to be deleted."""
        ...

    async def add(self, record: InvoiceRecord) -> None:
        """Queue the invoice and end its reservation. Raises Unavailable if there is no reservation or the invoice
        exists already."""
        ...

    async def rerun(
        self,
        invoice: Invoice,
        account_id: UUID,
        month: datetime,
        limit: int | None,
        trace: str | None = None,
        change_id: UUID | None = None,
    ) -> Invoice | None:
        """Queue a finished invoice again for a quota unit, in one write; returns the updated invoice. None if it has
        changed since it was read as `invoice`. Raises QuotaReached at the limit. `change_id` as for
        `Invoices.amend`."""
        ...

    async def stale(self, before: datetime, limit: int) -> list[Reservation]:
        """Reservations made before this moment, which crashes left behind."""
        ...

    async def has_invoice(self, file_key: str) -> bool:
        """Whether any invoice has this file, in a state that no failover can roll back."""
        ...

    async def give_up(self, reservation: Reservation) -> bool:
        """Give the unit back unless its run was queued, and make every later `add` fail; the reservation's note stays
        until `cancel`. True if no invoice has the file, so that it can be deleted.

        Raises InvoiceContended if another request for the same invoice is in progress: whether the file is needed is
        known only later, and `stale` lists the reservation until then."""
        ...

    async def cancel(self, reservation: Reservation) -> None:
        """End the reservation and give its unit back unless its run was queued. No-op if it has already ended."""
        ...
