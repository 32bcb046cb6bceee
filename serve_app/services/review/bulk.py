"""Decides on invoices, and shares them out, without opening them one by one."""

from datetime import datetime
from uuid import UUID

from serve_app.domain.audit import Actor
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.errors import (
    AlreadyDecided,
    InvalidParameter,
    InvoiceNotFound,
    NeedsLook,
    NotComplete,
    OpenElsewhere,
)
from serve_app.domain.invoice import ReviewStatus, Status
from serve_app.domain.record import InvoiceRecord
from serve_app.services.review.change import ReviewChange
from serve_app.services.review.service import ReviewService
from serve_app.services.review.work import WorkService
from serve_app.store.base import Invoices


class BulkReview:
    """Leaves alone what somebody else has open, and what a person has decided already.

    Every method raises InvoiceNotFound, and OpenElsewhere or AlreadyDecided for what it leaves alone.
    """

    def __init__(self, invoices: Invoices, reviews: ReviewService, work: WorkService, clock: Clock = utc_now) -> None:
        self._invoices = invoices
        self._reviews = reviews
        self._work = work
        self._clock = clock

    async def decide(self, account_id: UUID, invoice_id: UUID, change: ReviewChange, actor: Actor) -> int:
        """Confirm or reject the invoice as it stands; the revision of its review after that, by which `take_back` knows
        it. Raises NotComplete, ReviewChanged, and NeedsLook for a confirmation of the audit sample."""
        record = await self._free_record(account_id, invoice_id, actor)
        if record.invoice.status is not Status.COMPLETE:
            raise NotComplete
        if change.status is ReviewStatus.CONFIRMED and record.drawn is not None:
            raise NeedsLook
        answer = await self._reviews.change(account_id, invoice_id, record.review_revision, change, actor)
        return answer.revision

    async def take_back(self, account_id: UUID, invoice_id: UUID, revision: int, actor: Actor) -> None:
        """Undo what `decide` did. Raises ReviewChanged if anything was changed since."""
        await self._reviews.undo(account_id, invoice_id, revision, actor)

    async def assign(self, account_id: UUID, invoice_id: UUID, person_id: UUID | None, actor: Actor) -> UUID | None:
        """Make the invoice a person's work, or nobody's; the person whose work it was. Raises InvalidParameter if the
        person may not review."""
        record = await self._free_record(account_id, invoice_id, actor)
        await self._work.assign(account_id, [invoice_id], person_id, actor)
        return record.assignee

    async def assign_back(
        self, account_id: UUID, invoice_id: UUID, given: UUID | None, before: UUID | None, actor: Actor
    ) -> None:
        """Undo what `assign` did. Raises InvalidParameter if it was assigned again since."""
        record = await self._free_record(account_id, invoice_id, actor)
        if record.assignee != given:
            raise InvalidParameter("Somebody has assigned the invoice to another person.")
        await self._work.assign(account_id, [invoice_id], before, actor)

    async def _free_record(self, account_id: UUID, invoice_id: UUID, actor: Actor) -> InvoiceRecord:
        record = await self._invoices.find_record(account_id, invoice_id)
        if record is None:
            raise InvoiceNotFound
        holder = _other_holder(record, actor, self._clock())
        if holder is not None:
            raise OpenElsewhere(holder)
        status = record.invoice.review.status
        if status is not ReviewStatus.OPEN:
            raise AlreadyDecided(status)
        return record


def _other_holder(record: InvoiceRecord, actor: Actor, now: datetime) -> str | None:
    """The name of another person who has the review open."""
    lease = record.lease
    is_open = lease is not None and not lease.is_over(now) and lease.reader.person_id != actor.person_id
    return lease.reader.name if lease is not None and is_open else None
