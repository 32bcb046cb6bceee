"""One event."""

from uuid import UUID

from serve_app.domain.errors import EventNotFound
from serve_app.domain.event import LoggedEvent
from serve_app.store.base import Events


class GetEvent:
    """An event of an account."""

    def __init__(self, events: Events) -> None:
        self._events = events

    async def __call__(self, account_id: UUID, event_id: str) -> LoggedEvent:
        """Raises EventNotFound if the id is unknown or another account's."""
        event = await self._events.get(account_id, event_id)
        if event is None:
            raise EventNotFound
        return event
