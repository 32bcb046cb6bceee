"""Limits the requests of one key in one calendar minute."""

import logging
import math
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from serve_app.domain.account import Caller
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.errors import ServiceError
from serve_app.store.base import RateWindows

WINDOW = timedelta(minutes=1)
_FRESH = timedelta(seconds=1)
"""Only answers that took longer than this are worth another look at the store."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RateStatus:
    """A key's usage after the current request, as of `counted_at`. `reset` is in Unix seconds, `retry_seconds` is the
    time until then."""

    key_id: UUID
    counted_at: datetime
    limit: int
    remaining: int
    reset: int
    retry_seconds: int
    exceeded: bool


@dataclass
class _Minute:
    """What one process knows of a minute, by key: the latest count of the store, and requests that it could not count.
    The store may have counted one whose answer was lost."""

    window: datetime
    counted: Counter[UUID] = field(default_factory=Counter)
    uncounted: Counter[UUID] = field(default_factory=Counter)

    def total(self, key_id: UUID, counted: int = 0) -> int:
        """With the store's count, if it has answered."""
        self.counted[key_id] = max(counted, self.counted[key_id])
        return self.counted[key_id] + self.uncounted[key_id]


class RateLimit:
    """Counts every request of a valid key, including those over the limit.

    While the store cannot count, because the disk is full or the database is locked, this process counts for itself:
    reads go on, and no process lets more than the limit through.
    """

    def __init__(self, windows: RateWindows, limit: int, clock: Clock = utc_now) -> None:
        """`limit` is for accounts that neither have one of their own nor from their plan."""
        self._windows = windows
        self._limit = limit
        self._clock = clock
        self._minute = _Minute(_window(clock()))

    async def count(self, caller: Caller) -> RateStatus:
        """The usage of the caller's key, with one request more."""
        return await self.count_key(caller.key.id, caller.account.allowed.requests_per_minute)

    async def count_key(self, key_id: UUID, own_limit: int | None = None) -> RateStatus:
        """The same for a key that has this limit; None: the usual one."""
        now = self._clock()
        return self._status(key_id, own_limit or self._limit, now, await self._counted(key_id, _window(now)))

    async def latest(self, status: RateStatus) -> RateStatus:
        """The usage now, if the status is old: other requests of the key may have been counted since, and its minute
        may be over."""
        now = self._clock()
        if now - status.counted_at < _FRESH:
            return status
        window = _window(now)
        try:
            requests = self._of(window).total(status.key_id, await self._windows.requests(status.key_id, window))
        except ServiceError as error:
            log.warning("requests not looked up: %s", error)
            return status
        return self._status(status.key_id, status.limit, now, requests)

    def _status(self, key_id: UUID, limit: int, now: datetime, count: int) -> RateStatus:
        end = _window(now) + WINDOW
        return RateStatus(
            key_id=key_id,
            counted_at=now,
            limit=limit,
            remaining=max(0, limit - count),
            reset=int(end.timestamp()),
            retry_seconds=max(1, math.ceil((end - now).total_seconds())),
            exceeded=count > limit,
        )

    async def _counted(self, key_id: UUID, window: datetime) -> int:
        minute = self._of(window)
        try:
            return minute.total(key_id, await self._windows.count(key_id, window))
        except ServiceError as error:
            log.warning("request counted by this process only: %s", error)
            minute.uncounted[key_id] += 1
            return minute.total(key_id)

    def _of(self, window: datetime) -> "_Minute":
        if self._minute.window != window:
            self._minute = _Minute(window)
        return self._minute


def _window(now: datetime) -> datetime:
    """The start of the current minute."""
    return now.replace(second=0, microsecond=0)
