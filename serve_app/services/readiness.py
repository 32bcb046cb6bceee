"""Whether documents that come in now would be read."""

import asyncio
import time
from collections.abc import Awaitable, Callable

from serve_app.domain import errors
from serve_app.store.base import Connection

Probe = Callable[[], Awaitable[None]]
"""Returns when a part of the service is ready, raises when it is not."""

_TIMEOUT_S = 3.0
# Load balancers ask often, and many at once.
_GOOD_FOR_S = 1.0


class Readiness:
    """The store answers, and so does at least one replica of each model."""

    def __init__(self, connection: Connection, models: Probe) -> None:
        self._probes = (connection.ping, models)
        self._turn = asyncio.Lock()
        self._ready_until = 0.0

    async def __call__(self) -> None:
        """ServiceError 503 where it is not ready."""
        async with self._turn:
            if time.monotonic() < self._ready_until:
                return
            try:
                async with asyncio.timeout(_TIMEOUT_S):
                    await asyncio.gather(*(probe() for probe in self._probes))
            except Exception as error:
                raise errors.service_unavailable() from error
            self._ready_until = time.monotonic() + _GOOD_FOR_S
