"""One invoice."""

from uuid import UUID

from serve_app.domain import errors
from serve_app.domain.invoice import Invoice
from serve_app.store.base import Invoices


class GetInvoice:
    """An invoice of an account."""

    def __init__(self, invoices: Invoices) -> None:
        self._invoices = invoices

    async def __call__(self, account_id: UUID, invoice_id: UUID) -> Invoice:
        """Raises ServiceError 404 if the id is unknown or another account's."""
        invoice = await self._invoices.get(account_id, invoice_id)
        if invoice is None:
            raise errors.invoice_not_found()
        return invoice
