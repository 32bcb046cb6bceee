"""Deliveries are found, and made again on demand."""

from datetime import timedelta

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from serve_app.domain.account import Account
from serve_app.domain.clock import utc_now
from serve_app.domain.errors import InvalidParameter, ServiceError
from serve_app.domain.ids import new_id
from serve_app.domain.query import DeliveryQuery
from serve_app.domain.webhook import AbandonReason, Attempt, Delivery, DeliveryState, WebhookEndpoint
from serve_app.keys.sealing import new_key
from serve_app.services.webhooks.endpoints import EndpointService
from serve_app.services.webhooks.log import DeliveryLog
from serve_app.store.base import Store
from tests.support import NOON, Clock
from tests.support.webhooks import NO, URL, YES, abandon_all, add_delivery, claim_all, delivery_log, manage_endpoints


@pytest.fixture
def endpoints(store: Store, clock: Clock) -> EndpointService:
    return manage_endpoints(store, clock)


@pytest.fixture
def deliveries(store: Store, clock: Clock) -> DeliveryLog:
    return delivery_log(store, clock)


@pytest.fixture
async def endpoint(endpoints: EndpointService, account: Account) -> WebhookEndpoint:
    return (await endpoints.register(account.id, URL))[0]


@pytest.fixture
async def three(store: Store, clock: Clock, account: Account, endpoint: WebhookEndpoint) -> list[Delivery]:
    """Deliveries of one minute each, newest first."""
    made = []
    for _ in range(3):
        made.append(await add_delivery(store, clock, account.id, endpoint.id))
        clock.advance(60)
    return made[::-1]


def ids_of(deliveries: list[Delivery] | tuple[Delivery, ...]) -> list[object]:
    return [delivery.id for delivery in deliveries]


async def test_they_are_listed_page_by_page(deliveries: DeliveryLog, account: Account, three: list[Delivery]) -> None:
    first = await deliveries.page(account.id, DeliveryQuery(), 2)
    assert (ids_of(first.items), first.has_more) == (ids_of(three[:2]), True)
    rest = await deliveries.page(account.id, DeliveryQuery(), 2, first.items[-1].id)
    assert (ids_of(rest.items), rest.has_more) == (ids_of(three[2:]), False)


async def test_they_are_found_by_endpoint_event_state_and_time(
    deliveries: DeliveryLog,
    endpoints: EndpointService,
    store: Store,
    clock: Clock,
    account: Account,
    three: list[Delivery],
) -> None:
    other, _ = await endpoints.register(account.id, URL + "/2")
    fourth = await add_delivery(store, clock, account.id, other.id)
    (claim,) = await claim_all(store, other.id)
    await store.deliveries.delivered(claim, YES)
    for query, found in (
        (DeliveryQuery(endpoint_id=other.id), [fourth]),
        (DeliveryQuery(event_id=three[1].event_id), [three[1]]),
        (DeliveryQuery(state=DeliveryState.PENDING), three),
        (DeliveryQuery(state=DeliveryState.DELIVERED), [fourth]),
        (DeliveryQuery(created_after=three[2].created_at, created_before=fourth.created_at), three[:2]),
        (DeliveryQuery(endpoint_id=other.id, state=DeliveryState.ABANDONED), []),
    ):
        assert ids_of((await deliveries.page(account.id, query, 10)).items) == ids_of(found)


async def test_a_delivery_shows_its_attempts(
    deliveries: DeliveryLog, store: Store, account: Account, endpoint: WebhookEndpoint, three: list[Delivery]
) -> None:
    await abandon_all(store, endpoint.id)
    shown = await deliveries.get(account.id, three[0].id)
    assert (shown.state, shown.attempts) == (DeliveryState.ABANDONED, (NO,))


async def test_one_is_made_again_whatever_became_of_it(
    deliveries: DeliveryLog, store: Store, account: Account, endpoint: WebhookEndpoint, three: list[Delivery]
) -> None:
    abandoned, delivered, pending = three
    for claim in await claim_all(store, endpoint.id):
        if claim.id == abandoned.id:
            await store.deliveries.abandon(claim, NO, AbandonReason.SCHEDULE_OVER)
        elif claim.id == delivered.id:
            await store.deliveries.delivered(claim, YES)
    for delivery in (abandoned, delivered, pending):
        again = await deliveries.redeliver(account.id, delivery.id)
        assert (again.state, again.event_id, again.step) == (DeliveryState.PENDING, delivery.event_id, 0)
    assert set(ids_of(await claim_all(store, endpoint.id))) == set(ids_of(three))


async def test_all_that_were_abandoned_since_a_time_are_made_again(
    deliveries: DeliveryLog,
    endpoints: EndpointService,
    store: Store,
    clock: Clock,
    account: Account,
    endpoint: WebhookEndpoint,
    three: list[Delivery],
) -> None:
    other, _ = await endpoints.register(account.id, URL + "/2")
    await add_delivery(store, clock, account.id, other.id)
    for target in (endpoint, other):
        await abandon_all(store, target.id)
    assert await deliveries.redeliver_abandoned(account.id, three[1].created_at, endpoint.id) == 2
    assert ids_of(await claim_all(store, endpoint.id)) == ids_of([three[1], three[0]])
    assert await deliveries.redeliver_abandoned(account.id, NOON) == 2
    assert await deliveries.redeliver_abandoned(account.id, NOON) == 0


async def test_nothing_is_made_again_while_the_endpoint_is_paused(
    deliveries: DeliveryLog,
    endpoints: EndpointService,
    account: Account,
    endpoint: WebhookEndpoint,
    three: list[Delivery],
) -> None:
    await endpoints.pause(account.id, endpoint.id)
    with pytest.raises(ServiceError, match="paused; resume it first"):
        await deliveries.redeliver(account.id, three[0].id)
    with pytest.raises(ServiceError, match="paused; resume it first"):
        await deliveries.redeliver_abandoned(account.id, NOON, endpoint.id)
    assert await deliveries.redeliver_abandoned(account.id, NOON) == 0
    await endpoints.resume(account.id, endpoint.id)
    assert await deliveries.redeliver_abandoned(account.id, NOON) == 3


async def test_what_is_another_accounts_is_unknown(
    deliveries: DeliveryLog, endpoint: WebhookEndpoint, three: list[Delivery]
) -> None:
    other = new_id()
    for call in (
        deliveries.get(other, three[0].id),
        deliveries.redeliver(other, three[0].id),
        deliveries.page(other, DeliveryQuery(), 10, three[0].id),
        deliveries.page(other, DeliveryQuery(endpoint_id=endpoint.id), 10),
        deliveries.redeliver_abandoned(other, NOON, endpoint.id),
    ):
        with pytest.raises(LookupError, match=r"the account has no|There is no webhook endpoint"):
            await call
    assert (await deliveries.page(other, DeliveryQuery(), 10)).items == ()


async def test_the_health_of_a_day_is_that_of_its_attempts(
    deliveries: DeliveryLog, store: Store, clock: Clock, account: Account, endpoint: WebhookEndpoint
) -> None:
    assert (await deliveries.health(account.id, endpoint.id)).share is None
    for number in range(20):
        await add_delivery(store, clock, account.id, endpoint.id)
        (claim,) = await claim_all(store, endpoint.id)
        seconds = number / 10
        if number < 15:
            await store.deliveries.delivered(claim, Attempt(clock.now, seconds, 200))
        else:
            await store.deliveries.abandon(claim, Attempt(clock.now, seconds, 500), AbandonReason.SCHEDULE_OVER)
    health = await deliveries.health(account.id, endpoint.id)
    assert (health.attempts, health.arrived, health.share) == (20, 15, 0.75)
    assert health.median == pytest.approx(0.9, rel=0.025)
    assert health.p95 == pytest.approx(1.8, rel=0.025)
    clock.advance(25 * 3600)
    assert (await deliveries.health(account.id, endpoint.id)).attempts == 0


async def test_a_request_signed_on_demand_is_one_that_its_receiver_accepts(
    endpoints: EndpointService, store: Store, account: Account, clock: Clock
) -> None:
    clock.now = utc_now()
    endpoint, secret = await endpoints.register(account.id, URL)
    delivery = await add_delivery(store, clock, account.id, endpoint.id)
    url, headers, body = await delivery_log(store, clock).sign(account.id, delivery.id)
    assert url == URL
    assert Webhook(secret).verify(body, dict(headers))["id"] == delivery.event_id
    clock.now -= timedelta(minutes=6)
    _, old, _ = await delivery_log(store, clock).sign(account.id, delivery.id)
    with pytest.raises(WebhookVerificationError):
        Webhook(secret).verify(body, dict(old))


async def test_nothing_is_signed_for_another_account(
    deliveries: DeliveryLog, account: Account, three: list[Delivery]
) -> None:
    for act in (deliveries.sign, deliveries.body):
        with pytest.raises(LookupError):
            await act(new_id(), three[0].id)


async def test_a_secret_that_cannot_be_opened_is_reported(
    store: Store, clock: Clock, account: Account, three: list[Delivery]
) -> None:
    with pytest.raises(InvalidParameter, match="Rotate the secret"):
        await delivery_log(store, clock, new_key()).sign(account.id, three[0].id)
