"""Holds calls until an invoice is finished."""

import asyncio
import logging
from contextlib import suppress
from uuid import UUID

from serve_app.store.base import Queue
from serve_app.telemetry.meter import set_to, timed
from serve_app.telemetry.series import HELD_CALLS, HELD_SECONDS

log = logging.getLogger(__name__)


class WaitForInvoice:
    """One watcher looks into the store for all held calls of the process, and only while there are any: when a run has
    ended (`wake`), and at intervals, because a wake-up may be lost (ADR 0030)."""

    def __init__(self, queue: Queue, max_held: int, poll_seconds: float) -> None:
        self._queue = queue
        self._max_held = max_held
        self._poll_seconds = poll_seconds
        self._held: dict[asyncio.Future[None], UUID] = {}
        self._watcher: asyncio.Task[None] | None = None
        self._woken = asyncio.Event()

    async def until_finished(self, invoice_id: UUID, seconds: float) -> bool:
        """True once the invoice is complete or failed; False after `seconds`, or at once if too many calls are
        held."""
        if len(self._held) >= self._max_held:
            return False
        finished = asyncio.get_running_loop().create_future()
        self._held[finished] = invoice_id
        set_to(HELD_CALLS, len(self._held))
        self._start_watcher()
        try:
            with timed(HELD_SECONDS):
                async with asyncio.timeout(seconds):
                    await finished
        except TimeoutError:
            return False
        finally:
            self._held.pop(finished, None)
            set_to(HELD_CALLS, len(self._held))
        return True

    def wake(self) -> None:
        """A run has ended, perhaps one that a call waits for: look now. Call it on the loop of the held calls."""
        self._woken.set()

    def _start_watcher(self) -> None:
        if self._watcher is None or self._watcher.done():
            self._watcher = asyncio.create_task(self._watch())

    async def _watch(self) -> None:
        while self._held:
            await self._pause()
            try:
                finished = await self._queue.finished_among(set(self._held.values()))
            except Exception as error:
                # The store may be back at the next poll, and calls time out on their own.
                log.warning("cannot look for finished invoices: %r", error)
                continue
            for future, invoice_id in self._held.items():
                if invoice_id in finished and not future.done():
                    future.set_result(None)

    async def _pause(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(self._poll_seconds):
                await self._woken.wait()
        self._woken.clear()
