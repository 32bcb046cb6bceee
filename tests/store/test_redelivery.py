"""Deliveries that somebody asks for: again, and of test events."""

from datetime import timedelta

import pytest

from serve_app.domain.account import Account
from serve_app.domain.erased import Erased
from serve_app.domain.ids import new_id
from serve_app.domain.query import EventQuery
from serve_app.domain.webhook import AbandonReason, Delivery, DeliveryState, Payload, WebhookEndpoint
from serve_app.store.base import Store
from serve_app.store.base.webhooks import EndpointPaused
from tests.store.hooks import (
    FAILED,
    REACHED,
    WELL,
    add_endpoint,
    add_test,
    claim_lane,
    claim_one,
    deliveries_of,
    emit,
    make_test_event,
    no_lane,
    pause,
    resume,
)
from tests.support import LEASE, NOON, Clock, newest_events

SECOND = timedelta(seconds=1)


async def abandoned(store: Store, endpoint: WebhookEndpoint) -> Delivery:
    """The claim of a delivery that was abandoned; nobody holds the lane."""
    lane, claim = await claim_lane(store), await claim_one(store, endpoint)
    assert await store.deliveries.abandon(claim, FAILED, AbandonReason.SCHEDULE_OVER)
    assert await store.lanes.release_lease(lane, WELL) is None
    return claim


async def states_of(store: Store, account: Account) -> dict[str, set[DeliveryState]]:
    """The states of each event's deliveries."""
    made = await deliveries_of(store, account)
    return {
        delivery.event_id: {other.state for other in made if other.event_id == delivery.event_id} for delivery in made
    }


async def test_what_is_abandoned_can_be_delivered_again_from_the_start(
    store: Store, account: Account, clock: Clock
) -> None:
    endpoint = await add_endpoint(store, account)
    await emit(store, account)
    claim = await abandoned(store, endpoint)
    clock.advance(86_400)
    assert await no_lane(store)
    assert await store.deliveries.redeliver(new_id(), claim.id) is None
    assert await store.deliveries.redeliver(account.id, new_id()) is None
    again = await store.deliveries.redeliver(account.id, claim.id)
    assert again is not None
    assert (again.state, again.step, again.attempts) == (DeliveryState.PENDING, 0, (FAILED,))
    assert again.abandoned_reason is None
    assert not await store.deliveries.delivered(claim, REACHED)
    await claim_lane(store)
    assert (await claim_one(store, endpoint)).id == claim.id


async def test_what_was_delivered_can_be_delivered_again(store: Store, account: Account) -> None:
    endpoint = await add_endpoint(store, account)
    await emit(store, account)
    lane, claim = await claim_lane(store), await claim_one(store, endpoint)
    await store.deliveries.delivered(claim, REACHED)
    await store.lanes.release_lease(lane, WELL)
    assert await store.deliveries.redeliver(account.id, claim.id) is not None
    await claim_lane(store)
    again = await claim_one(store, endpoint)
    assert (again.id, again.attempts) == (claim.id, (REACHED,))


async def test_all_that_was_abandoned_since_a_moment_is_delivered_again(store: Store, account: Account) -> None:
    endpoint = await add_endpoint(store, account)
    times = [NOON, NOON + SECOND, NOON + 2 * SECOND]
    events = [await emit(store, account, at) for at in times]
    paused = await pause(store, endpoint)
    assert await store.deliveries.redeliver_abandoned(account.id, NOON) == 0
    await resume(store, paused)
    lane = await claim_lane(store)
    await store.lanes.release_lease(lane, WELL)
    assert await no_lane(store)
    assert await store.deliveries.redeliver_abandoned(new_id(), NOON) == 0
    assert await store.deliveries.redeliver_abandoned(account.id, times[1]) == 2
    assert await store.deliveries.redeliver_abandoned(account.id, times[1]) == 0
    assert await states_of(store, account) == {
        events[0]: {DeliveryState.ABANDONED},
        events[1]: {DeliveryState.PENDING},
        events[2]: {DeliveryState.PENDING},
    }
    await claim_lane(store)
    assert len(await store.deliveries.claim_due(endpoint.id, LEASE, 10)) == 2


async def test_one_endpoints_or_all_active_ones_deliveries_are_made_again(store: Store, account: Account) -> None:
    first, second, paused = [await add_endpoint(store, account) for _ in range(3)]
    await emit(store, account)
    for endpoint in (first, second, paused):
        await pause(store, endpoint)
    for endpoint in (first, second):
        await resume(store, endpoint)
    assert await store.deliveries.redeliver_abandoned(account.id, NOON, paused.id) == 0
    assert await store.deliveries.redeliver_abandoned(account.id, NOON, new_id()) == 0
    assert await store.deliveries.redeliver_abandoned(account.id, NOON, second.id) == 1
    assert await store.deliveries.redeliver_abandoned(account.id, NOON) == 1
    states = {delivery.endpoint_id: delivery.state for delivery in await deliveries_of(store, account)}
    assert states == {
        first.id: DeliveryState.PENDING,
        second.id: DeliveryState.PENDING,
        paused.id: DeliveryState.ABANDONED,
    }


async def test_a_test_event_is_delivered_to_one_endpoint_and_no_list_shows_it(store: Store, account: Account) -> None:
    endpoint, _ = await add_endpoint(store, account), await add_endpoint(store, account)
    event = make_test_event(account.id)
    made = await store.deliveries.add_test(event, endpoint.id)
    assert made is not None
    assert (made.event_id, made.event_type, made.endpoint_id) == (event.id, event.type, endpoint.id)
    assert (made.created_at, made.state) == (event.created_at, DeliveryState.PENDING)
    assert await deliveries_of(store, account) == [made]
    assert await newest_events(store, account.id) == []
    assert (await store.events.page(account.id, EventQuery(type=event.type), 10)).items == ()
    assert await store.events.get(account.id, event.id) is None
    assert (await claim_lane(store)).endpoint.id == endpoint.id
    assert await store.deliveries.payloads([await claim_one(store, endpoint)]) == {
        event.id: Payload(event.payload, is_test=True)
    }
    assert await no_lane(store)


async def test_there_is_no_test_for_an_endpoint_that_the_account_has_not(store: Store, account: Account) -> None:
    endpoint = await add_endpoint(store, account)
    assert await store.deliveries.add_test(make_test_event(account.id), new_id()) is None
    assert await store.deliveries.add_test(make_test_event(new_id()), endpoint.id) is None
    assert await no_lane(store)


async def test_nothing_is_made_to_wait_for_a_paused_endpoint(store: Store, account: Account) -> None:
    endpoint = await add_endpoint(store, account)
    await emit(store, account)
    lane, claim = await claim_lane(store), await claim_one(store, endpoint)
    await store.deliveries.delivered(claim, REACHED)
    await store.lanes.release_lease(lane, WELL)
    await pause(store, endpoint)
    before = await deliveries_of(store, account)
    with pytest.raises(EndpointPaused):
        await store.deliveries.redeliver(account.id, claim.id)
    with pytest.raises(EndpointPaused):
        await store.deliveries.add_test(make_test_event(account.id), endpoint.id)
    assert await deliveries_of(store, account) == before


async def test_a_deleted_invoice_leaves_lanes_and_test_events(store: Store, account: Account) -> None:
    endpoint = await add_endpoint(store, account)
    test = await add_test(store, endpoint)
    await emit(store, account)
    (record,) = await store.erasure.next_invoices(account.id, 10)
    assert await store.erasure.invoice(record, NOON) == Erased(invoices=1, events=1, deliveries=1)
    lane = await claim_lane(store)
    assert (await claim_one(store, endpoint)).id == test.id
    assert set(await store.deliveries.payloads([test])) == {test.event_id}
    assert await store.lanes.release_lease(lane, WELL) == NOON + LEASE


async def test_a_lane_of_deleted_deliveries_comes_to_nothing(store: Store, account: Account) -> None:
    endpoint = await add_endpoint(store, account)
    await emit(store, account)
    (record,) = await store.erasure.next_invoices(account.id, 10)
    await store.erasure.invoice(record, NOON)
    lane = await claim_lane(store)
    assert await store.deliveries.claim_due(endpoint.id, LEASE, 10) == []
    assert await store.lanes.release_lease(lane, WELL) is None


async def test_a_deleted_account_takes_held_lanes_and_test_events_along(store: Store, account: Account) -> None:
    endpoint = await add_endpoint(store, account)
    test = await add_test(store, endpoint)
    lane, claim = await claim_lane(store), await claim_one(store, endpoint)
    assert await store.erasure.account(account.id) == Erased(events=1, deliveries=1, endpoints=1, accounts=1)
    assert await store.deliveries.payloads([test]) == {}
    assert not await store.deliveries.delivered(claim, REACHED)
    assert not await store.deliveries.retry(claim, FAILED, SECOND)
    assert await store.lanes.release_lease(lane, WELL) is None
    assert await no_lane(store)
