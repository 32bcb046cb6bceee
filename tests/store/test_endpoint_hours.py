"""How an endpoint did is counted as its attempts are recorded."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from serve_app.domain.account import Account
from serve_app.domain.endpoint_health import PERIOD, RecentHealth, health_of, hour_of
from serve_app.domain.webhook import AbandonReason, Attempt, Delivery, WebhookEndpoint
from serve_app.store.base import Store
from tests.support import NOON, Clock
from tests.support.webhooks import NO, URL, YES, add_delivery, claim_all, manage_endpoints

HOUR = timedelta(hours=1)


@pytest.fixture
async def endpoint(store: Store, clock: Clock, account: Account) -> WebhookEndpoint:
    return (await manage_endpoints(store, clock).register(account.id, URL))[0]


@pytest.fixture
async def claims(store: Store, clock: Clock, account: Account, endpoint: WebhookEndpoint) -> list[Delivery]:
    for _ in range(4):
        await add_delivery(store, clock, account.id, endpoint.id)
    return await claim_all(store, endpoint.id)


async def health(store: Store, endpoint: WebhookEndpoint) -> RecentHealth:
    return health_of(await store.deliveries.attempts_since(endpoint.id, hour_of(NOON - PERIOD)))


async def test_each_attempt_counts_once_however_it_ended(
    store: Store, endpoint: WebhookEndpoint, claims: list[Delivery]
) -> None:
    arrived, together, again, given_up = claims
    silent = Attempt(NOON - HOUR, 15, None, "no answer")
    assert await store.deliveries.delivered(arrived, YES)
    assert not await store.deliveries.delivered(arrived, YES)
    await store.deliveries.all_delivered([(arrived, YES), (together, replace(YES, at=NOON - HOUR))])
    assert await store.deliveries.retry(again, silent, HOUR)
    assert not await store.deliveries.retry(again, silent, HOUR)
    assert await store.deliveries.abandon(given_up, NO, AbandonReason.SCHEDULE_OVER)
    found = await health(store, endpoint)
    assert (found.attempts, found.arrived) == (4, 2)
    assert found.median == pytest.approx(0.1, rel=0.025)
    assert found.p95 == pytest.approx(0.25, rel=0.025)


async def test_what_is_older_than_a_day_does_not_count_and_is_removed(
    store: Store, endpoint: WebhookEndpoint, claims: list[Delivery]
) -> None:
    for claim, hours in zip(claims, (0, 24, 25, 26), strict=True):
        assert await store.deliveries.delivered(claim, replace(YES, at=NOON - hours * HOUR))
    assert (await health(store, endpoint)).attempts == 2
    assert await store.upkeep.expire(NOON) == 2
    assert (await health(store, endpoint)).attempts == 2


@pytest.mark.parametrize("end", ["endpoint", "account"])
async def test_nothing_is_left_of_an_endpoint_that_is_gone(
    store: Store, account: Account, endpoint: WebhookEndpoint, claims: list[Delivery], end: str
) -> None:
    assert await store.deliveries.delivered(claims[0], YES)
    if end == "endpoint":
        assert await store.endpoints.remove(account.id, endpoint.id)
    else:
        await store.erasure.account(account.id)
    assert (await health(store, endpoint)).attempts == 0


async def test_a_day_of_many_attempts_is_as_quick_to_ask_for(
    store: Store, clock: Clock, account: Account, endpoint: WebhookEndpoint, open_again: Callable[[], Store]
) -> None:
    """Every attempt of the day counts, also beyond the newest thousand deliveries."""
    for _ in range(60):
        await add_delivery(store, clock, account.id, endpoint.id)
    arrived = [
        (claim, replace(YES, seconds=0.02 * number))
        for number, claim in enumerate(await claim_all(store, endpoint.id), 1)
    ]
    await store.deliveries.all_delivered(arrived)
    counts = await open_again().deliveries.attempts_since(endpoint.id, hour_of(NOON))
    assert sum(count.attempts for count in counts) == 60
    found = health_of(counts)
    assert found.share == 1
    assert found.median == pytest.approx(0.6, rel=0.025)
    assert found.p95 == pytest.approx(1.14, rel=0.025)
