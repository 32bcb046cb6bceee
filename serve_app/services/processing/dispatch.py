"""The loop that claims due documents and runs them."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import timedelta

from serve_app.domain.livemode import is_live
from serve_app.domain.record import InvoiceRecord
from serve_app.services.candidates.canary_controller import CanaryController
from serve_app.services.capacity.backlog_monitor import LOOK_SECONDS, BacklogMonitor
from serve_app.services.capacity.demand import Demand
from serve_app.services.processing.long_runs import LongRuns
from serve_app.services.tasks.polling import PollingLoop
from serve_app.services.tasks.rounds import forever
from serve_app.services.upkeep.housekeeping import Housekeeping
from serve_app.settings import Settings
from serve_app.store.base import Store

_EVENT_BATCH = 100
_MOMENT_SECONDS = 0.02
_IDLE_REPAIRS = 8
"""Turns of the others for one look for repairs while nothing is in progress here: only crashes leave any to do."""
_LAST_STEP_SECONDS = 5.0
"""How long stopping waits for steps in progress."""

log = logging.getLogger(__name__)


class Dispatcher:
    """A worker, not the queue: rows wait in the store, and any number of dispatchers claim them.

    It does three things concurrently, so that one that fails or hangs does not stop the others: it claims what is due,
    fans out events, and cleans up after crashes.

    `await run()` works until `stop()`; `wake()` signals that something is due. A lost wake-up costs at most the
    polling interval. `on_deliveries` is called when there are new deliveries, `on_ended` when runs have ended and their
    events are in the log. `long_runs` do not count towards the limit. `monitor` is told of ended runs; `canaries`
    watches the pairs of models beside the first one, if there are any.
    """

    def __init__(
        self,
        store: Store,
        process: Callable[[InvoiceRecord], Awaitable[None]],
        settings: Settings,
        housekeeping: Housekeeping | None = None,
        on_deliveries: Callable[[], None] = lambda: None,
        on_ended: Callable[[], None] = lambda: None,
        long_runs: LongRuns | None = None,
        monitor: BacklogMonitor | None = None,
        canaries: CanaryController | None = None,
    ) -> None:
        self._store = store
        self._process = process
        self._settings = settings
        self._housekeeping = housekeeping
        self._on_deliveries = on_deliveries
        self._on_ended = on_ended
        self._long_runs = long_runs or LongRuns(0)
        self._monitor = monitor
        self._has_ended = False
        self._running: set[asyncio.Task[None]] = set()
        self._claiming = PollingLoop(self._claim, settings.poll_seconds, "claiming documents")
        self._spreading = PollingLoop(self._spread, settings.poll_seconds, "spreading events")
        self._repairing = PollingLoop(
            self._repair, settings.poll_seconds, "repairing the queue", _IDLE_REPAIRS * settings.poll_seconds
        )
        self._loops = [self._claiming, self._spreading, self._repairing]
        if monitor is not None:
            self._loops.append(PollingLoop(monitor.look, LOOK_SECONDS, "looking at the backlog"))
        self._canaries = canaries
        if canaries is not None:
            self._loops += canaries.loops
        self._stopping = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()

    @property
    def running(self) -> int:
        """Documents that are being worked on."""
        return len(self._running)

    @property
    def demand(self) -> Demand:
        """What the backlog needs, as this dispatcher sees it."""
        return Demand() if self._monitor is None else self._monitor.demand

    def wake(self) -> None:
        """Look for due documents and events now. Call it on the loop that `run` runs on."""
        self._claiming.wake()
        self._spreading.wake()

    async def run(self) -> None:
        """Claim and run documents until `stop` is called. Store errors are logged, and the loop continues."""
        self._idle.clear()
        maintenance = asyncio.create_task(self._keep_house())
        steps = [asyncio.create_task(loop.run()) for loop in self._loops]
        try:
            await self._stopping.wait()
            await asyncio.wait(steps, timeout=_LAST_STEP_SECONDS)
            await self._let_finish()
        finally:
            await _cancelled([maintenance, *steps])
            await self._hand_back()
            if self._canaries is not None:
                await self._canaries.watch.finish()
            self._idle.set()

    async def stop(self) -> None:
        """Claim nothing more, give running documents time to finish, then hand the others back. Returns when done."""
        for loop in self._loops:
            loop.stop()
        self._stopping.set()
        await self._idle.wait()

    async def _keep_house(self) -> None:
        if self._housekeeping is not None:
            await forever(self._housekeeping.run_round, self._settings.housekeeping_seconds)

    async def _let_finish(self) -> None:
        if self._running:
            await asyncio.wait(self._running, timeout=self._settings.stop_seconds)
        with suppress(Exception):
            async with asyncio.timeout(_LAST_STEP_SECONDS):
                await self._store.outbox.spread_pending(_EVENT_BATCH)

    async def _hand_back(self) -> None:
        await _cancelled(list(self._running))

    async def _claim(self) -> None:
        while not self._claiming.is_stopping and (room := self._room) > 0:
            if not await self._claim_some(room):
                return

    async def _repair(self) -> bool:
        """Whether to look again soon: always while documents are in progress."""
        is_repaired = bool(await self._store.queue.repair())
        if is_repaired:
            self._claiming.wake()
        return is_repaired or bool(self._running)

    async def _spread(self) -> None:
        if self._running:
            # More are about to end: what they leave is cheaper together.
            await asyncio.sleep(_MOMENT_SECONDS)
        has_ended, self._has_ended = self._has_ended, False
        is_full = True
        while is_full:
            spread = await self._store.outbox.spread_pending(_EVENT_BATCH)
            is_full = spread.invoices == _EVENT_BATCH
            if spread.deliveries:
                self._on_deliveries()
        if has_ended:
            self._on_ended()

    @property
    def _room(self) -> int:
        return self._settings.max_running - (self.running - self._long_runs.count)

    async def _claim_some(self, most: int) -> bool:
        lease = timedelta(seconds=self._settings.lease_seconds)
        claims = await self._store.queue.claim_due_invoices(lease, most)
        for claim in claims:
            task = asyncio.create_task(self._run_one(claim))
            self._running.add(task)
            task.add_done_callback(self._ended)
        return bool(claims)

    async def _run_one(self, claim: InvoiceRecord) -> None:
        try:
            await self._process(claim)
            # Documents of test mode are done at once, and say nothing of the service's speed.
            if self._monitor is not None and is_live(claim.account_id):
                self._monitor.ended(claim.load)
        except Exception as error:
            # The lease expires, and the document is claimed again.
            log.error("run lost: %r", error, exc_info=error, extra={"invoice_id": str(claim.invoice.id)})

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        self._has_ended = True
        # There is capacity for another document, and an event to fan out.
        self.wake()


async def _cancelled(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
