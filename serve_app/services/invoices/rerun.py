"""Reading a stored document again."""

import logging
from uuid import UUID

from serve_app.domain.account import Account
from serve_app.domain.clock import Clock, month_start, utc_now
from serve_app.domain.errors import AlreadyComplete, InvoiceContended, InvoiceNotFound
from serve_app.domain.invoice import Invoice, Status
from serve_app.services.wake import Wake
from serve_app.store.base import Intake, Invoices

# How often other processes may change the invoice between reading it and queueing it.
_TRIES = 5

log = logging.getLogger(__name__)


class RerunExtraction:
    """Implements `POST /v1/invoices/{id}/extract`; takes a unit of the quota."""

    def __init__(self, invoices: Invoices, intake: Intake, wake: Wake, clock: Clock = utc_now) -> None:
        self._invoices = invoices
        self._intake = intake
        self._wake = wake
        self._clock = clock

    async def __call__(self, account: Account, invoice_id: UUID, *, force: bool) -> Invoice:
        """The queued invoice; one that is already queued or running is returned as it is and costs nothing.

        Raises InvoiceNotFound, AlreadyComplete for a complete invoice without `force`, QuotaReached, InvoiceContended
        if the invoice keeps changing.
        """
        for _ in range(_TRIES):
            invoice = await self._invoices.get(account.id, invoice_id)
            if invoice is None:
                raise InvoiceNotFound
            if not invoice.is_finished:
                return invoice
            if invoice.status is Status.COMPLETE and not force:
                raise AlreadyComplete
            queued = await self._queue(account, invoice)
            if queued is not None:
                return queued
        raise InvoiceContended

    async def _queue(self, account: Account, invoice: Invoice) -> Invoice | None:
        month = month_start(self._clock())
        queued = await self._intake.rerun(invoice, account.id, month, account.plan.monthly_limit)
        if queued is not None:
            self._wake()
            log.info("invoice queued again", extra={"invoice_id": str(invoice.id), "account_id": str(account.id)})
        return queued
