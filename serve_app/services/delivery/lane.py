"""Serving one endpoint."""

import asyncio
import logging
import time
from collections import deque
from contextlib import AbstractAsyncContextManager
from datetime import datetime, timedelta
from typing import Protocol
from uuid import UUID

from serve_app.domain.webhook import Delivery, Lane
from serve_app.net.post import Line
from serve_app.services.delivery.attempt import AttemptDelivery
from serve_app.services.delivery.endpoint_health import EndpointHealth
from serve_app.store.base import Store

LEASE = timedelta(seconds=30)
"""Of a lane and of the deliveries claimed in it: longer than two attempts, one after the other."""
_RENEW_SECONDS = 10.0
_PROMPT_WIDTH, _SLOW_WIDTH = 8, 2
_QUANTUM_SECONDS = 5.0
_LOOK_SECONDS = 0.5

log = logging.getLogger(__name__)


class OpensLines(Protocol):
    """Opens the way to a URL."""

    def open(self, text: str) -> AbstractAsyncContextManager[Line]: ...


class ServeLane:
    """Works off what is due for one endpoint, a few at a time, then gives the lane back; after a while it does so
    although more is due, and lets others go first."""

    def __init__(self, store: Store, lines: OpensLines, attempt: AttemptDelivery, lane: Lane) -> None:
        self._store = store
        self._lines = lines
        self._attempt = attempt
        self._lane = lane
        self._health = EndpointHealth(lane.endpoint, time.monotonic)
        self._waiting: deque[tuple[Delivery, str]] = deque()
        self._running: set[asyncio.Task[None]] = set()
        self._is_ending = False

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
        self._is_ending = True

    async def __call__(self) -> datetime | None:
        """When the endpoint's next delivery is due, None where none is. ServiceError while the storage is out of reach:
        what was claimed is free again when the lease is over."""
        renewing = asyncio.create_task(self._renew())
        try:
            async with self._lines.open(self._lane.endpoint.url) as line:
                await self._work_off(line)
            await self._hand_back()
            return await self._store.lanes.give_back(self._lane, self._health.now)
        finally:
            renewing.cancel()
            await asyncio.gather(renewing, *self._running, return_exceptions=True)

    async def _work_off(self, line: Line) -> None:
        quantum = time.monotonic() + _QUANTUM_SECONDS
        while not self._is_ending:
            if not self._waiting and time.monotonic() < quantum:
                await self._claim_some()
            self._start_some(line)
            if not self._running:
                return
            await self._let_some_end()
        while self._running:
            await self._let_some_end()

    async def _claim_some(self) -> None:
        room = self._width - len(self._running)
        if room <= 0:
            return
        # As many again as may start now: few enough to be begun long before their lease is over.
        claims = await self._store.deliveries.claim_due(self._lane.endpoint.id, LEASE, room + self._width)
        payloads = await self._store.deliveries.payloads(claims) if claims else {}
        self._waiting.extend((claim, payloads[claim.event_id]) for claim in claims if claim.event_id in payloads)

    def _start_some(self, line: Line) -> None:
        while self._waiting and len(self._running) < self._width:
            claim, payload = self._waiting.popleft()
            attempt = self._attempt(self._lane.endpoint, claim, payload, line, self._health)
            self._running.add(asyncio.create_task(attempt))

    async def _let_some_end(self) -> None:
        # Where one hangs, what has come due meanwhile must not wait for it.
        timeout = None if self._waiting or self._is_ending else _LOOK_SECONDS
        done, self._running = await asyncio.wait(self._running, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            # The storage is out of reach, or worse.
            task.result()

    @property
    def _width(self) -> int:
        return _SLOW_WIDTH if self._health.is_slow else _PROMPT_WIDTH

    async def _hand_back(self) -> None:
        for claim, _ in self._waiting:
            await self._store.deliveries.hand_back(claim)
        self._waiting.clear()

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
