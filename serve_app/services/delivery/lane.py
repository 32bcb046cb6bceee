"""Serving one endpoint."""

import asyncio
import logging
import time
from contextlib import AbstractAsyncContextManager, suppress
from datetime import datetime
from functools import partial
from typing import Protocol
from uuid import UUID

from serve_app.domain.webhook import Lane
from serve_app.net.post import Line
from serve_app.services.delivery.attempt import AttemptDelivery
from serve_app.services.delivery.endpoint_health import EndpointHealth
from serve_app.services.delivery.outcomes import Outcomes
from serve_app.services.delivery.supply import LEASE, Supply
from serve_app.store.base import Store

_RENEW_SECONDS = 10.0
_PROMPT_WIDTH, _SLOW_WIDTH = 8, 2
_QUANTUM_SECONDS = 5.0
_LOOK_SECONDS = 0.5
# What was sent and not written down when the process dies is sent again.
_MOST_UNWRITTEN = 16

log = logging.getLogger(__name__)


class OpensLines(Protocol):
    """Opens the way to a URL."""

    def open(self, text: str) -> AbstractAsyncContextManager[Line]: ...


class ServeLane:
    """Works off what is due for one endpoint, a few at a time, then gives the lane back; after a while it does so
    although more is due, and lets others go first. Attempts, the claim of those that follow and the writing down of
    those that have ended go on side by side."""

    def __init__(self, store: Store, lines: OpensLines, attempt: AttemptDelivery, lane: Lane) -> None:
        self._store = store
        self._lines = lines
        self._attempt = attempt
        self._lane = lane
        self._health = EndpointHealth(lane.endpoint, time.monotonic)
        self._signer = attempt.signer(lane.endpoint)
        self._supply = Supply(store, lane.endpoint.id)
        write = partial(attempt.write_down, lane.endpoint, health=self._health)
        self._outcomes = Outcomes(write, _MOST_UNWRITTEN)
        self._workers: set[asyncio.Task[None]] = set()
        self._changed = asyncio.Event()
        self._error: BaseException | None = None
        self._look_at = 0.0
        self._end_at = time.monotonic() + _QUANTUM_SECONDS

    @property
    def account_id(self) -> UUID:
        """Whose endpoint it is."""
        return self._lane.endpoint.account_id

    @property
    def is_slow(self) -> bool:
        """Whether it is slow to answer now."""
        return self._health.is_slow

    def end(self) -> None:
        """Begin no further attempt."""
        self._end_at = 0.0

    async def __call__(self) -> datetime | None:
        """When the endpoint's next delivery is due, None where none is. ServiceError while the storage is out of reach:
        what was claimed is free again when the lease is over."""
        renewing = asyncio.create_task(self._renew())
        try:
            async with self._lines.open(self._lane.endpoint.url) as line:
                await self._work_off(line)
            await self._supply.hand_back()
            return await self._store.lanes.give_back(self._lane, self._health.now)
        finally:
            renewing.cancel()
            await asyncio.gather(renewing, return_exceptions=True)

    async def _work_off(self, line: Line) -> None:
        try:
            while True:
                if self._may_begin:
                    await self._claim_some()
                    self._employ(line)
                if not self._workers:
                    break
                await self._change()
        finally:
            await asyncio.gather(*self._workers, return_exceptions=True)
            await self._outcomes.written()
        if self._error is not None:
            raise self._error

    async def _claim_some(self) -> None:
        if self._is_low and time.monotonic() >= self._look_at:
            is_more = await self._supply.claim(4 * self._width)
            self._look_at = 0.0 if is_more else time.monotonic() + _LOOK_SECONDS

    def _employ(self, line: Line) -> None:
        for _ in range(min(self._width - len(self._workers), len(self._supply))):
            worker = asyncio.create_task(self._work(line))
            self._workers.add(worker)
            worker.add_done_callback(self._left)

    async def _work(self, line: Line) -> None:
        while self._may_begin and len(self._workers) <= self._width and (taken := self._supply.take()):
            if self._is_low:
                self._changed.set()
            outcome = await self._attempt(self._signer, *taken, line, self._health)
            await self._outcomes.add(outcome)

    def _left(self, worker: asyncio.Task[None]) -> None:
        self._workers.discard(worker)
        self._changed.set()
        if not worker.cancelled() and (error := worker.exception()) is not None:
            # The storage is out of reach, or worse.
            self._error = error
            self.end()

    async def _change(self) -> None:
        self._changed.clear()
        # Where one hangs, what has come due meanwhile must not wait for it.
        looks = self._may_begin and self._is_low
        with suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, self._look_at - time.monotonic()) if looks else None):
                await self._changed.wait()

    @property
    def _is_low(self) -> bool:
        """Before the last are begun, so that none waits for the claim."""
        return len(self._supply) < 2 * self._width

    @property
    def _may_begin(self) -> bool:
        return time.monotonic() < self._end_at

    @property
    def _width(self) -> int:
        return _SLOW_WIDTH if self._health.is_slow else _PROMPT_WIDTH

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
