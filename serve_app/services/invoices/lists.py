"""Lists of an account's invoices, events and vendors."""

from uuid import UUID

from serve_app.domain.errors import InvalidParameter
from serve_app.domain.event import LoggedEvent
from serve_app.domain.invoice import Invoice
from serve_app.domain.query import EventQuery, InvoiceQuery, Page
from serve_app.domain.vendor import Vendor
from serve_app.store.base import Events, Invoices, Vendors


class ListInvoices:
    """Invoices, newest first."""

    def __init__(self, invoices: Invoices) -> None:
        self._invoices = invoices

    async def __call__(
        self, account_id: UUID, query: InvoiceQuery, limit: int, after: UUID | None = None
    ) -> Page[Invoice]:
        """Raises InvalidParameter if the account has no invoice `after`, and had none lately."""
        if after is not None and not await self._invoices.is_or_was(account_id, after):
            raise InvalidParameter("starting_after: there is no invoice with this id.")
        return await self._invoices.page(account_id, query, limit, after)


class ListEvents:
    """Events, newest first."""

    def __init__(self, events: Events) -> None:
        self._events = events

    async def __call__(
        self, account_id: UUID, query: EventQuery, limit: int, after: str | None = None
    ) -> Page[LoggedEvent]:
        """Raises InvalidParameter if the account has no event `after`, and had none lately."""
        if after is not None and not await self._events.is_or_was(account_id, after):
            raise InvalidParameter("starting_after: there is no event with this id.")
        return await self._events.page(account_id, query, limit, after)


class ListVendors:
    """Vendors, highest spend first."""

    def __init__(self, vendors: Vendors) -> None:
        self._vendors = vendors

    async def __call__(self, account_id: UUID, limit: int) -> list[Vendor]:
        return await self._vendors.by_spend(account_id, limit)
