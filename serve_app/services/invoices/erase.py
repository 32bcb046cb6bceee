"""Removes invoices permanently, including their files."""

import logging
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from serve_app.domain.bookkeeping_periods import refuse_deletion
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.erased import Erased
from serve_app.domain.record import InvoiceRecord, first_of
from serve_app.domain.reservation import Reservation
from serve_app.domain.retention import Removal
from serve_app.services.mailroom.erase import MailEraser
from serve_app.services.orders.matching import OrderMatcher
from serve_app.services.upkeep.housekeeping import end_reservation
from serve_app.services.upkeep.receipts import receipted
from serve_app.store.base import Files, Store

log = logging.getLogger(__name__)


class InvoiceEraser:
    """Removes an invoice with its events, deliveries and file, and the bytes of mails that brought it; the file stays
    while other invoices share it."""

    def __init__(self, store: Store, files: Files, clock: Clock = utc_now) -> None:
        self._store = store
        self._files = files
        self._clock = clock
        self._mails = MailEraser(store, files, clock)
        self._orders = OrderMatcher(store, clock)

    async def erase(self, account_id: UUID, invoice_id: UUID) -> Erased:
        """What was removed. Raises LookupError for an id that is unknown or another account's, InvoiceKept. After a
        crash midway, the invoice is either unchanged, or gone and housekeeping deletes its file."""
        record = await self._store.invoices.find_record(account_id, invoice_id)
        if record is None:
            raise LookupError(f"the account has no invoice {invoice_id}")
        await self.refuse_if_kept(record)
        async with receipted(self._store.retention, self._clock, account_id, Removal.INVOICE) as removed:
            removed.erased = await self.remove(record)
        log.info("invoice erased", extra={"account_id": str(account_id), "invoice_id": str(invoice_id)})
        return removed.erased

    async def refuse_if_kept(self, record: InvoiceRecord) -> None:
        """Raises InvoiceKept if the law of the account's country wants the invoice kept."""
        refuse_deletion(record.invoice, await self._country(record.account_id), self._clock().date())

    async def refuse_kept_among(self, account_id: UUID, invoice_ids: Sequence[UUID]) -> None:
        """The same by ids; unknown ones, and those of others, are ignored."""
        if await self._country(account_id) is None:
            return
        for id in invoice_ids:
            record = await self._store.invoices.find_record(account_id, id)
            if record is not None:
                await self.refuse_if_kept(record)

    async def _country(self, account_id: UUID) -> str | None:
        rule = (await self._store.retention.rules([account_id])).get(account_id)
        return None if rule is None else rule.country

    async def remove(self, record: InvoiceRecord, *, emit_event: bool = True) -> Erased:
        """Remove the invoice of this record, whether it must be kept or not, and the mail that it came with. Returns
        what was removed."""
        # First: once the invoice is gone, nothing leads to its mail. A batch came in as its first invoice.
        await self._mails.forget_invoice(record.account_id, first_of(record.file_key))
        return await self.replace(record, emit_event=emit_event)

    async def replace(
        self, record: InvoiceRecord, refund: datetime | None = None, *, emit_event: bool = True
    ) -> Erased:
        """Remove an invoice whose pages are others' now, and give a unit of the month `refund` back."""
        now = self._clock()
        await self._orders.check_again(record.account_id, [record.invoice])
        erased = await self._store.erasure.invoice(record, now, refund, emit_event=emit_event)
        deleted = await end_reservation(_left_by_erasure(record, now), self._store.intake, self._files)
        return erased + Erased(files=int(deleted))


def _left_by_erasure(record: InvoiceRecord, now: datetime) -> Reservation:
    """The reservation that `Erasure.invoice` leaves for the file. If other invoices have the file there is none, and
    ending it is a no-op."""
    return Reservation(record.invoice.id, record.account_id, record.file_key, month=None, run=0, made_at=now)
