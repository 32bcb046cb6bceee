"""Taking documents in: a unit of the quota, bytes and a row, none of them without the others."""

from datetime import datetime
from typing import Protocol
from uuid import UUID

from serve_app.domain.invoice import Invoice
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.reservation import Reservation


class Intake(Protocol):
    """The order is: `reserve`, write the file, `add`. Where it breaks off: `give_up`, delete the file, `cancel`."""

    async def reserve(self, record: InvoiceRecord, month: datetime, limit: int | None) -> Reservation:
        """Take a unit of the quota for the record's first run and note that its file is about to be written, as one
        write. What a request for the same invoice left that broke off is taken over, its unit included; from then on
        that request's reservation is over.

        ServiceError 429 `monthly_quota_reached` at the limit, 503 where the invoice is there, or was given up and its
        file is about to be deleted."""
        ...

    async def add(self, record: InvoiceRecord) -> None:
        """Queue the invoice and end its reservation. ServiceError 503 where there is no reservation, or the invoice is
        there."""
        ...

    async def rerun(self, invoice: Invoice, account_id: UUID, month: datetime, limit: int | None) -> Invoice | None:
        """Queue a finished invoice again for a unit of the quota, as one write; the invoice as it now is. None where it
        has changed since it was read as `invoice`. ServiceError 429 at the limit."""
        ...

    async def stale(self, before: datetime, limit: int) -> list[Reservation]:
        """Reservations that were made before this moment: a crash left them."""
        ...

    async def has_invoice(self, file_key: str) -> bool:
        """Whether any invoice has this file, and no failover can take it back."""
        ...

    async def give_up(self, reservation: Reservation) -> bool:
        """Give the unit back unless its run was queued, and let no `add` succeed from now on; the note stays until
        `cancel`. True where no invoice has the file, so that it can be deleted.

        ServiceError 503 where another request for the same invoice is at it: whether the file is needed shows later,
        and `stale` tells of it until then."""
        ...

    async def cancel(self, reservation: Reservation) -> None:
        """End the reservation; its unit is given back unless its run was queued. Nothing where it has ended before."""
        ...
