"""Tells another process that something is due."""

import asyncio
import logging

from serve_app.services.ports import Waker

log = logging.getLogger(__name__)


class Wake:
    """Does not wait for the other process: what is due is in the store, and a call that fails is only logged, because
    it costs no more than the polling interval."""

    def __init__(self, waker: Waker) -> None:
        self._waker = waker
        self._calls: set[asyncio.Task[None]] = set()

    def __call__(self) -> None:
        task = asyncio.create_task(self._wake_quietly())
        self._calls.add(task)
        task.add_done_callback(self._calls.discard)

    async def _wake_quietly(self) -> None:
        try:
            await self._waker.wake()
        except Exception as error:
            log.warning("%s: not woken: %r", type(self._waker).__name__, error)
