"""The loop that claims due documents and runs them."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import timedelta

from serve_app.domain.record import InvoiceRecord
from serve_app.services.housekeeping import Housekeeping
from serve_app.settings import Settings
from serve_app.store.base import Store

_EVENT_BATCH = 100

log = logging.getLogger(__name__)


class Dispatcher:
    """Never the queue, only its worker: rows wait in the store, and any number of dispatchers claim them.

    `await run()` works until `stop()`; `wake()` says that something is due. A wake-up that gets lost costs at most
    the polling interval.
    """

    def __init__(
        self,
        store: Store,
        process: Callable[[InvoiceRecord], Awaitable[None]],
        settings: Settings,
        housekeeping: Housekeeping | None = None,
    ) -> None:
        self._store = store
        self._process = process
        self._settings = settings
        self._housekeeping = housekeeping
        self._running: set[asyncio.Task[None]] = set()
        self._woken = asyncio.Event()
        self._stopping = False
        self._idle = asyncio.Event()
        self._idle.set()

    @property
    def running(self) -> int:
        """Documents that are being worked on."""
        return len(self._running)

    def wake(self) -> None:
        """Look for due documents now. Call it on the loop that `run` runs on."""
        self._woken.set()

    async def run(self) -> None:
        """Claim and run documents until `stop` is called; trouble with the store is logged and outlived."""
        self._idle.clear()
        chores = asyncio.create_task(self._keep_house())
        try:
            while not self._stopping:
                await self._turn_safely()
                await self._sleep()
            await self._let_finish()
        finally:
            chores.cancel()
            await asyncio.gather(chores, return_exceptions=True)
            await self._hand_back()
            self._idle.set()

    async def stop(self) -> None:
        """Claim nothing more, give running documents time to finish, then hand the others back. Returns when done."""
        self._stopping = True
        self.wake()
        await self._idle.wait()

    async def _keep_house(self) -> None:
        if self._housekeeping is not None:
            await self._housekeeping.forever(self._settings.housekeeping_seconds)

    async def _let_finish(self) -> None:
        if self._running:
            await asyncio.wait(self._running, timeout=self._settings.stop_seconds)
        with suppress(Exception):
            await self._store.outbox.spread_pending(_EVENT_BATCH)

    async def _hand_back(self) -> None:
        running = list(self._running)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    async def _turn_safely(self) -> None:
        self._woken.clear()
        try:
            await self._turn()
        except Exception as error:
            log.error("dispatcher turn failed: %r", error, exc_info=error)
            # Not to be hurried: each task that ends would wake it into the same trouble.
            await asyncio.sleep(self._settings.poll_seconds)

    async def _turn(self) -> None:
        await self._store.queue.mend()
        while await self._store.outbox.spread_pending(_EVENT_BATCH) == _EVENT_BATCH:
            pass
        while not self._stopping and self.running < self._settings.max_running:
            if not await self._claim_one():
                return

    async def _claim_one(self) -> bool:
        claim = await self._store.queue.claim_due_invoice(timedelta(seconds=self._settings.lease_seconds))
        if claim is None:
            return False
        task = asyncio.create_task(self._run_one(claim))
        self._running.add(task)
        task.add_done_callback(self._ended)
        return True

    async def _run_one(self, claim: InvoiceRecord) -> None:
        try:
            await self._process(claim)
        except Exception as error:
            # Its lease runs out, and the document is claimed again.
            log.error("run lost: %r", error, exc_info=error, extra={"invoice_id": str(claim.invoice.id)})

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        # There is room for another document, and an event to carry over.
        self.wake()

    async def _sleep(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(self._settings.poll_seconds):
                await self._woken.wait()
