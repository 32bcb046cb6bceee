"""Erasure, cleanup and the connection: the store as a whole."""

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol
from uuid import UUID

from serve_app.domain.erased import Erased
from serve_app.domain.record import InvoiceRecord


class Erasure(Protocol):
    """Permanent removal. Every call can be repeated after a crash; the caller deletes the files."""

    async def invoice(
        self, record: InvoiceRecord, now: datetime, refund: datetime | None = None, *, emit_event: bool = True
    ) -> Erased:
        """Remove the invoice with its events, their deliveries and its idempotency record, whatever its state; a run in
        progress then changes nothing. Its id and those of its events are recorded for ERASED_ID_LIFE. This leaves a
        reservation for the file (the invoice's id, no month, run 0), which the caller ends with `Intake.cancel` once it
        has deleted the file. A unit of the month that starts at `refund` is given back, once however often the call is
        repeated.

        With `emit_event`, one `invoice.deleted` event is logged with its deliveries, however often the call is
        repeated. SQLite does so in the same write; MongoDB just before the invoice is gone."""
        ...

    async def next_invoices(self, account_id: UUID, limit: int) -> list[InvoiceRecord]:
        """Invoices that the account still has."""
        ...

    async def account(self, account_id: UUID) -> Erased:
        """Remove the account, which must have no invoices and mails left, and everything else it has. Raises ValueError
        if it has any."""
        ...


class Upkeep(Protocol):
    """Cleanup of expired records."""

    async def expire(self, now: datetime) -> int:
        """Remove expired idempotency records, rate windows, counts of mail, API calls, ids of what was erased and its
        `invoice.deleted` events, sessions, sign-ins, comparisons, runs of canaries and paces; returns how many. Once
        expired they have no effect, removed or not. Mails that are due later than any worker plans are due now: the
        clock was set back."""
        ...

    async def counts(self) -> Mapping[str, int]:
        """About how many accounts, invoices, events, endpoints and deliveries there are."""
        ...


class Connection(Protocol):
    """The store as a whole."""

    async def ping(self) -> None:
        """Returns when the store answers."""
        ...

    async def close(self) -> None: ...
