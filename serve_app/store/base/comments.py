"""What people say to each other about invoices."""

from typing import Protocol
from uuid import UUID

from serve_app.domain.comment import Comment


class Comments(Protocol):
    """Comments of an account's invoices; those of an invoice go with it."""

    async def add(self, comment: Comment) -> bool:
        """False if the account has no such invoice."""
        ...

    async def of_invoice(self, account_id: UUID, invoice_id: UUID, limit: int) -> list[Comment]:
        """The newest ones, oldest first."""
        ...

    async def mentioning(self, account_id: UUID, person_id: UUID, limit: int) -> list[Comment]:
        """Those that name the person, newest first."""
        ...
