"""Whether documents that arrive now would be read."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence

from serve_app.domain.errors import Unavailable
from serve_app.store.base import Connection

Probe = Callable[[], Awaitable[None]]
"""Returns when a part of the service is ready, raises when it is not."""

_TIMEOUT_S = 3.0
# Load balancers probe often and concurrently, even while nothing answers and each check is slow.
_GOOD_FOR_S = 1.0


class Readiness:
    """Ready means that the store answers, and at least one replica of each model."""

    def __init__(
        self,
        connection: Connection,
        models: Probe,
        monotonic: Callable[[], float] = time.monotonic,
        sandbox_missing: Sequence[str] = (),
    ) -> None:
        self.sandbox_missing = list(sandbox_missing)
        """The sandbox layers that this machine lacks for the process that reads documents."""
        self._probes = (connection.ping, models)
        self._monotonic = monotonic
        self._turn = asyncio.Lock()
        self._known_until = -1.0
        self._trouble: Exception | None = None

    async def check(self) -> None:
        """Raises Unavailable if the service is not ready. A result is reused for one second."""
        async with self._turn:
            if self._monotonic() >= self._known_until:
                self._trouble = await self._look()
                self._known_until = self._monotonic() + _GOOD_FOR_S
            if self._trouble is not None:
                raise Unavailable from self._trouble

    async def _look(self) -> Exception | None:
        try:
            async with asyncio.timeout(_TIMEOUT_S):
                await asyncio.gather(*(probe() for probe in self._probes))
        except Exception as error:
            return error
        return None
