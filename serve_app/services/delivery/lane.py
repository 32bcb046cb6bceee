"""Serving one endpoint."""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Protocol
from uuid import UUID

from serve_app.domain.webhook import Delivery, Lane, Payload
from serve_app.net.post import Line
from serve_app.services.delivery.attempt import Attempts, Outcome
from serve_app.services.delivery.claimed_deliveries import LEASE, ClaimedDeliveries
from serve_app.services.delivery.endpoint_health import EndpointHealth
from serve_app.services.delivery.outcomes import Outcomes
from serve_app.services.delivery.schedule import delay_after
from serve_app.store.base import Store
from serve_app.store.base.webhooks import EndpointChanged

_RENEW_SECONDS = 10.0
_PROMPT_WIDTH, _SLOW_WIDTH = 8, 2
_QUANTUM_SECONDS = 5.0
_LOOK_SECONDS = 0.5
MAX_INLINE_DELAY = timedelta(seconds=3)
"""A retry that is due within this time is made by the worker of the failed attempt, whatever else waits."""
# How many attempts and retries of one endpoint are under way or waited for: none begins that could not be retried.
_MOST_UNDER_WAY = 32
# If the process dies, attempts that were made but not recorded are repeated.
_MOST_UNWRITTEN = 64

log = logging.getLogger(__name__)


class OpensLines(Protocol):
    """Opens a `Line` to a URL."""

    def open(self, text: str) -> AbstractAsyncContextManager[Line]: ...


class ServedLane:
    """Sends what is due for one endpoint, a few deliveries at a time, then gives the lane back. After a time slice it
    gives the lane back even if more is due, so that other endpoints go first. Attempts, the next claim and the
    recording of finished attempts run concurrently. A failed first attempt is followed by the second one in time,
    beside all that waits: the lane is kept until then. Serving also ends if the endpoint wants no more, or if another
    process changed it: what is due is then sent again, to the changed endpoint."""

    def __init__(
        self,
        store: Store,
        lines: OpensLines,
        attempts: Attempts,
        lane: Lane,
        monotonic: Callable[[], float] = time.monotonic,
        max_inline_delay: timedelta = MAX_INLINE_DELAY,
    ) -> None:
        self._store = store
        self._max_inline_delay = max_inline_delay
        self._lines = lines
        self._attempts = attempts
        self._lane = lane
        self._monotonic = monotonic
        self._health = EndpointHealth(lane.endpoint, monotonic)
        self._signer = attempts.signer(lane.endpoint)
        self._claimed = ClaimedDeliveries(store, lane.endpoint, monotonic)
        self._outcomes = Outcomes(self._write_down, _MOST_UNWRITTEN)
        self._workers: set[asyncio.Task[None]] = set()
        self._retries: set[asyncio.Task[None]] = set()
        self._is_ended = asyncio.Event()
        self._something_changed = asyncio.Event()
        self._error: BaseException | None = None
        self._look_at = 0.0
        self._end_at = monotonic() + _QUANTUM_SECONDS

    @property
    def account_id(self) -> UUID:
        """The account that owns the endpoint."""
        return self._lane.endpoint.account_id

    @property
    def is_slow(self) -> bool:
        """Whether the endpoint is slow to answer now."""
        return self._health.is_slow

    def end(self) -> None:
        """Start no further attempt."""
        self._end_at = 0.0
        self._is_ended.set()

    async def serve(self) -> datetime | None:
        """Returns the time when the endpoint's next delivery is due, None if none is. Raises ServiceError while the
        storage is out of reach: claimed deliveries are free again when their lease expires."""
        renewing = asyncio.create_task(self._renew())
        try:
            async with self._lines.open(self._lane.endpoint.url) as line:
                await self._work_off(line)
            await self._claimed.hand_back()
            return await self._store.lanes.release_lease(self._lane, self._health.to_note)
        finally:
            renewing.cancel()
            await asyncio.gather(renewing, return_exceptions=True)

    async def _work_off(self, line: Line) -> None:
        try:
            while True:
                if self._is_accepting:
                    await self._refill()
                if self._is_accepting:
                    self._start_workers(line)
                if not self._workers and not self._retries:
                    break
                await self._wait_for_change()
        finally:
            # A worker that ends may begin a retry.
            while under_way := [*self._workers, *self._retries]:
                await asyncio.wait(under_way)
            await self._outcomes.written()
        if self._error is not None:
            raise self._error

    async def _refill(self) -> None:
        if not self._needs_refill or self._monotonic() < self._look_at:
            return
        try:
            is_more = await self._claimed.claim(4 * self._width)
        except EndpointChanged:
            self.end()
        else:
            self._look_at = 0.0 if is_more else self._monotonic() + _LOOK_SECONDS

    def _start_workers(self, line: Line) -> None:
        for _ in range(min(self._width - len(self._workers), self._room, len(self._claimed))):
            self._start(self._work(line), self._workers)

    def _start(self, work: Coroutine[None, None, None], among: set[asyncio.Task[None]]) -> None:
        task = asyncio.create_task(work)
        among.add(task)
        task.add_done_callback(partial(self._done, among))

    async def _work(self, line: Line) -> None:
        while self._may_go_on and (taken := self._claimed.take()):
            if self._needs_refill:
                self._something_changed.set()
            await self._attempt(*taken, line)

    async def _attempt(self, claim: Delivery, payload: Payload, line: Line) -> None:
        outcome = await self._attempts.make(self._signer, claim, payload, line, self._health)
        if outcome.is_gone:
            self.end()
        await self._outcomes.add(outcome)
        delay = None if outcome.has_arrived or self._is_ended.is_set() else delay_after(claim.step + 1, claim.id)
        if delay is not None and delay <= self._max_inline_delay:
            self._start(self._retry(outcome, payload, line, delay), self._retries)

    async def _retry(self, failed: Outcome, payload: Payload, line: Line, delay: timedelta) -> None:
        """Make the next attempt when its delay is over. What the end of the lane prevents is due for others."""
        with suppress(TimeoutError):
            async with asyncio.timeout(delay.total_seconds()):
                await self._is_ended.wait()
        await self._outcomes.recorded(failed)
        if self._is_ended.is_set():
            return
        try:
            claim = await self._claimed.claim_again(failed.claim)
        except EndpointChanged:
            self.end()
        else:
            if claim is not None:
                await self._attempt(claim, payload, line)

    async def _write_down(self, outcomes: Sequence[Outcome]) -> None:
        if not await self._attempts.write_down(self._lane.endpoint, outcomes, self._health):
            self.end()

    def _done(self, among: set[asyncio.Task[None]], worker: asyncio.Task[None]) -> None:
        among.discard(worker)
        self._something_changed.set()
        if not worker.cancelled() and (error := worker.exception()) is not None:
            # The storage is out of reach, or something worse happened.
            self._error = error
            self.end()

    async def _wait_for_change(self) -> None:
        self._something_changed.clear()
        # If an attempt hangs, deliveries that become due meanwhile must not wait for it.
        looks = self._is_accepting and self._needs_refill
        with suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, self._look_at - self._monotonic()) if looks else None):
                await self._something_changed.wait()

    @property
    def _needs_refill(self) -> bool:
        """True before the last deliveries are started, so that none waits for the next claim."""
        return len(self._claimed) < 2 * self._width

    @property
    def _may_go_on(self) -> bool:
        """Whether a worker that has made its attempt may make another."""
        return self._is_accepting and len(self._workers) <= self._width and self._room >= 0

    @property
    def _room(self) -> int:
        """How many more attempts may begin, each perhaps followed by a retry."""
        return _MOST_UNDER_WAY - len(self._retries) - len(self._workers)

    @property
    def _is_accepting(self) -> bool:
        return self._monotonic() < self._end_at

    @property
    def _width(self) -> int:
        return _SLOW_WIDTH if self._health.was_slow else _PROMPT_WIDTH

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(_RENEW_SECONDS)
            try:
                is_ours = await self._store.lanes.renew(self._lane, LEASE)
            except Exception as error:
                log.warning("lane not renewed: %r", error)
                continue
            if not is_ours:
                self.end()
                return
