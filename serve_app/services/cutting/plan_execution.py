"""Carries a plan out, step by step; each step can be repeated, so whoever finds the plan after a crash finishes it."""

import logging
from datetime import datetime, timedelta
from uuid import UUID

from serve_app.domain.clock import Clock, month_start, utc_now
from serve_app.domain.cutting import CutPlan, Piece
from serve_app.domain.invoice import Invoice
from serve_app.domain.record import CUTS, Amendment, InvoiceRecord, cuts_folder_of
from serve_app.services.invoices.erase import InvoiceEraser
from serve_app.store.base import Files, Store

log = logging.getLogger(__name__)


def plan_key_of(plan: CutPlan) -> str:
    """Where a plan is kept until it is carried out."""
    return f"{cuts_folder_of(plan.old_file_key)}/{plan.id}"


class PlanExecution:
    """First the new invoices are added, then those that stay get their new places, and only then those that are no
    more are removed: at every moment, each page that was an invoice's is one's."""

    def __init__(self, store: Store, files: Files, clock: Clock = utc_now) -> None:
        self._store = store
        self._files = files
        self._eraser = InvoiceEraser(store, files, clock)
        self._clock = clock

    async def run(self, plan: CutPlan) -> None:
        """Do what is left of the plan, then forget it. Raises Unavailable; then the plan stays."""
        for piece in plan.pieces:
            if piece.is_new:
                await self._add(plan, piece)
            else:
                amendment = Amendment(batch=plan.placed(piece))
                await self._store.invoices.amend(plan.account_id, piece.invoice_id, amendment, self._clock())
        for invoice_id, refund in plan.removed.items():
            await self._remove(plan.account_id, invoice_id, refund)
        await self._files.delete(plan_key_of(plan))
        log.info("file cut", extra={"account_id": str(plan.account_id), "invoices": len(plan.pieces)})

    async def _add(self, plan: CutPlan, piece: Piece) -> None:
        if await self._store.invoices.is_or_was(plan.account_id, piece.invoice_id):
            return
        template = await self._template(plan)
        if template is None:
            # Somebody has deleted all of the file's invoices meanwhile.
            return
        record = record_for(plan, piece, template)
        # Beyond the limit if need be: whether the quota allows the plan was checked before it was made.
        await self._store.intake.reserve(record, month_start(record.invoice.created_at), None)
        await self._store.intake.add(record)

    async def _template(self, plan: CutPlan) -> Invoice | None:
        """An invoice of the same file."""
        kept = [piece.invoice_id for piece in plan.pieces if not piece.is_new]
        for invoice_id in (*plan.removed, *kept):
            invoice = await self._store.invoices.get(plan.account_id, invoice_id)
            if invoice is not None:
                return invoice
        return None

    async def _remove(self, account_id: UUID, invoice_id: UUID, refund: datetime | None) -> None:
        record = await self._store.invoices.find_record(account_id, invoice_id)
        if record is not None:
            await self._eraser.replace(record, refund)


def record_for(plan: CutPlan, piece: Piece, template: Invoice) -> InvoiceRecord:
    """The record of a new invoice of the plan: of the same origin as the file's others, and due at once."""
    invoice = Invoice(
        id=piece.invoice_id,
        source=template.source,
        created_at=plan.made_at,
        updated_at=plan.made_at,
        file=template.file,
        entity_tag=template.entity_tag,
        metadata=template.metadata,
        pages=piece.last_page - piece.first_page + 1,
        batch=plan.placed(piece),
    )
    return InvoiceRecord(invoice, plan.account_id, plan.file_key, next_run_at=plan.made_at)


class UnfinishedCuts:
    """Finds plans that crashes left behind; for housekeeping."""

    def __init__(self, store: Store, files: Files, takeover_after: timedelta, clock: Clock = utc_now) -> None:
        self._store = store
        self._files = files
        self._execution = PlanExecution(store, files, clock)
        self._takeover_after = takeover_after
        self._clock = clock

    async def finish(self) -> None:
        """Carry out the plans that are older than a request takes."""
        for key in await self._files.keys_in(CUTS):
            plan = CutPlan.model_validate_json(await self._files.read(key))
            if plan.made_at > self._clock() - self._takeover_after:
                continue
            if await self._is_possible(plan):
                await self._execution.run(plan)
                log.warning("interrupted cut finished", extra={"file": key})
            else:
                await self._files.delete(key)
                log.warning("interrupted cut dropped", extra={"file": key})

    async def _is_possible(self, plan: CutPlan) -> bool:
        """A new file without an invoice is removed after a while, like one of any interrupted upload."""
        if plan.file_key == plan.old_file_key or await self._store.intake.has_invoice(plan.file_key):
            return True
        return plan.file_key in await self._files.keys_in(plan.file_key.partition("/")[0])
