"""Checks what a store holds, whether or not the service runs."""

from typing import Protocol
from uuid import UUID

from serve_app.domain.account_records import AccountRecords


class StoreCheck(Protocol):
    """Every method raises Unavailable while the storage is unreachable."""

    async def accounts(self) -> list[UUID]:
        """All accounts, and those that only invoices know of."""
        ...

    async def of_account(self, account_id: UUID) -> AccountRecords:
        """All of one account; its parts may be a moment apart."""
        ...

    async def damage(self) -> list[str]:
        """What is wrong with the database itself, a line for each; empty if it cannot tell."""
        ...

    async def repair(self, account_id: UUID) -> None:
        """Derive the marks of duplicates and the vendors' sums anew from the account's invoices."""
        ...

    async def close(self) -> None: ...
