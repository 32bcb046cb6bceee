"""Changes that an account makes to its invoices."""

from uuid import UUID

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.errors import InvoiceNotFound
from serve_app.domain.invoice import Invoice
from serve_app.domain.record import Amendment
from serve_app.store.base import Invoices


class AmendInvoice:
    """Implements `PATCH /v1/invoices/{id}`."""

    def __init__(self, invoices: Invoices, clock: Clock = utc_now) -> None:
        self._invoices = invoices
        self._clock = clock

    async def __call__(self, account_id: UUID, invoice_id: UUID, amendment: Amendment) -> Invoice:
        """The changed invoice. Raises InvoiceNotFound, or NotComplete for `paid`; then nothing has
        changed."""
        invoice = await self._invoices.amend(account_id, invoice_id, amendment, self._clock())
        if invoice is None:
            raise InvoiceNotFound
        return invoice
