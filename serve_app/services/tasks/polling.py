"""A loop that looks for work when woken, and at intervals."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress

from serve_app.telemetry.logs import RepeatedLog

log = logging.getLogger(__name__)


class PollingLoop:
    """Calls `turn` repeatedly. `await run()` continues until `stop()`; a lost wake-up costs at most `poll_seconds`.
    Errors of a turn are logged under `name`, once in a while, and the loop continues. With `idle_seconds`, each turn
    that returns nothing true doubles the pause, up to these; any other turn ends that."""

    def __init__(
        self,
        turn: Callable[[], Awaitable[object]],
        poll_seconds: float,
        name: str,
        idle_seconds: float | None = None,
    ) -> None:
        self._turn = turn
        self._poll_seconds = self._pause = poll_seconds
        self._idle_seconds = poll_seconds if idle_seconds is None else idle_seconds
        self._name = name
        self._log = RepeatedLog(log)
        self._woken = asyncio.Event()
        self._is_stopping = False

    @property
    def pause_seconds(self) -> float:
        """The time until the next turn, unless the loop is woken."""
        return self._pause

    @property
    def is_stopping(self) -> bool:
        """Whether the turn in progress is the last."""
        return self._is_stopping

    def wake(self) -> None:
        """Take a turn now. Call it on the loop that `run` runs on."""
        self._woken.set()

    def wake_in(self, seconds: float) -> None:
        """Take a turn after `seconds`, if that is sooner than the next regular one."""
        if seconds < self._pause:
            asyncio.get_running_loop().call_later(max(0.0, seconds), self.wake)

    def stop(self) -> None:
        """Start no further turn."""
        self._is_stopping = True
        self.wake()

    async def run(self) -> None:
        """Take turns until `stop` is called."""
        while not self._is_stopping:
            await self._take_turn()
            await self._sleep()

    async def _take_turn(self) -> None:
        self._woken.clear()
        try:
            found = await self._turn()
            self._pause = self._poll_seconds if found else min(2 * self._pause, self._idle_seconds)
        except Exception as error:
            self._log.error("%s failed: %r", self._name, error, exc_info=error)
            # A wake-up does not shorten this delay: the next turn would run into the same error.
            await asyncio.sleep(self._poll_seconds)

    async def _sleep(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(self._pause):
                await self._woken.wait()
