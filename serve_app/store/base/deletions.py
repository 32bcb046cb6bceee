"""Deletions that can still be undone."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

from serve_app.domain.deletion import PlannedDeletion


class Deletions(Protocol):
    """A plan is either undone or begun, never both."""

    async def add(self, plan: PlannedDeletion) -> None: ...

    async def open(self, account_id: UUID) -> Sequence[PlannedDeletion]:
        """The account's plans that are not carried out yet, newest first."""
        ...

    async def undo(self, account_id: UUID, plan_id: UUID) -> bool:
        """Remove the plan. False, and nothing changes, if it has begun or there is none."""
        ...

    async def begin(self, plan_id: UUID) -> bool:
        """From now on it cannot be undone; can be repeated. False if there is no such plan."""
        ...

    async def end(self, plan_id: UUID) -> None:
        """Everything in it is deleted: remove the plan."""
        ...

    async def due(self, before: datetime, limit: int) -> Sequence[PlannedDeletion]:
        """Plans of any account that were due before then, begun or not; the longest due first."""
        ...
