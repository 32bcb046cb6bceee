"""An account's invoices."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

from serve_app.domain.account import Account
from serve_app.domain.clock import Clock, month_start, utc_now
from serve_app.domain.errors import (
    AlreadyComplete,
    DocumentGone,
    InvalidParameter,
    InvoiceContended,
    InvoiceExported,
    InvoiceNotFound,
)
from serve_app.domain.invoice import Invoice, Status
from serve_app.domain.query import InvoiceQuery, ListPage, Order, Position, SortKey, Total
from serve_app.domain.record import Amendment, InvoiceRecord
from serve_app.services.accounts.monthly_limits import MonthlyLimits
from serve_app.services.invoices.erase import InvoiceEraser
from serve_app.services.tasks.background import Background
from serve_app.services.tasks.wake import Wake
from serve_app.store.base import Intake, Invoices
from serve_app.telemetry.tracer import traceparent

# How often other processes may change the invoice between reading it and queueing it.
_TRIES = 5
SETTLING = timedelta(seconds=10)
"""How long after its moment a change may become visible, longer than any write takes."""

log = logging.getLogger(__name__)


class InvoiceService:
    """Looks invoices up, changes them, has their documents read again, and deletes them.

    Every method raises InvoiceNotFound for an invoice that is unknown or another account's.
    """

    def __init__(
        self,
        invoices: Invoices,
        intake: Intake,
        limits: MonthlyLimits,
        eraser: InvoiceEraser,
        wake: Wake,
        clock: Clock = utc_now,
    ) -> None:
        self._invoices = invoices
        self._intake = intake
        self._limits = limits
        self._eraser = eraser
        self._wake = wake
        self._clock = clock
        self._background = Background()

    async def get(self, account_id: UUID, invoice_id: UUID) -> Invoice:
        """One invoice."""
        invoice = await self._invoices.get(account_id, invoice_id)
        if invoice is None:
            raise InvoiceNotFound
        return invoice

    async def with_document(self, account_id: UUID, invoice_id: UUID) -> Invoice:
        """The same of an invoice whose document is there. Raises DocumentGone."""
        record = await self._record(account_id, invoice_id)
        if record.document_gone_at is not None:
            raise DocumentGone
        return record.invoice

    async def list(
        self, account_id: UUID, query: InvoiceQuery, limit: int, after: UUID | None = None
    ) -> ListPage[Invoice]:
        """Newest first. Raises InvalidParameter if the account has no invoice `after`, and had none lately."""
        if after is not None and not await self._invoices.is_or_was(account_id, after):
            raise InvalidParameter("starting_after: there is no invoice with this id.", "starting_after")
        return await self._invoices.page(account_id, query, limit, after)

    async def sorted_list(
        self, account_id: UUID, query: InvoiceQuery, order: Order, limit: int, after: Position | None = None
    ) -> ListPage[Invoice]:
        """In another order than the newest first."""
        return await self._invoices.sorted_page(account_id, query, order, limit, after)

    async def changes(
        self, account_id: UUID, query: InvoiceQuery, limit: int, after: Position | None = None
    ) -> ListPage[Invoice]:
        """By `updated_at` and id, the oldest change first, starting strictly after a position. Changes of the last
        SETTLING are left out: a write that is still in flight may be of an earlier moment than one that is done."""
        settled = replace(query, updated_before=self._clock() - SETTLING)
        return await self._invoices.sorted_page(account_id, settled, Order(SortKey.UPDATED), limit, after)

    async def models(self, account_id: UUID) -> Sequence[str]:
        """The pairs of models that have read invoices of the account, as `InvoiceQuery.models` names them."""
        return await self._invoices.models(account_id)

    async def totals(self, account_id: UUID, query: InvoiceQuery, at_most: int) -> Sequence[Total]:
        """Matching invoices by currency, of which the newest `at_most` are counted."""
        return await self._invoices.totals(account_id, query, at_most)

    async def amend(
        self, account_id: UUID, invoice_id: UUID, amendment: Amendment, change_id: UUID | None = None
    ) -> Invoice:
        """The changed invoice. Raises NotComplete for `paid`; then nothing has changed."""
        invoice = await self._invoices.amend(account_id, invoice_id, amendment, self._clock(), change_id)
        if invoice is None:
            raise InvoiceNotFound
        return invoice

    async def read_again(
        self, account: Account, invoice_id: UUID, *, force: bool, change_id: UUID | None = None
    ) -> Invoice:
        """The queued invoice, for a unit of the quota; one that is already queued or running is returned as it is and
        costs nothing.

        Raises DocumentGone, AlreadyComplete for a complete invoice without `force`, InvoiceExported,
        MonthlyLimitReached,
        InvoiceContended if the invoice keeps changing.
        """
        for _ in range(_TRIES):
            record = await self._record(account.id, invoice_id)
            invoice = record.invoice
            if not invoice.is_finished:
                return invoice
            if record.document_gone_at is not None:
                raise DocumentGone
            if invoice.status is Status.COMPLETE and not force:
                raise AlreadyComplete
            if invoice.export_id is not None:
                raise InvoiceExported
            queued = await self._queue(account, invoice, change_id)
            if queued is not None:
                return queued
        raise InvoiceContended

    async def _record(self, account_id: UUID, invoice_id: UUID) -> InvoiceRecord:
        record = await self._invoices.find_record(account_id, invoice_id)
        if record is None:
            raise InvoiceNotFound
        return record

    async def _queue(self, account: Account, invoice: Invoice, change_id: UUID | None) -> Invoice | None:
        month, limit = month_start(self._clock()), await self._limits.documents(account)
        queued = await self._intake.rerun(invoice, account.id, month, limit, traceparent(), change_id)
        if queued is not None:
            self._wake.request()
            log.info("invoice queued again", extra={"invoice_id": str(invoice.id), "account_id": str(account.id)})
        return queued

    async def delete(self, account_id: UUID, invoice_id: UUID) -> None:
        """Returns once the invoice is permanently gone; its file may follow a little later. Raises InvoiceKept."""
        # A caller that disconnects must not leave the deletion half done.
        await self._background.finish(self._delete(account_id, invoice_id))

    async def _delete(self, account_id: UUID, invoice_id: UUID) -> None:
        record = await self._record(account_id, invoice_id)
        await self._eraser.refuse_if_kept(record)
        about = {"account_id": str(account_id), "invoice_id": str(invoice_id)}
        try:
            await self._eraser.remove(record)
        except Exception as error:
            if await self._invoices.find_record(account_id, invoice_id) is not None:
                raise
            # Only its file is left, which housekeeping knows about.
            log.warning("file left for housekeeping: %r", error, extra=about)
        log.info("invoice deleted", extra=about)
