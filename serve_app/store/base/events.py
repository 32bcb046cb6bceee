"""The event log."""

from typing import Protocol
from uuid import UUID

from serve_app.domain.event import LoggedEvent
from serve_app.domain.query import EventQuery, Page


class Outbox(Protocol):
    """What a finishing write leaves with its invoice, on its way to the log and to the deliveries."""

    async def spread_pending(self, limit: int) -> int:
        """Log the events of up to `limit` invoices, make a delivery for every endpoint that wants them, and do what
        else the writes left to do, each exactly once, whoever dies on the way. Returns how many invoices it was."""
        ...


class Events(Protocol):
    """Events as they were spread."""

    async def get(self, account_id: UUID, event_id: str) -> LoggedEvent | None:
        """None where the id is unknown, another account's, or that of a test event."""
        ...

    async def page(
        self, account_id: UUID, query: EventQuery, limit: int, after: str | None = None
    ) -> Page[LoggedEvent]:
        """The newest events that match, those strictly after the id `after` in this order."""
        ...
