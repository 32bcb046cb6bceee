"""The event log."""

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol
from uuid import UUID

from serve_app.domain.event import LoggedEvent, Spread
from serve_app.domain.query import EventQuery, ListPage


class Outbox(Protocol):
    """The transactional outbox: what the write that ends a run stores with its invoice, to be copied to the event log
    and the deliveries."""

    async def spread_pending(self, limit: int) -> Spread:
        """Log the events of up to `limit` invoices, create a delivery for every endpoint that wants them, and do the
        other follow-up work of those writes, each exactly once, even if a process crashes midway."""
        ...


class Events(Protocol):
    """Events that `Outbox` has logged."""

    async def get(self, account_id: UUID, event_id: str) -> LoggedEvent | None:
        """None if the id is unknown, belongs to another account or is that of a test event."""
        ...

    async def of_invoice(self, account_id: UUID, invoice_id: UUID, limit: int) -> list[LoggedEvent]:
        """The events about an invoice, newest first."""
        ...

    async def is_or_was(self, account_id: UUID, event_id: str) -> bool:
        """Whether `get` finds the event, or did until its invoice was erased at most ERASED_ID_LIFE ago."""
        ...

    async def failures(self, since: datetime, limit: int) -> Mapping[str, int]:
        """How many of the newest `limit` failures of all accounts since `since` had which code."""
        ...

    async def page(
        self, account_id: UUID, query: EventQuery, limit: int, after: str | None = None
    ) -> ListPage[LoggedEvent]:
        """Matching events, newest first, starting strictly after the id `after` in that order."""
        ...
