"""The queue of invoices, kept in the invoices' own rows.

An invoice holds one of its account's few slots from the moment it may be claimed until its run has ended; the account's
other invoices wait. So no account has more runs than slots, and none keeps another waiting for long.

Leases and delays are measured by one clock: the database server's, or the machine's if the database is a file.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Protocol
from uuid import UUID

from serve_app.domain.backlog import Backlog
from serve_app.domain.invoice import Extraction, Failure, Invoice
from serve_app.domain.pace import Pace
from serve_app.domain.queue_state import Stage
from serve_app.domain.record import InvoiceRecord, Release
from serve_app.domain.vendor import NOTHING_KNOWN, VendorDetails


class Paces(Protocol):
    """How fast each dispatcher works, told by themselves every few seconds."""

    async def note(self, pace: Pace) -> None:
        """Replace what the dispatcher has told before."""
        ...

    async def since(self, moment: datetime) -> list[Pace]:
        """The paces told since then, by dispatcher."""
        ...


class Queue(Protocol):
    """Every write of a run takes the record as it was claimed, and is a no-op (False or None) if that claim is no
    longer current."""

    async def claim_due_invoice(self, lease: timedelta) -> InvoiceRecord | None:
        """Claim the invoice whose turn it is, for the length of the lease; None if none is due."""
        ...

    async def claim_due_invoices(self, lease: timedelta, most: int) -> list[InvoiceRecord]:
        """The same for up to `most` invoices, in one step, in the order of their turns; none if none is due."""
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

    async def note_models(self, claim: InvoiceRecord) -> None:
        """The run is at the stage MODELS. May be lost: it is only shown."""
        ...

    async def note_pair(self, claim: InvoiceRecord, pair: str) -> None:
        """Keep which pair of models reads the document, for further claims of the same run."""
        ...

    async def stages(self, account_id: UUID, ids: Collection[UUID]) -> Mapping[UUID, Stage]:
        """Of those of these invoices that are being processed."""
        ...

    async def repair(self) -> int:
        """Repair what a crash, or a clock that was set back, left behind: invoices whose lease expired become `queued`
        again, which counts as a lost claim, and waiting invoices get the free slots. Returns how many invoices it
        changed. Cheap if there is nothing to do; call it about every second."""
        ...

    async def backlog(self) -> Backlog:
        """What waits and what runs now, by account and kind. However many invoices have ended, it costs the same;
        MongoDB counts those that have not, so ask it no more often than every few seconds."""
        ...

    async def ahead(self, account_id: UUID, invoice_id: UUID, at_most: int) -> int:
        """How many invoices of the account that wait will be claimed before this one; beyond `at_most`, that many."""
        ...

    async def finished_among(self, ids: Collection[UUID]) -> set[UUID]:
        """Those of `ids` whose run has ended and whose event is in the log."""
        ...
