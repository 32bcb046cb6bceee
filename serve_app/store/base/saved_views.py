"""Lists of invoices that people want to come back to."""

from typing import Protocol
from uuid import UUID

from serve_app.domain.saved_view import SavedView


class SavedViews(Protocol):
    """A person's own views in an account. They go when the person leaves it."""

    async def put(self, view: SavedView) -> None:
        """Add the view, or replace the one with its id, if that is the same person's in the same account."""
        ...

    async def remove(self, account_id: UUID, person_id: UUID, view_id: UUID) -> bool:
        """False if the person has no such view."""
        ...

    async def of_person(self, account_id: UUID, person_id: UUID) -> list[SavedView]:
        """The oldest first."""
        ...
