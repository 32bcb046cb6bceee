"""The queue that the invoices' rows are.

An invoice holds one of its account's few seats from the moment it may be claimed until its run has ended; the others
of the account wait behind. So no account has more runs than seats, and none keeps another waiting for long.

Leases and delays are measured by one clock: the database server's, or the machine's where the database is a file.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Protocol
from uuid import UUID

from serve_app.domain.invoice import Extraction, Failure, Invoice
from serve_app.domain.record import InvoiceRecord, Release
from serve_app.domain.vendor import NOTHING_KNOWN, VendorDetails


class Queue(Protocol):
    """A write of a run takes the record as it was claimed, and does nothing (False or None) when the claim is no longer
    the present one."""

    async def claim_due_invoice(self, lease: timedelta) -> InvoiceRecord | None:
        """Claim the invoice whose turn it is, for as long as the lease; None where none is due."""
        ...

    async def renew_lease(self, claim: InvoiceRecord, lease: timedelta) -> bool:
        """Extend the claim: `lease` from now."""
        ...

    async def release(self, claim: InvoiceRecord, delay: timedelta, why: Release) -> bool:
        """Give the claim back: `queued`, to be claimed once `delay` is over."""
        ...

    async def save_result(
        self,
        claim: InvoiceRecord,
        extraction: Extraction,
        now: datetime,
        siblings: Sequence[InvoiceRecord] = (),
        details: VendorDetails = NOTHING_KNOWN,
    ) -> Invoice | None:
        """Result, state, duplicates and the event of it as one write; the invoice as it now is.

        `siblings` are the finished records of the file's further invoices: each is added with an event and a quota unit
        of its own, past the limit, too. Flags duplicates of the account: each names the oldest invoice with the same
        vendor, number and amount. The vendor is made where it is new.
        """
        ...

    async def fail(self, claim: InvoiceRecord, failure: Failure, now: datetime) -> Invoice | None:
        """Failure, state and the event of it as one write; the invoice as it now is."""
        ...

    async def mend(self) -> int:
        """Put right what a crash, or a clock that was set back, left behind: invoices whose lease ran out become
        `queued` again, which counts as a lost claim, and free seats are given to those that wait. Returns how many
        invoices it changed. Cheap where there is nothing to do; to be called every second or so."""
        ...

    async def finished_among(self, ids: Collection[UUID]) -> set[UUID]:
        """Those of `ids` whose run has ended and whose event is in the log."""
        ...
