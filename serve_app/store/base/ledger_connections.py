"""Connections to the APIs of other programs."""

from typing import Protocol
from uuid import UUID

from serve_app.domain.ledger_connection import Ledger, LedgerConnection


class LedgerConnections(Protocol):
    """At most one of an account and a program. Deleting an account deletes its connections."""

    async def set(self, connection: LedgerConnection) -> bool:
        """Add it, or replace the one that is there. False if the account does not exist."""
        ...

    async def get(self, account_id: UUID, ledger: Ledger) -> LedgerConnection | None: ...

    async def remove(self, account_id: UUID, ledger: Ledger) -> bool:
        """False if there is none."""
        ...

    async def replace_secret(self, known: LedgerConnection, sealed: str) -> bool:
        """False if the connection was changed since it was read."""
        ...

    async def list_all(self) -> list[LedgerConnection]:
        """Of all accounts: there are few."""
        ...
