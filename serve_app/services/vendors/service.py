"""An account's vendors."""

from uuid import UUID

from serve_app.domain.vendor import Vendor
from serve_app.store.base import Vendors


class VendorService:
    """Lists vendors."""

    def __init__(self, vendors: Vendors) -> None:
        self._vendors = vendors

    async def list(self, account_id: UUID, limit: int) -> list[Vendor]:
        """Highest spend first."""
        return await self._vendors.by_spend(account_id, limit)
