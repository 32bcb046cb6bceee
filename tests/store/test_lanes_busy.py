"""Whatever comes while whoever works, no delivery is left without a lane."""

import asyncio
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from uuid import UUID

from serve_app.domain.account import Account
from serve_app.domain.webhook import DeliveryState, WebhookEndpoint
from serve_app.store.base import Store
from tests.store.hooks import (
    FAILED,
    REACHED,
    WELL,
    add_endpoint,
    add_test,
    deliveries_of,
    emit,
    no_lane,
    serve_lane,
)
from tests.support import LEASE, Clock

ENDPOINTS, EVENTS, TESTS = 4, 25, 100


async def feed_tests(store: Store, endpoints: list[WebhookEndpoint], count: int) -> None:
    for number in range(count):
        await add_test(store, endpoints[number % len(endpoints)])


async def feed_events(store: Store, account: Account) -> None:
    for _ in range(EVENTS):
        await emit(store, account)


async def work(store: Store, reached: Counter[UUID], fed: asyncio.Event) -> None:
    """Ends when it finds nothing to do after everything was fed: it does not look again."""
    while True:
        was_fed = fed.is_set()
        if not await serve_lane(store, reached, most=3):
            if was_fed:
                return
            await asyncio.sleep(0.001)


async def test_everything_that_comes_at_any_time_is_delivered_once(
    store: Store, account: Account, open_again: Callable[[], Store]
) -> None:
    other, reached, fed = open_again(), Counter[UUID](), asyncio.Event()
    endpoints = [await add_endpoint(store, account) for _ in range(ENDPOINTS)]
    workers = [asyncio.create_task(work(opened, reached, fed)) for opened in (store, other) for _ in range(3)]
    await asyncio.gather(
        feed_events(store, account),
        feed_tests(store, endpoints, TESTS // 2),
        feed_tests(other, endpoints, TESTS // 2),
    )
    fed.set()
    await asyncio.gather(*workers)
    made = await deliveries_of(store, account)
    assert len(made) == EVENTS * ENDPOINTS + TESTS
    assert {delivery.state for delivery in made} == {DeliveryState.DELIVERED}
    assert reached == {delivery.id: 1 for delivery in made}
    assert all(delivery.attempts == (REACHED,) and delivery.claims == 1 for delivery in made)


async def test_what_fails_is_tried_again_until_it_arrives(
    store: Store, account: Account, clock: Clock, open_again: Callable[[], Store]
) -> None:
    endpoints = [await add_endpoint(store, account) for _ in range(3)]
    await feed_tests(store, endpoints, 30)

    async def fail_all(store: Store) -> None:
        while lanes := await store.lanes.claim(LEASE, slow=False):
            (lane,) = lanes
            claims = await store.deliveries.claim_due(lane.endpoint.id, LEASE, 3)
            for number, claim in enumerate(claims):
                await store.deliveries.retry(claim, FAILED, timedelta(seconds=2 + number))
            await store.lanes.release_lease(lane, WELL)

    await asyncio.gather(*(fail_all(opened) for opened in (store, open_again()) for _ in range(2)))
    assert {delivery.step for delivery in await deliveries_of(store, account)} == {1}
    reached = Counter[UUID]()
    for _ in range(3):
        assert await no_lane(store)
        clock.advance(2)
        while await serve_lane(store, reached):
            pass
    assert reached == {delivery.id: 1 for delivery in await deliveries_of(store, account)}
    assert len(reached) == 30
