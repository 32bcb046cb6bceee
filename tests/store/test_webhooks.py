"""Endpoints, and one delivery of every event to every endpoint that wants it."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from serve_app.domain.account import Account
from serve_app.domain.event import EventType
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Extraction
from serve_app.domain.webhook import Attempt, Delivery, DeliveryState, EndpointSecret, WebhookEndpoint
from serve_app.store.base import Store
from tests.support import LEASE, NOON, Clock, claim_next, newest_events, queue_new

FAILED = Attempt(at=NOON, seconds=0.25, status=500, body="no")
REACHED = Attempt(at=NOON, seconds=0.1, status=204)


async def endpoint(store: Store, account: Account, **changes: object) -> WebhookEndpoint:
    secrets = (EndpointSecret("sealed"), EndpointSecret("older", NOON))
    made = WebhookEndpoint(new_id(), account.id, "https://example.com/hook", (), secrets, NOON)
    made = replace(made, **changes)  # type: ignore[arg-type]
    await store.endpoints.add(made)
    return made


async def emit(store: Store, account: Account) -> str:
    """The id of a new event."""
    await queue_new(store, account.id)
    await store.queue.save_result(await claim_next(store), Extraction(), NOON)
    return (await newest_events(store, account.id))[0].id


async def deliveries(store: Store, account: Account) -> list[Delivery]:
    return list((await store.deliveries.page(account.id, 100)).items)


async def due(store: Store) -> Delivery:
    claim = await store.deliveries.claim_due(LEASE)
    assert claim is not None
    return claim


async def test_an_endpoint_comes_back_as_it_was(store: Store, account: Account) -> None:
    first = await endpoint(store, account, types=(EventType.FAILED,), failing_since=NOON)
    second = await endpoint(store, account)
    assert await store.endpoints.get(account.id, first.id) == first
    assert await store.endpoints.of_account(account.id) == [first, second]
    assert await store.endpoints.get(new_id(), first.id) is None


async def test_of_two_changes_the_one_that_saw_the_present_state_wins(store: Store, account: Account) -> None:
    first = await endpoint(store, account)
    changed = await store.endpoints.replace(replace(first, paused_reason="by hand"))
    assert changed is not None
    assert await store.endpoints.get(account.id, first.id) == changed
    assert await store.endpoints.replace(replace(first, url="https://late.example")) is None
    assert await store.endpoints.get(account.id, first.id) == changed


async def test_every_event_has_a_delivery_for_each_endpoint_that_wants_it(store: Store, account: Account) -> None:
    wants_all = await endpoint(store, account)
    wants_it = await endpoint(store, account, types=(EventType.COMPLETED,))
    await endpoint(store, account, types=(EventType.FAILED,))
    await endpoint(store, account, paused_reason="by hand")
    event_id = await emit(store, account)
    made = await deliveries(store, account)
    assert {delivery.endpoint_id for delivery in made} == {wants_all.id, wants_it.id}
    assert {(one.event_id, one.event_type, one.state) for one in made} == {
        (event_id, EventType.COMPLETED, DeliveryState.PENDING)
    }


async def test_spreading_by_many_at_once_makes_each_delivery_once(
    store: Store, account: Account, open_again: Callable[[], Store]
) -> None:
    await endpoint(store, account)
    for _ in range(4):
        await queue_new(store, account.id)
        await store.queue.save_result(await claim_next(store), Extraction(), NOON)
    await asyncio.gather(*(one.outbox.spread_pending(2) for one in (store, open_again()) for _ in range(3)))
    await newest_events(store, account.id)
    assert len(await deliveries(store, account)) == 4


async def test_a_delivery_is_claimed_by_one_and_again_when_its_lease_is_over(
    store: Store, account: Account, clock: Clock, open_again: Callable[[], Store]
) -> None:
    await endpoint(store, account)
    await emit(store, account)
    found = await asyncio.gather(*(one.deliveries.claim_due(LEASE) for one in (store, open_again()) for _ in range(3)))
    (claim,) = [one for one in found if one is not None]
    clock.advance(LEASE.total_seconds())
    again = await due(store)
    assert (again.id, again.claims) == (claim.id, claim.claims + 1)
    assert not await store.deliveries.delivered(claim, REACHED)
    assert await store.deliveries.delivered(again, REACHED)


async def test_a_retry_is_due_when_said_and_every_attempt_is_kept(store: Store, account: Account, clock: Clock) -> None:
    await endpoint(store, account)
    await emit(store, account)
    assert await store.deliveries.retry(await due(store), FAILED, timedelta(seconds=2))
    assert await store.deliveries.claim_due(LEASE) is None
    clock.advance(2)
    claim = await due(store)
    assert (claim.step, claim.attempts) == (1, (FAILED,))
    assert await store.deliveries.delivered(claim, REACHED)
    (delivery,) = await deliveries(store, account)
    assert (delivery.state, delivery.attempts, delivery.next_attempt_at) == (
        DeliveryState.DELIVERED,
        (FAILED, REACHED),
        None,
    )
    clock.advance(86_400)
    assert await store.deliveries.claim_due(LEASE) is None


async def test_what_is_abandoned_can_be_delivered_again_from_the_start(
    store: Store, account: Account, clock: Clock
) -> None:
    await endpoint(store, account)
    await emit(store, account)
    claim = await due(store)
    assert await store.deliveries.abandon(claim, FAILED, "gone")
    (delivery,) = await deliveries(store, account)
    assert (delivery.state, delivery.abandoned_reason) == (DeliveryState.ABANDONED, "gone")
    clock.advance(86_400)
    assert await store.deliveries.claim_due(LEASE) is None
    assert await store.deliveries.redeliver(new_id(), delivery.id) is None
    again = await store.deliveries.redeliver(account.id, delivery.id)
    assert again is not None
    assert (again.state, again.step, again.attempts) == (DeliveryState.PENDING, 0, (FAILED,))
    assert not await store.deliveries.delivered(claim, REACHED)
    assert (await due(store)).id == delivery.id


async def test_pausing_an_endpoint_abandons_what_waits_for_it(store: Store, account: Account) -> None:
    paused, other = await endpoint(store, account), await endpoint(store, account)
    await emit(store, account)
    await emit(store, account)
    assert await store.deliveries.abandon_pending(paused.id, "endpoint_paused") == 2
    states = {(one.endpoint_id, one.state) for one in await deliveries(store, account)}
    assert states == {(paused.id, DeliveryState.ABANDONED), (other.id, DeliveryState.PENDING)}


async def test_the_log_is_newest_first_paged_and_filtered(store: Store, account: Account) -> None:
    one, two = await endpoint(store, account), await endpoint(store, account)
    events = [await emit(store, account) for _ in range(2)]
    made = await deliveries(store, account)
    assert [delivery.id for delivery in made] == sorted((delivery.id for delivery in made), reverse=True)
    assert await store.deliveries.get(account.id, made[0].id) == made[0]
    assert await store.deliveries.get(new_id(), made[0].id) is None
    page = await store.deliveries.page(account.id, 3)
    assert (list(page.items), page.has_more) == (made[:3], True)
    rest = await store.deliveries.page(account.id, 3, after=made[2].id)
    assert (list(rest.items), rest.has_more) == (made[3:], False)
    of_one = await store.deliveries.page(account.id, 100, endpoint_id=one.id, event_id=events[0])
    assert [(delivery.endpoint_id, delivery.event_id) for delivery in of_one.items] == [(one.id, events[0])]
    await store.deliveries.abandon_pending(two.id, "gone")
    abandoned = await store.deliveries.page(account.id, 100, state=DeliveryState.ABANDONED)
    assert {delivery.endpoint_id for delivery in abandoned.items} == {two.id}
    assert (await store.deliveries.page(new_id(), 100)).items == ()


async def test_a_removed_endpoint_takes_its_deliveries_along(store: Store, account: Account) -> None:
    gone = await endpoint(store, account)
    await emit(store, account)
    assert not await store.endpoints.remove(new_id(), gone.id)
    assert await store.endpoints.remove(account.id, gone.id)
    assert not await store.endpoints.remove(account.id, gone.id)
    assert await deliveries(store, account) == []
    assert await store.deliveries.claim_due(LEASE) is None
