"""The loop that sends due deliveries."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace

from serve_app.domain.clock import Clock
from serve_app.domain.webhook import Lane
from serve_app.services.delivery.claimed_deliveries import LEASE
from serve_app.services.delivery.lane import ServedLane
from serve_app.services.delivery.shares import Shares
from serve_app.services.tasks.polling import PollingLoop
from serve_app.services.tasks.rounds import forever
from serve_app.store.base import Store

_LANES_TOGETHER = 16
"""Lanes of one claim: few enough that deliverers that run side by side share what is due."""

log = logging.getLogger(__name__)


class Deliverer:
    """A worker, not the queue: deliveries wait in the store, and any number of deliverers serve endpoints.

    `await run()` works until `stop()`; `wake()` signals that something is due. `serve` creates the worker for a lane;
    `notify_owners` mails the owners of paused endpoints, `export_round` makes and delivers exports that are due.
    """

    def __init__(
        self,
        store: Store,
        serve: Callable[[Lane], ServedLane],
        notify_owners: Callable[[], Awaitable[object]],
        clock: Clock,
        *,
        poll_seconds: float,
        maintenance_seconds: float,
        shares: Shares | None = None,
        export_round: Callable[[], Awaitable[object]] | None = None,
    ) -> None:
        self._store = store
        self._serve = serve
        self._notify_owners = notify_owners
        self._clock = clock
        self._shares = shares or Shares()
        self._export_round = export_round
        self._maintenance_seconds = maintenance_seconds
        self._loop = PollingLoop(self.turn, poll_seconds, "taking up deliveries")
        self._served: dict[asyncio.Task[None], ServedLane] = {}

    def wake(self) -> None:
        """Look for due deliveries now. Call it on the loop that `run` runs on."""
        self._loop.wake()

    async def run(self) -> None:
        """Deliver until `stop` is called. Store errors are logged, and the loop continues."""
        # Apart from each other: a server that takes an export slowly must not delay repairs.
        rounds = [self.run_maintenance, *([self._export_round] if self._export_round else [])]
        tasks = [asyncio.create_task(forever(each, self._maintenance_seconds)) for each in rounds]
        try:
            await self._loop.run()
            await self.idle()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def stop(self) -> None:
        """Start no further attempt; `run` returns when those in progress have ended."""
        self._loop.stop()
        for lane in self._served.values():
            lane.end()

    async def idle(self) -> None:
        """Wait until the lanes being served now are finished."""
        await asyncio.gather(*self._served, return_exceptions=True)

    async def turn(self) -> None:
        """Claim all waiting lanes, as far as capacity allows. Raises ServiceError while the storage is out of reach."""
        for slow in (False, True):
            while await self._take_up(slow=slow):
                pass

    async def _take_up(self, *, slow: bool) -> bool:
        room = self._shares.room(self._served.values(), slow=slow)
        if not room.in_all or self._loop.is_stopping:
            return False
        room = replace(room, in_all=min(room.in_all, _LANES_TOGETHER))
        lanes = await self._store.lanes.claim(LEASE, slow=slow, room=room)
        for lane in lanes:
            self._start(lane)
        return bool(lanes)

    def _start(self, lane: Lane) -> None:
        served = self._serve(lane)
        if self._loop.is_stopping:
            # `stop` was called during the claim: the lane is only given back.
            served.end()
        task = asyncio.create_task(self._serve_safely(served, lane))
        self._served[task] = served
        task.add_done_callback(self._ended)

    async def _serve_safely(self, served: ServedLane, lane: Lane) -> None:
        try:
            due = await served.serve()
        except Exception as error:
            # The lease expires, and the lane is claimed again.
            log.error("lane lost: %r", error, exc_info=error, extra={"endpoint_id": str(lane.endpoint.id)})
            return
        if due is not None:
            self._loop.wake_in((due - self._clock()).total_seconds())

    def _ended(self, task: asyncio.Task[None]) -> None:
        del self._served[task]
        # There is capacity for another endpoint.
        self.wake()

    async def run_maintenance(self) -> None:
        """Repair lanes and mail owners. Errors are logged, and the next round tries again."""
        for step in (self._store.lanes.repair, self._notify_owners):
            try:
                await step()
            except Exception as error:
                log.error("maintenance of deliveries failed: %r", error, exc_info=error)
