"""An account's vendors."""

from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

from serve_app.domain.query import ListPage
from serve_app.domain.vendor import MonthSpend, Vendor
from serve_app.store.base import Vendors


class VendorService:
    """Lists vendors."""

    def __init__(self, vendors: Vendors) -> None:
        self._vendors = vendors

    async def list(self, account_id: UUID, limit: int) -> list[Vendor]:
        """Highest spend first."""
        return await self._vendors.by_spend(account_id, limit)

    async def page(self, account_id: UUID, limit: int, after: UUID | None = None, part: str = "") -> ListPage[Vendor]:
        """The same list, starting strictly after the vendor `after`; of those alone whose name has this part, in any
        case, with or without accents."""
        return await self._vendors.page(account_id, limit, after, part)

    async def get(self, account_id: UUID, vendor_id: UUID) -> Vendor:
        """Raises LookupError if the vendor is unknown or another account's, or has no invoice any more."""
        vendor = await self._vendors.get(account_id, vendor_id)
        if vendor is None:
            raise LookupError(f"the account has no vendor {vendor_id}")
        return vendor

    async def spend(self, account_id: UUID, vendor_ids: Collection[UUID]) -> Mapping[UUID, Sequence[MonthSpend]]:
        """What the vendors bill by month and currency, without duplicates; oldest month first."""
        return await self._vendors.spend(account_id, vendor_ids)
