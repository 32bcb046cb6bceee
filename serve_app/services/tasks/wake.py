"""Tells another process that something is due."""

import asyncio
import logging

from serve_app.services.ports import Notifier

# A call costs both processes some milliseconds of CPU: under load, one stands for all that was due meanwhile.
PAUSE_SECONDS = 0.05

log = logging.getLogger(__name__)


class Wake:
    """Does not wait for the other process: what is due is in the store, and a call that fails is only logged, because
    it costs no more than the polling interval."""

    def __init__(self, notifier: Notifier) -> None:
        self._notifier = notifier
        self._is_wanted = False
        self._calling: asyncio.Task[None] | None = None

    def request(self) -> None:
        """Call the other process now, or once the call in progress and a short pause are over."""
        self._is_wanted = True
        if self._calling is None or self._calling.done():
            self._calling = asyncio.create_task(self._call())

    async def _call(self) -> None:
        while self._is_wanted:
            self._is_wanted = False
            await self._wake_quietly()
            await asyncio.sleep(PAUSE_SECONDS)

    async def _wake_quietly(self) -> None:
        try:
            await self._notifier.wake()
        except Exception as error:
            log.warning("%s: not woken: %r", type(self._notifier).__name__, error)
