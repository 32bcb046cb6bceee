"""Many endpoints, many deliverers: none waits for another's trouble, and nothing is delivered twice or not at all."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

from serve_app.domain.webhook import DeliveryState, Lane
from serve_app.keys.sealing import Sealer
from serve_app.services.delivery.attempt import Attempts
from serve_app.services.delivery.deliverer import Deliverer
from serve_app.services.delivery.lane import ServedLane
from serve_app.store.base import Store
from tests.services.delivery.conftest import URL, Webhooks
from tests.services.delivery.receivers import BROKEN, OK, Receivers
from tests.support import LEASE
from tests.support.until import until

MakeDeliverer = Callable[[Store, Receivers, Sealer, Callable[[], Awaitable[object]]], Deliverer]


async def nobody() -> None:
    return


async def test_a_receiver_that_hangs_keeps_nobody_waiting_but_itself(webhooks: Webhooks) -> None:
    hanging = await webhooks.endpoint("https://hanging.example/")
    prompt = await webhooks.endpoint()
    let_go = asyncio.Event()

    async def hang(url: str) -> None:
        if "hanging" in url:
            await let_go.wait()

    webhooks.receivers.meanwhile = hang
    events = [await webhooks.emit() for _ in range(20)]
    run = asyncio.create_task(webhooks.deliverer.run())
    async with asyncio.timeout(10):
        await until(lambda: len(webhooks.receivers.posts[URL]) == len(events))
        assert {delivery.state for delivery in await webhooks.log(hanging)} == {DeliveryState.PENDING}
        let_go.set()
        await webhooks.nothing_waits()
    webhooks.deliverer.stop()
    await run
    assert {delivery.state for delivery in await webhooks.log(prompt)} == {DeliveryState.DELIVERED}
    assert sorted(post.headers["webhook-id"] for post in webhooks.receivers.posts[URL]) == sorted(events)


async def test_what_comes_while_an_attempt_hangs_is_sent_meanwhile(webhooks: Webhooks) -> None:
    await webhooks.endpoint()
    let_go = asyncio.Event()

    async def hang_once(url: str) -> None:
        if len(webhooks.receivers.posts[url]) == 1:
            await let_go.wait()

    webhooks.receivers.meanwhile = hang_once
    await webhooks.emit()
    run = asyncio.create_task(webhooks.deliverer.run())
    async with asyncio.timeout(10):
        await until(lambda: len(webhooks.receivers.posts[URL]) == 1)
        await webhooks.emit()
        await until(lambda: len(webhooks.receivers.posts[URL]) == 2)
    let_go.set()
    webhooks.deliverer.stop()
    await run


async def test_stopping_lets_attempts_end_and_gives_back_what_was_not_begun(webhooks: Webhooks) -> None:
    await webhooks.endpoint()
    began, let_go = asyncio.Event(), asyncio.Event()

    async def hang(url: str) -> None:
        began.set()
        await let_go.wait()

    webhooks.receivers.meanwhile = hang
    events = {await webhooks.emit() for _ in range(20)}
    run = asyncio.create_task(webhooks.deliverer.run())
    await began.wait()
    webhooks.deliverer.stop()
    let_go.set()
    async with asyncio.timeout(5):
        await run
    sent = {post.headers["webhook-id"] for post in webhooks.receivers.posts[URL]}
    assert 0 < len(sent) < len(events)
    delivered = {delivery.event_id for delivery in await webhooks.log() if delivery.state is DeliveryState.DELIVERED}
    assert delivered == sent
    # Without waiting for any lease.
    left = await webhooks.store.deliveries.claim_due((await webhooks.log())[0].endpoint_id, LEASE, 100)
    assert {delivery.event_id for delivery in left} == events - sent


async def test_deliverers_side_by_side_deliver_everything_once(
    webhooks: Webhooks, open_again: Callable[[], Store], make_deliverer: MakeDeliverer
) -> None:
    urls = [f"https://receiver-{number}.example/" for number in range(5)]
    for url in urls:
        await webhooks.endpoint(url)
    events = [await webhooks.emit() for _ in range(12)]
    others = [make_deliverer(open_again(), webhooks.receivers, webhooks.sealer, nobody) for _ in range(2)]
    deliverers = [webhooks.deliverer, *others]
    runs = [asyncio.create_task(deliverer.run()) for deliverer in deliverers]
    async with asyncio.timeout(20):
        await webhooks.nothing_waits()
    for deliverer in deliverers:
        deliverer.stop()
    await asyncio.gather(*runs)
    for url in urls:
        assert sorted(post.headers["webhook-id"] for post in webhooks.receivers.posts[url]) == sorted(events)


async def test_a_backlog_is_drained_beside_what_comes_later(webhooks: Webhooks) -> None:
    """However much waits for one endpoint, another's single delivery goes out with the first of them."""
    behind = await webhooks.endpoint("https://behind.example/")
    for _ in range(60):
        await webhooks.emit()
    webhooks.clock.advance(60)
    order: list[str] = []

    async def note(url: str) -> None:
        order.append(url)
        # As over a real network: others get their turn.
        await asyncio.sleep(0.1)

    webhooks.receivers.meanwhile = note
    await webhooks.endpoint()
    await webhooks.emit()
    await webhooks.deliver()
    assert order.count(behind.url) == 61
    assert order.index(URL) < 20


async def test_an_endpoint_that_fails_is_recorded_and_one_that_recovers_is_forgiven(webhooks: Webhooks) -> None:
    endpoint = await webhooks.endpoint()
    webhooks.receivers.answers[URL] = [BROKEN, OK]
    await webhooks.emit()
    await webhooks.deliver()
    assert (await webhooks.present(endpoint)).failing_since == webhooks.clock.now
    webhooks.clock.advance(2)
    await webhooks.deliver()
    assert (await webhooks.present(endpoint)).failing_since is None


async def test_maintenance_runs_in_rounds_and_outlives_errors(webhooks: Webhooks) -> None:
    run = asyncio.create_task(webhooks.deliverer.run())
    async with asyncio.timeout(5):
        await until(lambda: len(webhooks.notified) >= 3)
    webhooks.deliverer.stop()
    await run


async def test_a_lane_that_is_claimed_while_the_deliverer_stops_is_given_back(webhooks: Webhooks) -> None:
    await webhooks.endpoint()
    for _ in range(20):
        await webhooks.emit()
    claim = webhooks.store.lanes.claim

    class Lanes:
        def __getattr__(self, name: str) -> Any:
            return getattr(webhooks.store.lanes, name)

        async def claim(self, *arguments: Any, **options: Any) -> list[Lane]:
            lanes = await claim(*arguments, **options)
            deliverer.stop()
            return lanes

    attempt = Attempts(webhooks.store, webhooks.sealer, webhooks.clock)
    deliverer = Deliverer(
        replace(webhooks.store, lanes=Lanes()),
        lambda lane: ServedLane(webhooks.store, webhooks.receivers, attempt, lane, max_inline_delay=timedelta()),
        nobody,
        webhooks.clock,
        poll_seconds=0.05,
        maintenance_seconds=5,
    )
    async with asyncio.timeout(5):
        await deliverer.run()
    assert URL not in webhooks.receivers.posts
    assert await webhooks.store.lanes.claim(LEASE, slow=False)


async def test_waiting_lanes_are_claimed_together(webhooks: Webhooks) -> None:
    for number in range(5):
        await webhooks.endpoint(f"https://receiver-{number}.example/")
    await webhooks.emit()
    found: list[int] = []
    claim = webhooks.store.lanes.claim

    class Lanes:
        def __getattr__(self, name: str) -> Any:
            return getattr(webhooks.store.lanes, name)

        async def claim(self, *arguments: Any, **options: Any) -> list[Lane]:
            lanes = await claim(*arguments, **options)
            found.append(len(lanes))
            return lanes

    store = replace(webhooks.store, lanes=Lanes())
    attempt = Attempts(store, webhooks.sealer, webhooks.clock)
    deliverer = Deliverer(
        store,
        lambda lane: ServedLane(store, webhooks.receivers, attempt, lane, max_inline_delay=timedelta()),
        nobody,
        webhooks.clock,
        poll_seconds=5,
        maintenance_seconds=5,
    )
    await deliverer.turn()
    await deliverer.idle()
    # Five prompt ones, no other, none that is slow.
    assert found == [5, 0, 0]
    assert all(len(posts) == 1 for posts in webhooks.receivers.posts.values())
