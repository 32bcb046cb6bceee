"""The pairs of models that accounts stay on."""

from typing import Protocol
from uuid import UUID

from serve_app.domain.model_pairs import Pin


class Pins(Protocol):
    """At most one of each account; it goes with the account."""

    async def put(self, pin: Pin) -> bool:
        """Add the pin, or replace the account's; False if there is no such account."""
        ...

    async def of_account(self, account_id: UUID) -> Pin | None: ...

    async def list_all(self) -> list[Pin]:
        """Of all accounts, the oldest first."""
        ...

    async def remove(self, account_id: UUID) -> bool:
        """False if the account had none."""
        ...
