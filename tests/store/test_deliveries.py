"""One delivery of every event to every endpoint that wants it, and every attempt on record."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from serve_app.domain.account import Account
from serve_app.domain.due import Due
from serve_app.domain.event import EventType, Spread
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Extraction
from serve_app.domain.query import DeliveryQuery
from serve_app.domain.webhook import AbandonReason, Delivery, DeliveryState, PauseReason, Payload
from serve_app.store.base import Store
from serve_app.store.base.webhooks import EndpointChanged
from tests.store.hooks import FAILED, REACHED, add_endpoint, add_test, change, claim_one, deliveries_of, emit, pause
from tests.support import LEASE, NOON, Clock, claim_next, make_record, newest_events, queue_invoice, queue_new


async def test_every_event_has_a_delivery_for_each_endpoint_that_wants_it(store: Store, account: Account) -> None:
    wants_all = await add_endpoint(store, account)
    wants_it = await add_endpoint(store, account, types=(EventType.COMPLETED,))
    await add_endpoint(store, account, types=(EventType.FAILED,))
    await add_endpoint(store, account, paused_reason=PauseReason.BY_HAND)
    event_id = await emit(store, account)
    made = await deliveries_of(store, account)
    assert {delivery.endpoint_id for delivery in made} == {wants_all.id, wants_it.id}
    assert {(delivery.event_id, delivery.event_type, delivery.state) for delivery in made} == {
        (event_id, EventType.COMPLETED, DeliveryState.PENDING)
    }


async def test_spreading_says_for_how_many_endpoints_events_were(store: Store, account: Account) -> None:
    await add_endpoint(store, account, types=(EventType.COMPLETED,))
    await add_endpoint(store, account, types=(EventType.FAILED,))
    await queue_new(store, account.id)
    await store.queue.save_result(await claim_next(store), Extraction(), NOON)
    assert await store.outbox.spread_pending(10) == Spread(invoices=1, deliveries=1)
    assert await store.outbox.spread_pending(10) == Spread(invoices=0, deliveries=0)


async def test_spreading_by_many_at_once_makes_each_delivery_once(
    store: Store, account: Account, open_again: Callable[[], Store]
) -> None:
    await add_endpoint(store, account)
    for _ in range(4):
        await queue_new(store, account.id)
        await store.queue.save_result(await claim_next(store), Extraction(), NOON)
    await asyncio.gather(*(opened.outbox.spread_pending(2) for opened in (store, open_again()) for _ in range(3)))
    await newest_events(store, account.id)
    assert len(await deliveries_of(store, account)) == 4


async def test_each_delivery_is_claimed_by_one_and_again_when_its_lease_is_over(
    store: Store, account: Account, clock: Clock, open_again: Callable[[], Store]
) -> None:
    endpoint = await add_endpoint(store, account)
    for _ in range(5):
        await add_test(store, endpoint)
    stores = (store, open_again())
    found = await asyncio.gather(
        *(opened.deliveries.claim_due(endpoint.id, LEASE, 2) for opened in stores for _ in range(3))
    )
    claims = {claim.id: claim for some in found for claim in some}
    assert (len(claims), sum(len(some) for some in found)) == (5, 5)
    clock.advance(LEASE.total_seconds())
    again = await store.deliveries.claim_due(endpoint.id, LEASE, 10)
    assert {delivery.id: delivery.claims for delivery in again} == {
        id: claim.claims + 1 for id, claim in claims.items()
    }
    assert not await store.deliveries.delivered(claims[again[0].id], REACHED)
    assert await store.deliveries.delivered(again[0], REACHED)


async def test_only_an_endpoints_own_due_deliveries_are_claimed_oldest_first(store: Store, account: Account) -> None:
    endpoint, other = await add_endpoint(store, account), await add_endpoint(store, account)
    await add_test(store, other)
    made = [(await add_test(store, endpoint)).id for _ in range(4)]
    first = await store.deliveries.claim_due(endpoint.id, LEASE, 3)
    assert [delivery.id for delivery in first] == made[:3]
    assert [claim.id for claim in await store.deliveries.claim_due(endpoint.id, LEASE, 3)] == made[3:]
    assert await store.deliveries.claim_due(new_id(), LEASE, 3) == []


async def test_nothing_is_claimed_for_an_endpoint_that_is_not_what_it_was(store: Store, account: Account) -> None:
    endpoint = await add_endpoint(store, account)
    await emit(store, account)
    changed = await change(store, endpoint, url="https://new.example/")
    with pytest.raises(EndpointChanged):
        await store.deliveries.claim_due(endpoint.id, LEASE, 1, endpoint.revision)
    (claim,) = await store.deliveries.claim_due(endpoint.id, LEASE, 1, changed.revision)
    # Nothing is left, but the endpoint is as it was.
    assert await store.deliveries.claim_due(endpoint.id, LEASE, 1, changed.revision) == []
    assert await store.deliveries.hand_back(claim)
    await pause(store, changed)
    with pytest.raises(EndpointChanged):
        await store.deliveries.claim_due(endpoint.id, LEASE, 1, changed.revision)
    await store.endpoints.remove(account.id, endpoint.id)
    with pytest.raises(EndpointChanged):
        await store.deliveries.claim_due(endpoint.id, LEASE, 1, changed.revision)


async def test_payloads_are_those_of_the_events(store: Store, account: Account) -> None:
    endpoint = await add_endpoint(store, account)
    await emit(store, account)
    (event,) = await newest_events(store, account.id)
    claim = await claim_one(store, endpoint)
    assert await store.deliveries.payloads([claim]) == {event.id: Payload(event.model_dump_json())}
    assert await store.deliveries.payloads([]) == {}


async def test_a_retry_is_due_when_said_and_every_attempt_is_kept(store: Store, account: Account, clock: Clock) -> None:
    endpoint = await add_endpoint(store, account)
    await emit(store, account)
    assert await store.deliveries.retry(await claim_one(store, endpoint), FAILED, timedelta(seconds=2))
    assert await store.deliveries.claim_due(endpoint.id, LEASE, 1) == []
    clock.advance(2)
    claim = await claim_one(store, endpoint)
    assert (claim.step, claim.attempts) == (1, (FAILED,))
    assert await store.deliveries.delivered(claim, REACHED)
    assert not await store.deliveries.delivered(claim, REACHED)
    (delivery,) = await deliveries_of(store, account)
    assert (delivery.state, delivery.attempts, delivery.next_attempt_at, delivery.step) == (
        DeliveryState.DELIVERED,
        (FAILED, REACHED),
        None,
        2,
    )
    clock.advance(86_400)
    assert await store.deliveries.claim_due(endpoint.id, LEASE, 1) == []


async def test_what_is_handed_back_is_due_at_once_and_no_attempt_is_counted(store: Store, account: Account) -> None:
    endpoint = await add_endpoint(store, account)
    await emit(store, account)
    claim = await claim_one(store, endpoint)
    assert await store.deliveries.hand_back(claim)
    again = await claim_one(store, endpoint)
    assert (again.id, again.step, again.attempts) == (claim.id, 0, ())
    assert not await store.deliveries.hand_back(claim)


@pytest.mark.parametrize("reason", list(AbandonReason))
async def test_what_is_abandoned_is_not_tried_again(
    store: Store, account: Account, clock: Clock, reason: AbandonReason
) -> None:
    endpoint = await add_endpoint(store, account)
    await emit(store, account)
    assert await store.deliveries.abandon(await claim_one(store, endpoint), FAILED, reason)
    (delivery,) = await deliveries_of(store, account)
    assert (delivery.state, delivery.abandoned_reason) == (DeliveryState.ABANDONED, reason)
    assert (delivery.attempts, delivery.next_attempt_at) == ((FAILED,), None)
    clock.advance(86_400)
    assert await store.deliveries.claim_due(endpoint.id, LEASE, 1) == []


async def paused_in_flight(store: Store, account: Account) -> Delivery:
    """The claim of a delivery that was abandoned while an attempt was under way."""
    endpoint = await add_endpoint(store, account)
    await emit(store, account)
    claim = await claim_one(store, endpoint)
    await pause(store, endpoint)
    return claim


async def test_a_failed_attempt_of_what_was_paused_meanwhile_is_kept(store: Store, account: Account) -> None:
    claim = await paused_in_flight(store, account)
    assert await store.deliveries.retry(claim, FAILED, timedelta(seconds=2))
    assert not await store.deliveries.abandon(claim, FAILED, AbandonReason.SCHEDULE_OVER)
    (delivery,) = await deliveries_of(store, account)
    assert (delivery.state, delivery.abandoned_reason) == (DeliveryState.ABANDONED, AbandonReason.ENDPOINT_PAUSED)
    assert (delivery.attempts, delivery.step, delivery.next_attempt_at) == ((FAILED,), 1, None)


async def test_an_attempt_that_is_written_down_twice_counts_once(store: Store, account: Account, clock: Clock) -> None:
    endpoint = await add_endpoint(store, account)
    await emit(store, account)
    claim = await claim_one(store, endpoint)
    # Like after a write whose answer was lost.
    assert await store.deliveries.retry(claim, FAILED, timedelta(seconds=2))
    assert not await store.deliveries.retry(claim, FAILED, timedelta(seconds=2))
    clock.advance(2)
    again = await claim_one(store, endpoint)
    assert (again.step, again.attempts) == (1, (FAILED,))


async def test_an_attempt_that_reached_a_paused_endpoint_counts(store: Store, account: Account) -> None:
    claim = await paused_in_flight(store, account)
    assert await store.deliveries.delivered(claim, REACHED)
    (delivery,) = await deliveries_of(store, account)
    assert (delivery.state, delivery.abandoned_reason) == (DeliveryState.DELIVERED, None)
    assert (delivery.attempts, delivery.next_attempt_at) == ((REACHED,), None)


async def test_what_was_paused_meanwhile_cannot_be_handed_back(store: Store, account: Account) -> None:
    assert not await store.deliveries.hand_back(await paused_in_flight(store, account))
    (delivery,) = await deliveries_of(store, account)
    assert delivery.state is DeliveryState.ABANDONED


async def test_an_old_claim_writes_nothing(store: Store, account: Account, clock: Clock) -> None:
    endpoint = await add_endpoint(store, account)
    await emit(store, account)
    old = await claim_one(store, endpoint)
    clock.advance(LEASE.total_seconds())
    present = await claim_one(store, endpoint)
    assert not await store.deliveries.delivered(old, REACHED)
    assert not await store.deliveries.retry(old, FAILED, LEASE)
    assert not await store.deliveries.abandon(old, FAILED, AbandonReason.SCHEDULE_OVER)
    assert not await store.deliveries.hand_back(old)
    assert await deliveries_of(store, account) == [present]


async def test_the_log_is_newest_first_paged_and_filtered(store: Store, account: Account, clock: Clock) -> None:
    one, two = await add_endpoint(store, account), await add_endpoint(store, account)
    later = NOON + timedelta(seconds=1)
    events = [await emit(store, account, at) for at in (NOON, later)]
    made = await deliveries_of(store, account)
    assert [delivery.id for delivery in made] == sorted((delivery.id for delivery in made), reverse=True)
    assert await store.deliveries.get(account.id, made[0].id) == made[0]
    assert await store.deliveries.get(new_id(), made[0].id) is None
    page = await store.deliveries.page(account.id, DeliveryQuery(), 3)
    assert (list(page.items), page.has_more) == (made[:3], True)
    rest = await store.deliveries.page(account.id, DeliveryQuery(), 3, after=made[2].id)
    assert (list(rest.items), rest.has_more) == (made[3:], False)
    await pause(store, two)

    async def found(query: DeliveryQuery) -> set[tuple[object, str]]:
        items = (await store.deliveries.page(account.id, query, 100)).items
        return {(delivery.endpoint_id, delivery.event_id) for delivery in items}

    assert await found(DeliveryQuery(endpoint_id=one.id, event_id=events[0])) == {(one.id, events[0])}
    assert await found(DeliveryQuery(state=DeliveryState.ABANDONED)) == {(two.id, event) for event in events}
    assert await found(DeliveryQuery(created_after=NOON, endpoint_id=one.id)) == {(one.id, events[1])}
    assert await found(DeliveryQuery(created_before=later, endpoint_id=two.id)) == {(two.id, events[0])}
    assert await found(DeliveryQuery(created_after=NOON, created_before=later)) == set()
    assert (await store.deliveries.page(new_id(), DeliveryQuery(), 100)).items == ()


async def test_many_that_arrived_are_written_down_together_but_for_old_claims(
    store: Store, account: Account, clock: Clock
) -> None:
    endpoint = await add_endpoint(store, account)
    for _ in range(3):
        await emit(store, account)
    lost = await store.deliveries.claim_due(endpoint.id, LEASE, 1)
    clock.advance(LEASE.total_seconds())
    claims = await store.deliveries.claim_due(endpoint.id, LEASE, 3)
    await store.deliveries.all_delivered([(claim, REACHED) for claim in lost])
    assert {delivery.state for delivery in await deliveries_of(store, account)} == {DeliveryState.PENDING}
    await store.deliveries.all_delivered([(claim, REACHED) for claim in claims])
    await store.deliveries.all_delivered([])
    assert [(delivery.state, delivery.attempts) for delivery in await deliveries_of(store, account)] == [
        (DeliveryState.DELIVERED, (REACHED,))
    ] * 3


async def test_what_is_due_is_counted(store: Store, account: Account, clock: Clock) -> None:
    assert await store.deliveries.due() == Due(0, None)
    endpoint = await add_endpoint(store, account)
    for _ in range(3):
        await emit(store, account)
    since = clock.now
    clock.advance(60)
    assert await store.deliveries.due() == Due(3, since)
    await store.deliveries.retry(await claim_one(store, endpoint), FAILED, timedelta(minutes=5))
    assert (await store.deliveries.due()).count == 2
    await store.lanes.claim(LEASE, slow=False)
    assert (await store.deliveries.due()).since is None


async def test_a_delivery_is_part_of_its_documents_trace(store: Store, account: Account) -> None:
    await add_endpoint(store, account)
    await queue_invoice(store, replace(make_record(account.id), trace="00-one"))
    await store.queue.save_result(await claim_next(store), Extraction(), NOON)
    await newest_events(store, account.id)
    (delivery,) = await deliveries_of(store, account)
    assert delivery.trace == "00-one"


async def test_a_failed_one_is_claimed_again_at_once_by_one(
    store: Store, account: Account, open_again: Callable[[], Store]
) -> None:
    endpoint = await add_endpoint(store, account)
    await add_test(store, endpoint)
    (claim,) = await store.deliveries.claim_due(endpoint.id, LEASE, 1)
    assert await store.deliveries.claim_again(claim, LEASE, endpoint.revision) is None
    assert await store.deliveries.retry(claim, FAILED, timedelta(seconds=2))
    stores = (store, open_again())
    found = await asyncio.gather(
        *(opened.deliveries.claim_again(claim, LEASE, endpoint.revision) for opened in stores for _ in range(2))
    )
    (again,) = [each for each in found if each is not None]
    assert (again.id, again.step, again.claims) == (claim.id, 1, claim.claims + 1)
    assert await store.deliveries.delivered(again, REACHED)


async def test_none_is_claimed_again_for_an_endpoint_that_has_changed(store: Store, account: Account) -> None:
    endpoint = await add_endpoint(store, account)
    await add_test(store, endpoint)
    (claim,) = await store.deliveries.claim_due(endpoint.id, LEASE, 1)
    assert await store.deliveries.retry(claim, FAILED, timedelta(seconds=2))
    await change(store, endpoint, url="https://other.example/")
    with pytest.raises(EndpointChanged):
        await store.deliveries.claim_again(claim, LEASE, endpoint.revision)
