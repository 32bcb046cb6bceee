"""An account's events."""

from collections.abc import Sequence
from uuid import UUID

from serve_app.domain.errors import EventNotFound, InvalidParameter
from serve_app.domain.event import LoggedEvent
from serve_app.domain.query import EventQuery, ListPage
from serve_app.store.base import Events


class EventService:
    """Looks events up."""

    def __init__(self, events: Events) -> None:
        self._events = events

    async def get(self, account_id: UUID, event_id: str) -> LoggedEvent:
        """Raises EventNotFound if the id is unknown or another account's."""
        event = await self._events.get(account_id, event_id)
        if event is None:
            raise EventNotFound
        return event

    async def of_invoice(self, account_id: UUID, invoice_id: UUID, limit: int) -> Sequence[LoggedEvent]:
        """The events about an invoice, newest first; none for an invoice that is unknown or another account's."""
        return await self._events.of_invoice(account_id, invoice_id, limit)

    async def list(
        self, account_id: UUID, query: EventQuery, limit: int, after: str | None = None
    ) -> ListPage[LoggedEvent]:
        """Newest first. Raises InvalidParameter if the account has no event `after`, and had none lately."""
        if after is not None and not await self._events.is_or_was(account_id, after):
            raise InvalidParameter("starting_after: there is no event with this id.", "starting_after")
        return await self._events.page(account_id, query, limit, after)
