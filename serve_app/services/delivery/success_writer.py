"""Recording successful deliveries, for all endpoints together."""

import asyncio
from collections.abc import Sequence

from serve_app.domain.webhook import Attempt, Delivery
from serve_app.store.base import Store

_MOMENT_SECONDS = 0.005

Arrived = tuple[Delivery, Attempt]


class SuccessWriter:
    """A write costs about the same for one success as for many, so all within a moment are written together."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._next: list[Arrived] = []
        self._write: asyncio.Task[None] | None = None

    async def add(self, arrived: Sequence[Arrived]) -> None:
        """Returns when these are recorded. Raises ServiceError while the storage is out of reach."""
        self._next += arrived
        if self._write is None:
            self._write = asyncio.create_task(self._write_soon())
        # Shielded: other callers wait for the same write.
        await asyncio.shield(self._write)

    async def _write_soon(self) -> None:
        await asyncio.sleep(_MOMENT_SECONDS)
        some, self._next, self._write = self._next, [], None
        await self._store.deliveries.all_delivered(some)
