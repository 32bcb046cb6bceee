"""Writing down what was delivered: from all endpoints together."""

import asyncio
from collections.abc import Sequence

from serve_app.domain.webhook import Attempt, Delivery
from serve_app.store.base import Store

_MOMENT_SECONDS = 0.005

Arrived = tuple[Delivery, Attempt]


class SuccessWriter:
    """A write costs much the same for one or for many, so all that comes within a moment is written at once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._next: list[Arrived] = []
        self._write: asyncio.Task[None] | None = None

    async def add(self, arrived: Sequence[Arrived]) -> None:
        """Returns when these are written down. ServiceError while the storage is out of reach."""
        self._next += arrived
        if self._write is None:
            self._write = asyncio.create_task(self._write_soon())
        # Others wait for it, too.
        await asyncio.shield(self._write)

    async def _write_soon(self) -> None:
        await asyncio.sleep(_MOMENT_SECONDS)
        some, self._next, self._write = self._next, [], None
        await self._store.deliveries.all_delivered(some)
