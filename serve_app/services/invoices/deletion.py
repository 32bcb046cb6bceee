"""Deletes invoices a little later, so that a person can undo it."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from uuid import UUID

from serve_app.domain.audit import Actor
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.deletion import UNDO, PlannedDeletion
from serve_app.domain.errors import InvoiceKept
from serve_app.domain.ids import new_id
from serve_app.services.invoices.erase import InvoiceEraser
from serve_app.services.people.audit import AuditTrail
from serve_app.services.tasks.background import Background
from serve_app.store.base import Deletions

_BATCH = 20
_TAKEOVER_AFTER = timedelta(seconds=30)
"""So long after it was due, a plan was left by a process that died."""

log = logging.getLogger(__name__)


class DeletionService:
    """Plans deletions, undoes them, and carries them out once they are due.

    The process that plans one carries it out. Any process with housekeeping takes over what a dead one left: erasing
    can be repeated, and the plan is removed last.
    """

    def __init__(
        self,
        deletions: Deletions,
        eraser: InvoiceEraser,
        audit: AuditTrail,
        clock: Clock = utc_now,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._deletions = deletions
        self._eraser = eraser
        self._audit = audit
        self._clock = clock
        self._sleep = sleep
        self._background = Background()

    async def plan(self, account_id: UUID, invoice_ids: Sequence[UUID], actor: Actor) -> PlannedDeletion:
        """Delete these invoices in UNDO from now, unless that is undone. Unknown ids, and those of others, are ignored
        then. Raises InvoiceKept if the law wants one of them kept; then nothing is deleted."""
        await self._eraser.refuse_kept_among(account_id, invoice_ids)
        plan = PlannedDeletion(new_id(), account_id, tuple(invoice_ids), actor, self._clock() + UNDO)
        await self._deletions.add(plan)
        self._background.start(self._when_due(plan))
        return plan

    async def undo(self, account_id: UUID, plan_id: UUID) -> bool:
        """Whether the invoices of the plan stay: False once it is being carried out."""
        return await self._deletions.undo(account_id, plan_id)

    async def open(self, account_id: UUID) -> Sequence[PlannedDeletion]:
        """The account's plans that are not carried out yet, newest first."""
        return await self._deletions.open(account_id)

    async def finish_left(self) -> None:
        """Carry out what died with its process."""
        for plan in await self._deletions.due(self._clock() - _TAKEOVER_AFTER, _BATCH):
            log.warning("left deletion carried out", extra={"invoices": len(plan.invoice_ids)})
            await self._carry_out(plan)

    async def idle(self) -> None:
        """Returns when every plan of this process is carried out or undone."""
        await self._background.idle()

    async def _when_due(self, plan: PlannedDeletion) -> None:
        await self._sleep(UNDO.total_seconds())
        try:
            await self._carry_out(plan)
        except Exception as error:
            log.error("deletion left for housekeeping: %r", error, extra={"account_id": str(plan.account_id)})

    async def _carry_out(self, plan: PlannedDeletion) -> None:
        if not await self._deletions.begin(plan.id):
            return
        for invoice_id in plan.invoice_ids:
            try:
                await self._eraser.erase(plan.account_id, invoice_id)
            except LookupError:
                # Deleted by somebody else meanwhile, or never the account's.
                continue
            except InvoiceKept as kept:
                refused = (plan.actor, plan.account_id, "invoice.deletion_refused", str(invoice_id))
                await self._audit.record(*refused, reason=kept.message)
                continue
            await self._audit.record(plan.actor, plan.account_id, "invoice.deleted", str(invoice_id))
        await self._deletions.end(plan.id)
