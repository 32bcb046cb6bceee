"""Deletion of an invoice by its account."""

import logging
from uuid import UUID

from serve_app.domain.errors import InvoiceNotFound
from serve_app.services.background import Background
from serve_app.services.invoices.erase import EraseInvoice
from serve_app.store.base import Invoices

log = logging.getLogger(__name__)


class DeleteInvoice:
    """Implements `DELETE /v1/invoices/{id}`."""

    def __init__(self, invoices: Invoices, erase: EraseInvoice) -> None:
        self._invoices = invoices
        self._erase = erase
        self._background = Background()

    async def __call__(self, account_id: UUID, invoice_id: UUID) -> None:
        """Returns once the invoice is gone for good; its file may follow a little later. Raises InvoiceNotFound."""
        # A caller that disconnects must not leave half of it.
        await self._background.finish(self._delete(account_id, invoice_id))

    async def _delete(self, account_id: UUID, invoice_id: UUID) -> None:
        record = await self._invoices.find_record(account_id, invoice_id)
        if record is None:
            raise InvoiceNotFound
        about = {"account_id": str(account_id), "invoice_id": str(invoice_id)}
        try:
            await self._erase.remove(record)
        except Exception as error:
            if await self._invoices.find_record(account_id, invoice_id) is not None:
                raise
            # Only its file is left, of which housekeeping has a note.
            log.warning("file left for housekeeping: %r", error, extra=about)
        log.info("invoice deleted", extra=about)
