"""What the store says about work that waits, told over and over."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import partial

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.invoice import Status
from serve_app.domain.load import PageKind
from serve_app.services.tasks.rounds import forever
from serve_app.store.base import Store
from serve_app.telemetry.logs import RepeatedLog
from serve_app.telemetry.meter import set_to
from serve_app.telemetry.series import (
    MAILS_DUE,
    QUEUE_DOCUMENTS,
    QUEUE_OLDEST,
    QUEUE_PAGES,
    QUEUE_SEEN,
    WEBHOOKS_DUE,
    WEBHOOKS_OLDEST,
)

SECONDS = 2.0
"""Between two looks. All workers of a kind look, and tell the same: it does not matter which of them are lost."""

_STATES = {"waiting": Status.QUEUED, "running": Status.PROCESSING}

log = RepeatedLog(logging.getLogger(__name__))

Look = Callable[[Store, Clock], Awaitable[None]]


def publish_gauges(look: Look, store: Store, clock: Clock = utc_now) -> "asyncio.Task[None]":
    """Look every few seconds, until the task is cancelled. While the store is out of reach, the last numbers stay."""
    return asyncio.create_task(forever(partial(_outlive, look, store, clock), SECONDS))


async def publish_queue(store: Store, clock: Clock) -> None:
    """The documents whose run has not ended."""
    backlog = await store.queue.backlog()
    for kind in PageKind:
        for state, status in _STATES.items():
            set_to(QUEUE_DOCUMENTS, backlog.documents(status, kind), state=state, kind=kind)
        set_to(QUEUE_PAGES, backlog.pages(Status.QUEUED, kind), kind=kind)
    set_to(QUEUE_OLDEST, _age(backlog.oldest, clock()), state="waiting")
    set_to(QUEUE_OLDEST, _age(backlog.oldest_running, clock()), state="running")
    set_to(QUEUE_SEEN, clock().timestamp())


async def publish_deliveries(store: Store, clock: Clock) -> None:
    """The deliveries that are due."""
    due = await store.deliveries.due()
    set_to(WEBHOOKS_DUE, due.count)
    set_to(WEBHOOKS_OLDEST, _age(due.since, clock()))


async def publish_mails(store: Store, clock: Clock) -> None:
    """The mails that are due."""
    set_to(MAILS_DUE, (await store.mails.due()).count)


def _age(since: datetime | None, now: datetime) -> float:
    return 0.0 if since is None else max(0.0, (now - since).total_seconds())


async def _outlive(look: Look, store: Store, clock: Clock) -> None:
    try:
        await look(store, clock)
    except Exception as error:
        log.error("what waits is not known: %r", error)
