"""Who works on what."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Protocol
from uuid import UUID

from serve_app.domain.work import Lease, Reader, WorkCounts, WorkItem, WorkQuery


class Work(Protocol):
    """Opened reviews, assignment, and the invoices that need a person. Leases are measured by one clock, like those of
    the queue. None means that the id is unknown or belongs to another account."""

    async def take(
        self, account_id: UUID, invoice_id: UUID, reader: Reader, lease: timedelta, *, by_force: bool = False
    ) -> Lease | None:
        """Make the review the reader's for so long, unless another one has it: then that one's lease is answered, and
        nothing changes, except by force."""
        ...

    async def release_lease(self, account_id: UUID, invoice_id: UUID, window: str) -> None:
        """End the lease of this window. No-op if it has none."""
        ...

    async def assign(self, account_id: UUID, invoice_ids: Collection[UUID], person_id: UUID | None) -> int:
        """Make these invoices a person's work, or nobody's; returns how many the account has."""
        ...

    async def snooze(self, account_id: UUID, invoice_id: UUID, person_id: UUID) -> bool:
        """Note that the person wants to decide on the invoice later; False if the account has no such invoice."""
        ...

    async def waiting(self, account_id: UUID, query: WorkQuery, limit: int, skip: int = 0) -> list[WorkItem]:
        """Invoices that need a person, in the order that is asked for, without the first `skip`."""
        ...

    async def counts(self, account_id: UUID, since: datetime, at_most: int) -> WorkCounts:
        """How many wait, and on how many a person has decided since then; each is counted up to `at_most`."""
        ...
