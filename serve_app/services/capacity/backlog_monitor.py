"""What a dispatcher knows about the backlog and tells others."""

import time
from collections.abc import Callable
from datetime import datetime

from serve_app.domain.backlog import Backlog
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Status
from serve_app.domain.load import Load
from serve_app.domain.pace import PACE_LIFE, Pace
from serve_app.services.capacity.costs import StageCosts
from serve_app.services.capacity.demand import Demand, demand_of
from serve_app.services.capacity.speed import Speed
from serve_app.store.base import Paces, Queue

LOOK_SECONDS = 2.0
_REST = 20
"""A look that takes long is followed by a pause of so many times that."""
_PUBLISH_EVERY = PACE_LIFE / 6


class BacklogMonitor:
    """Looks at the backlog every few seconds, measures how fast documents end meanwhile, and keeps the dispatcher's
    row of paces up to date. `slots` is how many documents of an account may be in progress."""

    def __init__(
        self,
        queue: Queue,
        paces: Paces,
        costs: StageCosts,
        slots: int,
        clock: Clock = utc_now,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._queue = queue
        self._paces = paces
        self._costs = costs
        self._slots = slots
        self._clock = clock
        self._monotonic = monotonic
        self._worker = str(new_id())
        self._speed = Speed()
        self._backlog = Backlog()
        self._next_look = 0.0
        self._published_at: datetime | None = None

    def ended(self, load: Load) -> None:
        """A document that was claimed here has ended."""
        self._speed.ended(self._costs.work_of(load), self._monotonic())

    async def look(self) -> None:
        """Call it every `LOOK_SECONDS`. Raises Unavailable."""
        started = self._monotonic()
        if started < self._next_look:
            return
        self._backlog = await self._queue.backlog()
        looked = self._monotonic()
        self._next_look = looked + _REST * (looked - started) - LOOK_SECONDS
        self._speed.look(is_waiting=self._backlog.documents(Status.QUEUED) > 0, now=looked)
        await self._publish()

    @property
    def demand(self) -> Demand:
        """What the backlog of the latest look needs."""
        return demand_of(self._backlog, self._costs.means, self._slots, self._clock())

    async def _publish(self) -> None:
        now = self._clock()
        if self._published_at is None or abs(now - self._published_at) >= _PUBLISH_EVERY:
            await self._paces.note(Pace(self._worker, now, self._costs.means, self._speed.value))
            self._published_at = now
