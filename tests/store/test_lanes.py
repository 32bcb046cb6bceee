"""Lanes: one worker at a time delivers to an endpoint, and every endpoint that waits gets its turn."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from itertools import chain

from serve_app.domain.account import Account, Plan
from serve_app.domain.ids import new_id
from serve_app.domain.webhook import LaneRoom, WebhookEndpoint
from serve_app.store.base import Store
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
    no_lane,
    pause,
    resume,
)
from tests.support import LEASE, NOON, Clock

HOUR = 3600


async def waiting(store: Store, account: Account, count: int, clock: Clock | None = None) -> list[WebhookEndpoint]:
    """New endpoints with a due delivery each, one second after the other."""
    made = []
    for _ in range(count):
        made.append(await add_endpoint(store, account))
        await add_test(store, made[-1])
        if clock is not None:
            clock.advance(1)
    return made


async def test_an_endpoint_has_a_lane_once_a_delivery_waits(store: Store, account: Account) -> None:
    endpoint = await add_endpoint(store, account)
    assert await no_lane(store)
    await emit(store, account)
    assert (await claim_lane(store)).endpoint == endpoint
    assert await no_lane(store)


async def test_many_claimers_at_once_get_different_lanes(
    store: Store, account: Account, open_again: Callable[[], Store]
) -> None:
    made = await waiting(store, account, 3)
    stores = (store, open_again())
    found = await asyncio.gather(*(store.lanes.claim(LEASE, slow=False) for store in stores for _ in range(4)))
    assert sorted(lane.endpoint.id for lane in chain.from_iterable(found)) == [endpoint.id for endpoint in made]


async def test_who_waits_longest_is_served_first(store: Store, account: Account, clock: Clock) -> None:
    first, second = await add_endpoint(store, account), await add_endpoint(store, account)
    for endpoint in (second, first, second):
        await add_test(store, endpoint)
        clock.advance(1)
    assert [(await claim_lane(store)).endpoint.id for _ in range(2)] == [second.id, first.id]


async def test_who_gives_back_goes_behind_those_who_wait(store: Store, account: Account, clock: Clock) -> None:
    first, second = await waiting(store, account, 2, clock)
    lane = await claim_lane(store)
    assert lane.endpoint.id == first.id
    assert await store.lanes.release_lease(lane, WELL) == clock.now
    assert [(await claim_lane(store)).endpoint.id for _ in range(2)] == [second.id, first.id]


async def test_slow_endpoints_and_the_others_do_not_wait_for_each_other(store: Store, account: Account) -> None:
    slow, prompt = await add_endpoint(store, account, is_slow=True), await add_endpoint(store, account)
    await emit(store, account)
    assert (await claim_lane(store, slow=True)).endpoint.id == slow.id
    assert await store.lanes.claim(LEASE, slow=True) == []
    assert (await claim_lane(store)).endpoint.id == prompt.id
    assert await store.lanes.claim(LEASE, slow=False) == []


async def test_accounts_that_have_enough_are_left_out(store: Store, account: Account) -> None:
    other = Account(new_id(), Plan.PRO, NOON)
    await store.accounts.add(other)
    await waiting(store, account, 2)
    (second,) = await waiting(store, other, 1)
    full = LaneRoom(1, 2, {account.id: 0, new_id(): 0})
    (lane,) = await store.lanes.claim(LEASE, slow=False, room=full)
    assert lane.endpoint.id == second.id
    assert await store.lanes.claim(LEASE, slow=False, room=full) == []
    assert await store.lanes.claim(LEASE, slow=False, room=LaneRoom(1, 2, {other.id: 0})) != []


async def test_several_lanes_are_claimed_together_in_the_order_of_their_turns(
    store: Store, account: Account, clock: Clock
) -> None:
    made = await waiting(store, account, 5, clock)
    lanes = await store.lanes.claim(LEASE, slow=False, room=LaneRoom(3, 5))
    assert [lane.endpoint.id for lane in lanes] == [endpoint.id for endpoint in made[:3]]
    assert [lane.token for lane in lanes] == [1, 1, 1]
    assert len(await store.lanes.claim(LEASE, slow=False, room=LaneRoom(3, 5))) == 2
    assert await no_lane(store)


async def test_an_account_gets_no_more_lanes_than_it_has_room_for(store: Store, account: Account, clock: Clock) -> None:
    other = Account(new_id(), Plan.PRO, NOON)
    await store.accounts.add(other)
    first = await waiting(store, account, 3, clock)
    (last,) = await waiting(store, other, 1, clock)
    lanes = await store.lanes.claim(LEASE, slow=False, room=LaneRoom(4, 3, {account.id: 1}))
    assert [lane.endpoint.id for lane in lanes] == [first[0].id, last.id]
    lanes = await store.lanes.claim(LEASE, slow=False, room=LaneRoom(4, 1))
    assert [lane.endpoint.id for lane in lanes] == [first[1].id]


async def test_a_lane_whose_holder_died_is_claimed_again_and_the_old_claim_is_void(
    store: Store, account: Account, clock: Clock
) -> None:
    await waiting(store, account, 1)
    lost = await claim_lane(store)
    assert await no_lane(store)
    clock.advance(LEASE.total_seconds())
    present = await claim_lane(store)
    assert present.endpoint.id == lost.endpoint.id
    assert not await store.lanes.renew(lost, LEASE)
    assert await store.lanes.release_lease(lost, WELL) is None
    assert await no_lane(store)
    assert await store.lanes.renew(present, LEASE)
    assert await store.lanes.release_lease(present, WELL) == clock.now


async def test_a_renewed_lane_stays_its_holders(store: Store, account: Account, clock: Clock) -> None:
    await waiting(store, account, 1)
    lane = await claim_lane(store)
    clock.advance(LEASE.total_seconds() - 1)
    assert await store.lanes.renew(lane, LEASE)
    clock.advance(LEASE.total_seconds() - 1)
    assert await no_lane(store)
    clock.advance(1)
    assert (await claim_lane(store)).endpoint.id == lane.endpoint.id


async def test_a_lane_that_was_given_back_is_nobodys(store: Store, account: Account) -> None:
    await waiting(store, account, 1)
    lane = await claim_lane(store)
    assert await store.lanes.release_lease(lane, WELL) is not None
    assert await store.lanes.release_lease(lane, WELL) is None
    assert not await store.lanes.renew(lane, LEASE)


async def test_what_comes_while_a_lane_is_held_waits_for_it(store: Store, account: Account) -> None:
    (endpoint,) = await waiting(store, account, 1)
    lane = await claim_lane(store)
    await store.deliveries.delivered(await claim_one(store, endpoint), REACHED)
    await emit(store, account)
    assert await no_lane(store)
    assert await store.lanes.release_lease(lane, WELL) is not None
    assert (await claim_lane(store)).endpoint.id == endpoint.id
    await claim_one(store, endpoint)


async def test_an_endpoint_without_work_has_no_lane(store: Store, account: Account, clock: Clock) -> None:
    (endpoint,) = await waiting(store, account, 1)
    lane = await claim_lane(store)
    await store.deliveries.delivered(await claim_one(store, endpoint), REACHED)
    assert await store.lanes.release_lease(lane, WELL) is None
    clock.advance(HOUR)
    assert await no_lane(store)


async def test_a_retry_brings_the_lane_back_when_it_is_due(store: Store, account: Account, clock: Clock) -> None:
    (endpoint,) = await waiting(store, account, 1)
    lane = await claim_lane(store)
    await store.deliveries.retry(await claim_one(store, endpoint), FAILED, timedelta(minutes=5))
    assert await store.lanes.release_lease(lane, WELL) == clock.now + timedelta(minutes=5)
    clock.advance(299)
    assert await no_lane(store)
    clock.advance(1)
    await claim_lane(store)
    await claim_one(store, endpoint)


async def test_what_is_written_after_the_lane_was_given_back_is_due_in_time(
    store: Store, account: Account, clock: Clock
) -> None:
    (endpoint,) = await waiting(store, account, 1)
    for late in ("retry", "hand back"):
        lane, claim = await claim_lane(store), await claim_one(store, endpoint)
        assert await store.lanes.release_lease(lane, WELL) == clock.now + LEASE
        if late == "retry":
            assert await store.deliveries.retry(claim, FAILED, timedelta(seconds=2))
            assert await no_lane(store)
            clock.advance(2)
        else:
            assert await store.deliveries.hand_back(claim)
    assert (await claim_lane(store)).endpoint.id == endpoint.id
    await claim_one(store, endpoint)


async def test_a_paused_endpoint_has_no_lane_and_a_resumed_one_has(
    store: Store, account: Account, clock: Clock
) -> None:
    (endpoint,) = await waiting(store, account, 1)
    await pause(store, endpoint)
    (delivery,) = await deliveries_of(store, account)
    assert await no_lane(store)
    await resume(store, endpoint)
    await store.deliveries.redeliver(account.id, delivery.id)
    assert (await claim_lane(store)).endpoint.id == endpoint.id
    await claim_one(store, endpoint)


async def test_a_lane_outlives_a_pause_while_it_is_held(store: Store, account: Account) -> None:
    (endpoint,) = await waiting(store, account, 1)
    lane = await claim_lane(store)
    await pause(store, endpoint)
    await resume(store, endpoint)
    await emit(store, account)
    assert await no_lane(store)
    assert await store.lanes.renew(lane, LEASE)
    assert await store.lanes.release_lease(lane, WELL) is not None
    await claim_lane(store)


async def test_a_lane_is_given_back_after_its_endpoint_was_paused_or_removed(store: Store, account: Account) -> None:
    first, second = await waiting(store, account, 2)
    lanes = [await claim_lane(store) for _ in range(2)]
    await pause(store, first)
    await store.endpoints.remove(account.id, second.id)
    assert [await store.lanes.release_lease(lane, WELL) for lane in lanes] == [None, None]
    assert not await store.lanes.renew(lanes[1], LEASE)
    assert await no_lane(store)
