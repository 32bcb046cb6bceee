"""The store as a whole, and what keeps it tidy."""

from datetime import datetime
from typing import Protocol
from uuid import UUID

from serve_app.domain.erased import Erased
from serve_app.domain.record import InvoiceRecord


class Erasure(Protocol):
    """Removing for good. Every call can be repeated after a crash; deleting files is the caller's part."""

    async def invoice(self, record: InvoiceRecord, now: datetime) -> Erased:
        """Remove the invoice with its events and deliveries, whatever its state; a run of it then changes nothing. Its
        file is left with a reservation (the invoice's id, no month, run 0), to be ended by `Intake.cancel` once the
        file is deleted."""
        ...

    async def next_invoices(self, account_id: UUID, limit: int) -> list[InvoiceRecord]:
        """Invoices that the account still has."""
        ...

    async def account(self, account_id: UUID) -> Erased:
        """Remove the account that has no invoices any more, with all else that it has. ValueError where it has some."""
        ...


class Upkeep(Protocol):
    """What nobody misses."""

    async def expire(self, now: datetime) -> int:
        """Remove idempotency records, rate windows and sessions whose time is over; returns how many. They are without
        effect from that moment on, removed or not."""
        ...


class Connection(Protocol):
    """The store as a whole."""

    async def ping(self) -> None:
        """Returns when the store answers."""
        ...

    async def close(self) -> None: ...
