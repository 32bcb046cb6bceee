"""Creates invoices for callers: at most once per idempotency key, and on request held until they are finished."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from uuid import UUID

from serve_app.domain.account import Account
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.errors import OutcomeUnknown, ServiceError
from serve_app.domain.idempotency import IdempotencyRecord
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Invoice
from serve_app.services.capacity.start_times import StartTimes
from serve_app.services.idempotency import KeyHolds
from serve_app.services.intake.created import Created, Replay
from serve_app.services.intake.submit import DocumentIntake, Upload
from serve_app.services.intake.wait import WaitForInvoice
from serve_app.services.tasks.background import Background
from serve_app.store.base import Idempotency, Invoices

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SubmissionPermit:
    """Permission to submit one document, whose invoice will have this id; `hold` is the request's hold on its
    idempotency key, if it has one."""

    account: Account
    invoice_id: UUID
    hold: IdempotencyRecord | None = None


class InvoiceCreation:
    """Works in two steps, between which the caller reads the document: `begin` returns a permit, or the answer given
    before; `accept` takes the document."""

    def __init__(
        self,
        intake: DocumentIntake,
        wait: WaitForInvoice,
        invoices: Invoices,
        idempotency: Idempotency,
        wait_seconds: float,
        clock: Clock = utc_now,
        start_times: StartTimes | None = None,
    ) -> None:
        self._intake = intake
        self._wait = wait
        self._invoices = invoices
        self._holds = KeyHolds(idempotency)
        self._wait_seconds = wait_seconds
        self._clock = clock
        self._start_times = start_times
        self._background = Background()

    async def begin(self, account: Account, key: str | None) -> SubmissionPermit | Replay:
        """A permit for a new invoice, or the answer to the first request with this key. Raises RequestInFlight while
        that request has no answer."""
        invoice_id = new_id()
        if key is None:
            return SubmissionPermit(account, invoice_id)
        now = self._clock()
        requested = IdempotencyRecord(account.id, key, invoice_id, new_id(), created_at=now, held_since=now)
        held = await self._holds.take(requested)
        if held.answer is not None:
            return Replay(held.invoice_id, held.answer)
        # An error in this look-up does not release the key: the invoice may exist, and would be created twice.
        return await self._resumed(held) or SubmissionPermit(account, held.invoice_id, held)

    async def _resumed(self, held: IdempotencyRecord) -> Replay | None:
        """The invoice of an earlier request that died without answering."""
        if held.held_since == held.created_at:
            return None
        invoice = await self._invoices.get(held.account_id, held.invoice_id)
        if invoice is None:
            return None
        created = Created(invoice)
        await self._holds.keep_answer(held, created.answer)
        return Replay(invoice.id, created.answer)

    @asynccontextmanager
    async def released_on_failure(self, permit: SubmissionPermit) -> AsyncIterator[None]:
        """For reading the document: if that fails, or the caller disconnects meanwhile, nothing has been accepted and
        the key may be used again at once. Raises QueueTooLong before anything is read."""
        try:
            if self._start_times is not None:
                await self._start_times.check(permit.account.id)
            yield
        except (Exception, asyncio.CancelledError):
            if permit.hold is not None:
                await self._background.finish(self._holds.release(permit.hold))
            raise

    async def accept(self, permit: SubmissionPermit, upload: Upload, *, wait: bool) -> Created:
        """Accept the document; with `wait`, hold the call until its invoice is finished, at most for the wait window.
        Raises the errors of `DocumentIntake.submit`."""
        if permit.hold is None:
            invoice = await self._intake.submit(permit.account, upload, permit.invoice_id)
            created = await self._waited_for(permit.account, invoice) if wait else Created(invoice)
            return await self._estimated(permit.account, created)
        created = await self._estimated(permit.account, await self._accept_once(permit, upload, permit.hold, wait))
        await self._holds.keep_answer(permit.hold, created.answer)
        return created

    async def _accept_once(
        self, permit: SubmissionPermit, upload: Upload, hold: IdempotencyRecord, wait: bool
    ) -> Created:
        accepting = self._background.start(self._accepted(permit, upload, hold))
        try:
            invoice = await asyncio.shield(accepting)
            return await self._waited_for(permit.account, invoice) if wait else Created(invoice)
        except asyncio.CancelledError:
            # The caller disconnected. A retry need not wait for what this request would have waited for.
            await self._background.finish(self._keep_accepted(hold, accepting))
            raise

    async def _accepted(self, permit: SubmissionPermit, upload: Upload, hold: IdempotencyRecord) -> Invoice:
        try:
            return await self._intake.submit(permit.account, upload, permit.invoice_id)
        except OutcomeUnknown:
            # Once this request's hold has expired, a retry finds the invoice or takes the id over.
            raise
        except Exception:
            await self._holds.release(hold)
            raise

    async def _keep_accepted(self, hold: IdempotencyRecord, accepting: asyncio.Task[Invoice]) -> None:
        with suppress(Exception):
            await self._holds.keep_answer(hold, Created(await accepting).answer)

    async def _estimated(self, account: Account, created: Created) -> Created:
        if self._start_times is None:
            return created
        return replace(created, invoice=await self._start_times.with_start_estimate(account.id, created.invoice))

    async def _waited_for(self, account: Account, accepted: Invoice) -> Created:
        """The invoice after waiting. It is already accepted, so an error here only ends the waiting."""
        await self._wait.until_finished(accepted.id, self._wait_seconds)
        try:
            latest = await self._invoices.get(account.id, accepted.id) or accepted
        except ServiceError as error:
            log.warning("cannot look at the invoice waited for: %r", error, extra={"invoice_id": str(accepted.id)})
            latest = accepted
        return Created(latest, has_waited=True)
