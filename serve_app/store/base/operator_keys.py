"""The keys of operators."""

from datetime import datetime
from typing import Protocol
from uuid import UUID

from serve_app.domain.operator_key import OperatorKey


class OperatorKeys(Protocol):
    """Few, and known by their hash only."""

    async def add(self, key: OperatorKey) -> None: ...

    async def find(self, key_hash: str) -> OperatorKey | None:
        """The key with this hash; None if it is unknown or revoked."""
        ...

    async def list_all(self) -> list[OperatorKey]:
        """All, including revoked ones, newest first."""
        ...

    async def revoke(self, key_id: UUID, now: datetime) -> bool:
        """True if the key was valid until now."""
        ...
