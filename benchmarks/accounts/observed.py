"""What was answered and what ran, seen from outside of the code that keeps the limits."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from serve_app.domain.invoice import Extraction, Failure, Invoice
from serve_app.domain.record import InvoiceRecord, Release
from serve_app.store.base import Queue


@dataclass
class Observed:
    """By account. `passed` are requests that the rate did not refuse, by calendar minute. `ended` are documents whose
    results are written, `accepted_late` those that were sent after the month was used up, and accepted, `reserved`
    units of the quota whose request ended without an answer of the store."""

    accepted: Counter[UUID] = field(default_factory=Counter)
    accepted_late: Counter[UUID] = field(default_factory=Counter)
    reserved: Counter[UUID] = field(default_factory=Counter)
    ended: Counter[UUID] = field(default_factory=Counter)
    passed: Counter[tuple[UUID, int]] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    running: Counter[UUID] = field(default_factory=Counter)
    most_running: Counter[UUID] = field(default_factory=Counter)

    def begins(self, claim: InvoiceRecord) -> None:
        """Note a claim."""
        account_id = claim.account_id
        self.running[account_id] += 1
        self.most_running[account_id] = max(self.most_running[account_id], self.running[account_id])

    def ends(self, claim: InvoiceRecord) -> None:
        """Note the end of a run, before the write that frees its slot."""
        self.running[claim.account_id] -= 1


class ObservedQueue:
    """A queue whose claims are noted."""

    def __init__(self, queue: Queue, observed: Observed) -> None:
        self._queue = queue
        self._observed = observed

    def __getattr__(self, name: str) -> Any:
        return getattr(self._queue, name)

    async def claim_due_invoices(self, lease: timedelta, most: int) -> list[InvoiceRecord]:
        """As the queue's."""
        claims = await self._queue.claim_due_invoices(lease, most)
        for claim in claims:
            self._observed.begins(claim)
        return claims

    async def release(self, claim: InvoiceRecord, delay: timedelta, why: Release) -> bool:
        """As the queue's."""
        self._observed.ends(claim)
        return await self._queue.release(claim, delay, why)

    async def save_result(
        self, claim: InvoiceRecord, extraction: Extraction, now: datetime, *more: Any, **others: Any
    ) -> Invoice | None:
        """As the queue's."""
        self._observed.ends(claim)
        saved = await self._queue.save_result(claim, extraction, now, *more, **others)
        self._observed.ended[claim.account_id] += saved is not None
        return saved

    async def fail(self, claim: InvoiceRecord, failure: Failure, now: datetime) -> Invoice | None:
        """As the queue's."""
        self._observed.ends(claim)
        return await self._queue.fail(claim, failure, now)
