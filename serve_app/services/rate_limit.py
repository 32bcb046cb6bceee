"""Limits the requests of one key in one calendar minute."""

import logging
import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.errors import ServiceError
from serve_app.store.base import RateWindows

WINDOW = timedelta(minutes=1)

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RateStatus:
    """A key's usage after the current request. `reset` is in Unix seconds, `retry_seconds` is the time until then."""

    limit: int
    remaining: int
    reset: int
    retry_seconds: int
    exceeded: bool


class RateLimit:
    """Counts every request of a valid key, including those over the limit.

    While requests cannot be counted they are let through: reads must keep working when the disk is full or the
    database is locked, and a request that writes is refused by the write itself.
    """

    def __init__(self, windows: RateWindows, limit: int, clock: Clock = utc_now) -> None:
        self._windows = windows
        self._limit = limit
        self._clock = clock

    async def __call__(self, key_id: UUID) -> RateStatus:
        now = self._clock()
        start = now.replace(second=0, microsecond=0)
        count = await self._count(key_id, start)
        end = start + WINDOW
        return RateStatus(
            limit=self._limit,
            remaining=max(0, self._limit - count),
            reset=int(end.timestamp()),
            retry_seconds=max(1, math.ceil((end - now).total_seconds())),
            exceeded=count > self._limit,
        )

    async def _count(self, key_id: UUID, window: datetime) -> int:
        try:
            return await self._windows.count(key_id, window)
        except ServiceError as error:
            log.warning("request not counted: %s", error)
            return 1
