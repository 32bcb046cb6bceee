"""How far documents are on their way."""

from collections.abc import Collection, Mapping
from uuid import UUID

from serve_app.domain.queue_state import Stage
from serve_app.store.base import Queue


class RunStages:
    """Shows people what happens to what they sent."""

    def __init__(self, queue: Queue) -> None:
        self._queue = queue

    async def of(self, account_id: UUID, ids: Collection[UUID]) -> Mapping[UUID, Stage]:
        """Of those of these invoices that are being processed."""
        return await self._queue.stages(account_id, ids)
