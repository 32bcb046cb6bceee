"""When a queued document will probably be started, and whether more may be accepted."""

import asyncio
import math
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from uuid import UUID

from serve_app.domain.backlog import Backlog
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.errors import QueueTooLong, ServiceError
from serve_app.domain.invoice import Invoice, Status
from serve_app.domain.pace import PACE_LIFE, Pace, work_of
from serve_app.store.base import Paces, Queue

_GOOD_FOR = 2.0
_REST = 20
"""A look that takes long is good for so many times that."""
_STEP = 5
"""Seconds; estimates are rounded up to it, so that they do not change with every call."""
_MOST_AHEAD = 10_000
_UNKNOWN_RETRY = 60
_LONGEST_RETRY = 3600


class StartTimes:
    """Estimates from the backlog, what a page of each kind costs, and how fast dispatchers work it off.

    Accounts take turns. So a document waits for what its own account has before it, and for as much of every other
    account that waits; but never for more than everything. `max_wait` is the longest wait for which documents are
    accepted; None: any.
    """

    def __init__(
        self,
        queue: Queue,
        paces: Paces,
        max_wait: timedelta | None = None,
        clock: Clock = utc_now,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._queue = queue
        self._paces = paces
        self._max_wait = max_wait
        self._clock = clock
        self._monotonic = monotonic
        self._turn = asyncio.Lock()
        self._known_until = -1.0
        self._backlog = Backlog()
        self._paces_known: list[Pace] = []

    async def with_start_estimate(self, account_id: UUID, invoice: Invoice) -> Invoice:
        """The invoice with its estimate if it is queued, None where that is unknown. Never fails for it."""
        if invoice.status is not Status.QUEUED:
            return invoice
        try:
            wait = await self._wait_of(account_id, invoice.id)
        except ServiceError:
            wait = None
        if wait is None:
            return invoice
        return invoice.model_copy(update={"estimated_start_at": _rounded(self._clock() + wait)})

    async def check(self, account_id: UUID) -> None:
        """Raises QueueTooLong if a document that the account sends now would wait too long."""
        if self._max_wait is None:
            return
        await self._look()
        wait = self._wait(account_id, ahead=None)
        if wait is not None and wait > self._max_wait:
            raise QueueTooLong(_retry_seconds(wait - self._max_wait))
        if wait is None and self._is_stuck(account_id, self._max_wait):
            raise QueueTooLong(_UNKNOWN_RETRY)

    async def _wait_of(self, account_id: UUID, invoice_id: UUID) -> timedelta | None:
        await self._look()
        if self._speed() is None:
            return None
        return self._wait(account_id, await self._queue.ahead(account_id, invoice_id, _MOST_AHEAD))

    def _wait(self, account_id: UUID, ahead: int | None) -> timedelta | None:
        """How long the account's document waits that has `ahead` others of it before it; None: all."""
        speed, costs = self._speed(), self._paces_known[0].costs if self._paces_known else {}
        waiting = [share for share in self._backlog.shares if share.status is Status.QUEUED]
        own = [share for share in waiting if share.account_id == account_id]
        total, before = (sum(work_of(share, costs) for share in shares) for shares in (waiting, own))
        if not speed:
            return None
        queued = sum(share.documents for share in own)
        if ahead is not None and queued:
            before *= min(ahead / queued, 1.0)
        accounts = len({share.account_id for share in waiting} | {account_id})
        return timedelta(seconds=min(total, before * accounts) / speed)

    def _speed(self) -> float | None:
        """Of all dispatchers together. One that has not measured yet is taken to be as fast as the others."""
        known = [pace.speed for pace in self._paces_known if pace.speed]
        return sum(known) * len(self._paces_known) / len(known) if known else None

    def _is_stuck(self, account_id: UUID, max_wait: timedelta) -> bool:
        """Whether documents of the account wait already, and some document for too long."""
        oldest = self._backlog.oldest
        waits = any(share.account_id == account_id and share.status is Status.QUEUED for share in self._backlog.shares)
        return waits and oldest is not None and self._clock() - oldest > max_wait

    async def _look(self) -> None:
        async with self._turn:
            started = self._monotonic()
            if started < self._known_until:
                return
            self._backlog = await self._queue.backlog()
            self._paces_known = await self._paces.since(self._clock() - PACE_LIFE)
            looked = self._monotonic()
            self._known_until = looked + max(_GOOD_FOR, _REST * (looked - started))


def _rounded(moment: datetime) -> datetime:
    seconds = math.ceil(moment.timestamp() / _STEP) * _STEP
    return datetime.fromtimestamp(seconds, moment.tzinfo)


def _retry_seconds(excess: timedelta) -> int:
    return min(max(1, math.ceil(excess.total_seconds())), _LONGEST_RETRY)
