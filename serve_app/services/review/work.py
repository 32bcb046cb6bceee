"""Who works on what."""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from serve_app.domain.audit import Actor
from serve_app.domain.errors import InvalidParameter, InvoiceNotFound
from serve_app.domain.work import LEASE, Lease, Reader, WorkCounts, WorkItem, WorkQuery
from serve_app.services.people.audit import AuditTrail
from serve_app.store.base import Memberships, Work

COUNTED = 10_000
"""Numbers of invoices are exact up to here."""


class WorkService:
    """Opens reviews for one reader at a time, lists what needs a person, and shares it out.

    A lease keeps two people from the same work; it guards no data: whoever saves must have seen the latest revision.
    Methods about one invoice raise InvoiceNotFound.
    """

    def __init__(self, work: Work, memberships: Memberships, audit: AuditTrail) -> None:
        self._work = work
        self._memberships = memberships
        self._audit = audit

    async def open(self, account_id: UUID, invoice_id: UUID, reader: Reader) -> Lease:
        """Open the review, or keep it open: call it again well within LEASE. The lease is another reader's if that one
        has it open."""
        return await self._take(account_id, invoice_id, reader, by_force=False)

    async def come_back(self, account_id: UUID, invoice_id: UUID, reader: Reader) -> Lease:
        """Open the review, also where another window of the same person has it: that one may be gone."""
        lease = await self.open(account_id, invoice_id, reader)
        is_own = lease.reader.person_id == reader.person_id
        return await self.take_over(account_id, invoice_id, reader) if is_own else lease

    async def take_over(self, account_id: UUID, invoice_id: UUID, reader: Reader) -> Lease:
        """Open the review although another reader has it open."""
        return await self._take(account_id, invoice_id, reader, by_force=True)

    async def _take(self, account_id: UUID, invoice_id: UUID, reader: Reader, *, by_force: bool) -> Lease:
        lease = await self._work.take(account_id, invoice_id, reader, LEASE, by_force=by_force)
        if lease is None:
            raise InvoiceNotFound
        return lease

    async def close(self, account_id: UUID, invoice_id: UUID, window: str) -> None:
        """The window has moved on; no-op if it does not have the review open."""
        await self._work.release_lease(account_id, invoice_id, window)

    async def snooze(self, account_id: UUID, invoice_id: UUID, person_id: UUID) -> None:
        """The person wants to decide on it after the others."""
        if not await self._work.snooze(account_id, invoice_id, person_id):
            raise InvoiceNotFound

    async def assign(
        self, account_id: UUID, invoice_ids: Collection[UUID], person_id: UUID | None, actor: Actor
    ) -> int:
        """Make invoices a person's work, or nobody's; how many there are. Raises InvalidParameter if the person may not
        review invoices of the account."""
        if person_id is not None:
            members = await self._memberships.of_account(account_id)
            if not any(member.person.id == person_id and member.role.may_review for member in members):
                raise InvalidParameter("Only an owner or a reviewer of this account can work on its invoices.")
        done = await self._work.assign(account_id, invoice_ids, person_id)
        for invoice_id in invoice_ids:
            await self._audit.record(actor, account_id, "invoice.assigned", str(invoice_id), to=person_id)
        return done

    async def waiting(self, account_id: UUID, query: WorkQuery, limit: int, skip: int = 0) -> Sequence[WorkItem]:
        """Invoices that need a person, in the order that is asked for, without the first `skip`. The next one for a
        reader is the first that is free for the reader's window."""
        return await self._work.waiting(account_id, query, limit, skip)

    async def counts(self, account_id: UUID, since: datetime) -> WorkCounts:
        """How many wait, and on how many a person has decided since then; each up to COUNTED."""
        return await self._work.counts(account_id, since, COUNTED)
