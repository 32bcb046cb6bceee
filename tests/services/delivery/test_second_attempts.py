"""The second attempt follows the first one by two seconds, whatever else waits for the endpoint."""

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta

import pytest

from serve_app.domain.webhook import DeliveryState
from serve_app.services.delivery.lane import MAX_INLINE_DELAY
from tests.services.delivery.conftest import URL, Webhooks
from tests.services.delivery.receivers import BROKEN, GONE, HUNG, OK
from tests.support import LEASE, NOON
from tests.support.until import until

DELAY = 2.0
"""Seconds, of the contract."""


@pytest.fixture
def max_inline_delay() -> timedelta:
    return MAX_INLINE_DELAY


@dataclass
class Attempts:
    """When attempts of each event to each endpoint began and ended."""

    spans: dict[tuple[str, str], list[tuple[float, float]]] = field(default_factory=lambda: defaultdict(list))

    @property
    def waits(self) -> list[float]:
        """Seconds between the end of the first attempt and the begin of the second one."""
        return [spans[1][0] - spans[0][1] for spans in self.spans.values() if len(spans) > 1]

    @property
    def overtaking(self) -> list[int]:
        """For each second attempt: how many attempts at its endpoint began after the first one had ended."""
        begins = [(url, began) for (url, _), spans in self.spans.items() for began, _ in spans]
        return [
            sum(of == url and spans[0][1] <= began < spans[1][0] for of, began in begins)
            for (url, _), spans in self.spans.items()
            if len(spans) > 1
        ]


def watch(webhooks: Webhooks, seconds: float) -> Attempts:
    """Every receiver takes so many seconds."""
    seen = Attempts()

    async def answer(url: str) -> None:
        event, began = webhooks.receivers.posts[url][-1].headers["webhook-id"], time.monotonic()
        await asyncio.sleep(seconds)
        seen.spans[url, event].append((began, time.monotonic()))

    webhooks.receivers.meanwhile = answer
    return seen


@asynccontextmanager
async def running(webhooks: Webhooks) -> AsyncIterator[None]:
    """The deliverer works, and the clock goes."""
    start = time.monotonic()

    async def tick() -> None:
        while True:
            webhooks.clock.now = NOON + timedelta(seconds=time.monotonic() - start)
            await asyncio.sleep(0.02)

    ticking, run = asyncio.create_task(tick()), asyncio.create_task(webhooks.deliverer.run())
    try:
        async with asyncio.timeout(60):
            yield
    finally:
        webhooks.deliverer.stop()
        await run
        ticking.cancel()


async def test_at_slow_endpoints_with_many_events(webhooks: Webhooks) -> None:
    urls = [f"https://slow-{number}.example/" for number in range(5)]
    for url in urls:
        await webhooks.endpoint(url, is_slow=True)
        webhooks.receivers.answers[url] = [HUNG]
    seen = watch(webhooks, 1.0)
    for _ in range(24):
        await webhooks.emit()
    async with running(webhooks):
        await until(lambda: len(seen.waits) >= 20)
    assert min(seen.waits) >= DELAY
    # Two at a time take a second each: no more begin than fit into the delay, however slow this machine is now.
    assert max(seen.overtaking) <= 8


async def test_however_many_fail_at_once_and_all_are_tried(webhooks: Webhooks) -> None:
    await webhooks.endpoint()
    webhooks.receivers.answers[URL] = [BROKEN]
    seen = watch(webhooks, 0.01)
    events = [await webhooks.emit() for _ in range(60)]
    async with running(webhooks):
        await until(lambda: len(seen.waits) == len(events))
    assert max(seen.waits) / DELAY < 1.5
    assert {len(delivery.attempts) for delivery in await webhooks.log()} == {2}


async def test_it_is_not_made_once_the_endpoint_is_gone_or_paused(webhooks: Webhooks) -> None:
    await webhooks.endpoint()
    webhooks.receivers.answers[URL] = [BROKEN, GONE]
    seen = watch(webhooks, 0.01)
    await webhooks.emit()
    async with running(webhooks):
        await until(lambda: len(seen.spans) == 1)
        await webhooks.emit()
        await until(lambda: len(seen.spans) == 2)
        await asyncio.sleep(1.5 * DELAY)
    assert seen.waits == []
    assert {delivery.state for delivery in await webhooks.log()} == {DeliveryState.ABANDONED}


async def test_a_worker_that_stops_leaves_it_to_others(webhooks: Webhooks) -> None:
    await webhooks.endpoint()
    webhooks.receivers.answers[URL] = [BROKEN, OK]
    seen = watch(webhooks, 0.01)
    await webhooks.emit()
    began = time.monotonic()
    async with running(webhooks):
        await until(lambda: len(seen.spans) == 1)
    assert (time.monotonic() - began) / DELAY < 1
    delivery = await webhooks.only()
    assert (delivery.state, len(delivery.attempts)) == (DeliveryState.PENDING, 1)
    webhooks.clock.advance(10)
    (left,) = await webhooks.store.deliveries.claim_due(delivery.endpoint_id, LEASE, 10)
    assert (left.id, left.step) == (delivery.id, 1)
