"""A loop that looks for work: when it is woken, and from time to time."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress

log = logging.getLogger(__name__)


class PollingLoop:
    """Calls `turn` again and again. `await run()` goes on until `stop()`; a wake-up that gets lost costs at most
    `poll_seconds`. Trouble in a turn is logged and outlived."""

    def __init__(self, turn: Callable[[], Awaitable[None]], poll_seconds: float) -> None:
        self._turn = turn
        self._poll_seconds = poll_seconds
        self._woken = asyncio.Event()
        self._is_stopping = False

    @property
    def is_stopping(self) -> bool:
        """Whether the turn that is under way is the last."""
        return self._is_stopping

    def wake(self) -> None:
        """Take a turn now. Call it on the loop that `run` runs on."""
        self._woken.set()

    def wake_in(self, seconds: float) -> None:
        """Take a turn then, where that is sooner than the next one would come by itself."""
        if seconds < self._poll_seconds:
            asyncio.get_running_loop().call_later(max(0.0, seconds), self.wake)

    def stop(self) -> None:
        """No turn begins after this."""
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
            await self._turn()
        except Exception as error:
            log.error("turn failed: %r", error, exc_info=error)
            # Not to be hurried: whatever wakes it would lead into the same trouble.
            await asyncio.sleep(self._poll_seconds)

    async def _sleep(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(self._poll_seconds):
                await self._woken.wait()
