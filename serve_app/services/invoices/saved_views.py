"""Lists of invoices that people save."""

from collections.abc import Sequence
from uuid import UUID

from serve_app.domain.errors import InvalidParameter
from serve_app.domain.ids import new_id
from serve_app.domain.plain_text import one_line
from serve_app.domain.saved_view import MAX_NAME, MAX_VIEWS, SavedView
from serve_app.store.base import SavedViews


class SavedViewService:
    """A person's own views in an account; nobody else sees them."""

    def __init__(self, views: SavedViews) -> None:
        self._views = views

    async def list(self, account_id: UUID, person_id: UUID) -> Sequence[SavedView]:
        """The oldest first."""
        return await self._views.of_person(account_id, person_id)

    async def save(self, account_id: UUID, person_id: UUID, name: str, state: str) -> SavedView:
        """Save the list with this state; one of the same name is replaced. Raises InvalidParameter for a name that is
        empty or too long, and if the person has too many views."""
        plain = _checked(name)
        views = await self.list(account_id, person_id)
        same = next((view for view in views if view.name.casefold() == plain.casefold()), None)
        if same is None and len(views) >= MAX_VIEWS:
            raise InvalidParameter(f"You have {MAX_VIEWS} saved views. Delete one first.")
        view = SavedView(same.id if same else new_id(), account_id, person_id, plain, state)
        await self._views.put(view)
        return view

    async def rename(self, account_id: UUID, person_id: UUID, view_id: UUID, name: str) -> None:
        """Raises LookupError if the person has no such view, InvalidParameter for a name that is empty, too long or
        another view's."""
        plain = _checked(name)
        views = await self.list(account_id, person_id)
        if any(view.name.casefold() == plain.casefold() and view.id != view_id for view in views):
            raise InvalidParameter("Another of your views has this name.")
        view = next((view for view in views if view.id == view_id), None)
        if view is None:
            raise LookupError(f"there is no view {view_id}")
        await self._views.put(SavedView(view.id, account_id, person_id, plain, view.state))

    async def remove(self, account_id: UUID, person_id: UUID, view_id: UUID) -> None:
        """Raises LookupError if the person has no such view."""
        if not await self._views.remove(account_id, person_id, view_id):
            raise LookupError(f"there is no view {view_id}")


def _checked(name: str) -> str:
    plain = one_line(name)
    if not plain:
        raise InvalidParameter("Enter a name for the view.")
    if len(plain) > MAX_NAME:
        raise InvalidParameter(f"A name has at most {MAX_NAME} characters.")
    return plain
