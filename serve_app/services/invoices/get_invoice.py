"""One invoice."""

from uuid import UUID

from serve_app.domain.errors import InvoiceNotFound
from serve_app.domain.invoice import Invoice
from serve_app.store.base import Invoices


class GetInvoice:
    """An invoice of an account."""

    def __init__(self, invoices: Invoices) -> None:
        self._invoices = invoices

    async def __call__(self, account_id: UUID, invoice_id: UUID) -> Invoice:
        """Raises InvoiceNotFound if the id is unknown or another account's."""
        invoice = await self._invoices.get(account_id, invoice_id)
        if invoice is None:
            raise InvoiceNotFound
        return invoice
