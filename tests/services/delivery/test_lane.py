"""How one endpoint is served: a few at a time, for a while, and only while the worker holds the lane."""

import asyncio
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import pytest

from serve_app.domain.webhook import DeliveryState, Lane
from serve_app.services.delivery import lane as lane_module
from serve_app.services.delivery.attempt import Attempts
from serve_app.services.delivery.lane import ServedLane
from serve_app.store.base import Store
from tests.services.delivery.conftest import URL, Webhooks
from tests.services.delivery.receivers import BROKEN, OK
from tests.support import LEASE
from tests.support.until import until
from tests.support.webhooks import delivery_log


@dataclass
class Hanging:
    """A receiver that answers once it is let go."""

    let_go: asyncio.Event = field(default_factory=asyncio.Event)
    now: int = 0
    most: int = 0

    async def __call__(self, url: str) -> None:
        self.now += 1
        self.most = max(self.most, self.now)
        await self.let_go.wait()
        self.now -= 1


async def claimed(webhooks: Webhooks, *, slow: bool = False) -> Lane:
    (lane,) = await webhooks.store.lanes.claim(LEASE, slow=slow)
    return lane


def served(webhooks: Webhooks, lane: Lane, store: Store | None = None, **options: Any) -> ServedLane:
    store = store or webhooks.store
    attempts = Attempts(store, webhooks.sealer, webhooks.clock)
    return ServedLane(store, webhooks.receivers, attempts, lane, **{"max_inline_delay": timedelta()} | options)


@pytest.mark.parametrize(("is_slow", "width"), [(False, 8), (True, 2)])
async def test_a_slow_endpoint_has_fewer_attempts_under_way(webhooks: Webhooks, is_slow: bool, width: int) -> None:
    await webhooks.endpoint(is_slow=is_slow)
    for _ in range(20):
        await webhooks.emit()
    hanging = webhooks.receivers.meanwhile = Hanging()
    serving = asyncio.create_task(served(webhooks, await claimed(webhooks, slow=is_slow)).serve())
    async with asyncio.timeout(10):
        await until(lambda: hanging.now == width)
        hanging.most = 0
        await asyncio.sleep(0.1)
        assert hanging.now == width
        hanging.let_go.set()
        await serving
    assert len(webhooks.receivers.posts[URL]) == 20


async def test_after_its_time_a_lane_is_given_back_although_more_is_due(webhooks: Webhooks) -> None:
    await webhooks.endpoint()
    for _ in range(20):
        await webhooks.emit()
    seconds = [0.0]

    async def take_a_second(url: str) -> None:
        await asyncio.sleep(0.01)
        seconds[0] += 1

    webhooks.receivers.meanwhile = take_a_second
    due = await served(webhooks, await claimed(webhooks), monotonic=lambda: seconds[0]).serve()
    assert due == webhooks.clock.now
    # Those that were under way after five seconds come to their end.
    assert 5 <= len(webhooks.receivers.posts[URL]) <= 5 + 8
    await claimed(webhooks)


class LostLanes:
    """Whose lanes are not the caller's any more, as they say once they may."""

    def __init__(self, store: Store) -> None:
        self._lanes = store.lanes
        self.may_answer = asyncio.Event()
        self.asked = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._lanes, name)

    async def renew(self, *arguments: object) -> bool:
        await self.may_answer.wait()
        self.asked += 1
        # The first time the storage is out of reach.
        if self.asked == 1:
            raise OSError("out of reach")
        return False


async def test_a_lane_that_was_lost_begins_no_further_attempt(
    webhooks: Webhooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lane_module, "_RENEW_SECONDS", 0.01)
    await webhooks.endpoint()
    for _ in range(20):
        await webhooks.emit()
    hanging = webhooks.receivers.meanwhile = Hanging()
    lost = LostLanes(webhooks.store)
    store = replace(webhooks.store, lanes=lost)
    serving = asyncio.create_task(served(webhooks, await claimed(webhooks), store).serve())
    async with asyncio.timeout(10):
        await until(lambda: hanging.now == 8)
        lost.may_answer.set()
        await until(lambda: lost.asked == 2)
        hanging.let_go.set()
        await serving
    assert (len(webhooks.receivers.posts[URL]), lost.asked) == (8, 2)


async def test_a_delivery_may_be_redelivered_while_an_attempt_is_under_way(webhooks: Webhooks) -> None:
    """Both attempts continue, the lane stays claimed, and the outcome of the first no longer changes anything."""
    await webhooks.endpoint()
    webhooks.receivers.answers[URL] = [BROKEN, OK]
    hanging = webhooks.receivers.meanwhile = Hanging()
    await webhooks.emit()
    run = asyncio.create_task(webhooks.deliverer.run())
    async with asyncio.timeout(10):
        await until(lambda: hanging.now == 1)
        await delivery_log(webhooks.store).redeliver(webhooks.account.id, (await webhooks.only()).id)
        await until(lambda: hanging.now == 2)
        hanging.let_go.set()
        await webhooks.nothing_waits()
        webhooks.deliverer.stop()
        await run
    delivery = await webhooks.only()
    assert (delivery.state, [attempt.status for attempt in delivery.attempts]) == (DeliveryState.DELIVERED, [200])
    # The lane was given back: it is free at once.
    await webhooks.emit()
    await claimed(webhooks)
