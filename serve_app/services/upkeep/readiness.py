"""Whether documents that arrive now are accepted, and whether they would be read at once."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from pathlib import Path

from serve_app.domain.errors import NotReady
from serve_app.store.base import Connection
from serve_app.system.disks import check_room
from serve_app.system.thread_pools import FILES

Probe = Callable[[], Awaitable[object]]
"""Returns when a part of the service is ready, raises when it is not."""

_TIMEOUT_S = 3.0
# Load balancers probe often and concurrently, even while nothing answers and each check is slow.
_GOOD_FOR_S = 1.0


class Readiness:
    """It accepts while the store answers, the disks of `folders` have room and nothing in `further` is wrong: what it
    accepts is read whenever the models are there. It extracts while at least one replica of each model answers, too.
    Each probe of `further` is named by what is wrong if it raises."""

    def __init__(
        self,
        connection: Connection,
        models: Probe,
        monotonic: Callable[[], float] = time.monotonic,
        sandbox_missing: Sequence[str] = (),
        folders: Iterable[Path] = (),
        further: Mapping[str, Probe] | None = None,
    ) -> None:
        self.sandbox_missing = list(sandbox_missing)
        """The sandbox layers that this machine lacks for the process that reads documents."""
        kept = tuple(folders)

        async def has_room() -> None:
            await FILES.run(check_room, kept)

        probes: dict[str, Probe] = {
            "the database does not answer": connection.ping,
            "the disk is full or cannot be written": has_room,
            **(further or {}),
        }
        parts = [_Part(what, probe) for what, probe in probes.items()]
        self._accepting = _Look(parts, monotonic)
        self._extracting = _Look([*parts, _Part("no replica of a model answers", models)], monotonic)

    async def check(self) -> None:
        """Raises NotReady if the service does not accept documents. A result is reused for one second."""
        await self._accepting.check()

    async def check_extracting(self) -> None:
        """Raises NotReady if the service does not read documents now. A result is reused for one second."""
        await self._extracting.check()


class _Part:
    """Something that is needed, and what is wrong without it."""

    def __init__(self, what: str, probe: Probe) -> None:
        self._what = what
        self._probe = probe
        self._running: asyncio.Future[object] | None = None

    async def problem(self) -> NotReady | None:
        """A probe that takes too long goes on, and the next look waits for the same one: a part that does not answer
        is asked once, however often it is looked at."""
        if self._running is None or self._running.done():
            self._running = asyncio.ensure_future(self._probe())
            self._running.add_done_callback(_retrieve)
        try:
            async with asyncio.timeout(_TIMEOUT_S):
                await asyncio.shield(self._running)
        except Exception as error:
            problem = NotReady(self._what)
            problem.__cause__ = error
            return problem
        return None


def _retrieve(ended: asyncio.Future[object]) -> None:
    """Nobody waits any more for a probe that took too long: its error is no news."""
    if not ended.cancelled():
        ended.exception()


class _Look:
    """One question about `parts`, which many may ask at the same time."""

    def __init__(self, parts: Sequence[_Part], monotonic: Callable[[], float]) -> None:
        self._parts = parts
        self._monotonic = monotonic
        self._turn = asyncio.Lock()
        self._known_until = -1.0
        self._error: NotReady | None = None

    async def check(self) -> None:
        """Raises NotReady if a probe fails, or takes too long."""
        async with self._turn:
            if self._monotonic() >= self._known_until:
                self._error = await self._look()
                self._known_until = self._monotonic() + _GOOD_FOR_S
            if self._error is not None:
                raise NotReady(*self._error.args) from self._error.__cause__

    async def _look(self) -> NotReady | None:
        found = await asyncio.gather(*(part.problem() for part in self._parts))
        return next(filter(None, found), None)
