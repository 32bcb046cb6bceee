"""Whether documents that arrive now are accepted, and whether they would be read at once."""

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
    """It accepts while the store answers: what it accepts is read whenever the models are there. It extracts while at
    least one replica of each model answers, too."""

    def __init__(
        self,
        connection: Connection,
        models: Probe,
        monotonic: Callable[[], float] = time.monotonic,
        sandbox_missing: Sequence[str] = (),
    ) -> None:
        self.sandbox_missing = list(sandbox_missing)
        """The sandbox layers that this machine lacks for the process that reads documents."""
        self._accepting = _Look([connection.ping], monotonic)
        self._extracting = _Look([connection.ping, models], monotonic)

    async def check(self) -> None:
        """Raises Unavailable if the service does not accept documents. A result is reused for one second."""
        await self._accepting.check()

    async def check_extracting(self) -> None:
        """Raises Unavailable if the service does not read documents now. A result is reused for one second."""
        await self._extracting.check()


class _Look:
    """One question, which many may ask at the same time."""

    def __init__(self, probes: Sequence[Probe], monotonic: Callable[[], float]) -> None:
        self._probes = probes
        self._monotonic = monotonic
        self._turn = asyncio.Lock()
        self._known_until = -1.0
        self._error: Exception | None = None

    async def check(self) -> None:
        """Raises Unavailable if a probe fails, or takes too long."""
        async with self._turn:
            if self._monotonic() >= self._known_until:
                self._error = await self._look()
                self._known_until = self._monotonic() + _GOOD_FOR_S
            if self._error is not None:
                raise Unavailable from self._error

    async def _look(self) -> Exception | None:
        try:
            async with asyncio.timeout(_TIMEOUT_S):
                await asyncio.gather(*(probe() for probe in self._probes))
        except Exception as error:
            return error
        return None
