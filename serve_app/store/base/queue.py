"""The queue of invoices, kept in the invoices' own rows.

An invoice holds one of its account's few seats from the moment it may be claimed until its run has ended; the account's
other invoices wait. So no account has more runs than seats, and none keeps another waiting for long.

Leases and delays are measured by one clock: the database server's, or the machine's if the database is a file.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Protocol
from uuid import UUID

from serve_app.domain.invoice import Extraction, Failure, Invoice
from serve_app.domain.queue_state import QueueState
from serve_app.domain.record import InvoiceRecord, Release
from serve_app.domain.vendor import NOTHING_KNOWN, VendorDetails


class Queue(Protocol):
    """Every write of a run takes the record as it was claimed, and is a no-op (False or None) if that claim is no
    longer current."""

    async def claim_due_invoice(self, lease: timedelta) -> InvoiceRecord | None:
        """Claim the invoice whose turn it is, for the length of the lease; None if none is due."""
        ...

    async def renew_lease(self, claim: InvoiceRecord, lease: timedelta) -> bool:
        """Extend the claim: `lease` from now."""
        ...

    async def release(self, claim: InvoiceRecord, delay: timedelta, why: Release) -> bool:
        """Give the claim back: the invoice is `queued` again and can be claimed after `delay`."""
        ...

    async def save_result(
        self,
        claim: InvoiceRecord,
        extraction: Extraction,
        now: datetime,
        siblings: Sequence[InvoiceRecord] = (),
        details: VendorDetails = NOTHING_KNOWN,
        evidence_key: str | None = None,
        drawn: float | None = None,
    ) -> Invoice | None:
        """Write the result, state, duplicates and event in one write; returns the updated invoice. What people decided
        stays over the new result.

        `siblings` are the finished records of the file's further invoices: each is added with its own event and quota
        unit, even beyond the limit. Flags duplicates within the account: each names the oldest invoice with the same
        vendor, number and amount. Creates the vendor if it is new.
        """
        ...

    async def fail(self, claim: InvoiceRecord, failure: Failure, now: datetime) -> Invoice | None:
        """Write the failure, state and event in one write; returns the updated invoice."""
        ...

    async def mend(self) -> int:
        """Repair what a crash, or a clock that was set back, left behind: invoices whose lease expired become `queued`
        again, which counts as a lost claim, and waiting invoices get the free seats. Returns how many invoices it
        changed. Cheap if there is nothing to do; call it about every second."""
        ...

    async def state(self) -> QueueState:
        """How much waits and runs now."""
        ...

    async def finished_among(self, ids: Collection[UUID]) -> set[UUID]:
        """Those of `ids` whose run has ended and whose event is in the log."""
        ...
