"""Lanes note how an endpoint does, and survive a clock that is set back."""

from dataclasses import replace
from datetime import timedelta

import pytest

from serve_app.domain.account import Account
from serve_app.domain.ids import new_id
from serve_app.domain.webhook import Health
from serve_app.services.delivery.schedule import delay_after
from serve_app.store.base import Store
from serve_app.store.base.webhooks import LATEST_RETRIES
from tests.store.hooks import (
    FAILED,
    WELL,
    add_endpoint,
    add_test,
    change,
    claim_lane,
    claim_one,
    no_lane,
    pause,
)
from tests.support import LEASE, NOON, Clock

HOUR = 3600
ILL = Health(is_slow=True, failing_since=NOON)


async def test_how_an_endpoint_did_is_recorded(store: Store, account: Account) -> None:
    endpoint = await add_endpoint(store, account)
    await add_test(store, endpoint)
    await store.lanes.release_lease(await claim_lane(store), ILL)
    recorded = replace(endpoint, is_slow=True, failing_since=NOON, revision=1)
    assert await store.endpoints.get(account.id, endpoint.id) == recorded
    lane = await claim_lane(store, slow=True)
    assert lane.endpoint == recorded
    await store.lanes.release_lease(lane, WELL)
    assert await store.endpoints.get(account.id, endpoint.id) == replace(endpoint, revision=2)


async def test_what_was_recorded_meanwhile_is_not_undone_by_a_change(store: Store, account: Account) -> None:
    endpoint = await add_endpoint(store, account)
    await add_test(store, endpoint)
    await store.lanes.release_lease(await claim_lane(store), ILL)
    assert await store.endpoints.replace(replace(endpoint, url="https://late.example")) is None


@pytest.mark.parametrize("health", [WELL, ILL])
async def test_where_nothing_changed_a_change_under_way_is_not_hindered(
    store: Store, account: Account, health: Health
) -> None:
    before = {"is_slow": health.is_slow, "failing_since": health.failing_since}
    endpoint = await add_endpoint(store, account, **before)
    await add_test(store, endpoint)
    await store.lanes.release_lease(await claim_lane(store, slow=health.is_slow), health)
    assert await store.endpoints.replace(replace(endpoint, url="https://new.example")) is not None


@pytest.mark.parametrize(
    "changes", [{"url": "https://new.example/"}, {"description": "the till"}, {"failing_since": None}]
)
async def test_what_was_changed_meanwhile_is_not_what_did_so(
    store: Store, account: Account, changes: dict[str, object]
) -> None:
    endpoint = await add_endpoint(store, account, failing_since=NOON)
    await add_test(store, endpoint)
    lane = await claim_lane(store)
    changed = await change(store, endpoint, **changes)
    await store.lanes.release_lease(lane, replace(ILL, is_slow=True))
    assert await store.endpoints.get(account.id, endpoint.id) == changed


async def test_a_resumed_endpoint_does_not_fail_for_what_a_lane_saw_before(store: Store, account: Account) -> None:
    endpoint = await add_endpoint(store, account, failing_since=NOON)
    await add_test(store, endpoint)
    lane = await claim_lane(store)
    await pause(store, endpoint)
    await change(store, endpoint, paused_reason=None, failing_since=None)
    await store.lanes.release_lease(lane, Health(is_slow=False, failing_since=NOON))
    resumed = await store.endpoints.get(account.id, endpoint.id)
    assert resumed is not None
    assert resumed.failing_since is None


async def test_a_paused_endpoint_stays_as_it_was_paused(store: Store, account: Account) -> None:
    endpoint = await add_endpoint(store, account)
    await add_test(store, endpoint)
    lane = await claim_lane(store)
    paused = await pause(store, endpoint)
    await store.lanes.release_lease(lane, ILL)
    assert await store.endpoints.get(account.id, endpoint.id) == paused


async def test_an_old_holder_notes_nothing(store: Store, account: Account, clock: Clock) -> None:
    endpoint = await add_endpoint(store, account)
    await add_test(store, endpoint)
    lost = await claim_lane(store)
    clock.advance(LEASE.total_seconds())
    await claim_lane(store)
    await store.lanes.release_lease(lost, ILL)
    assert await store.endpoints.get(account.id, endpoint.id) == endpoint


async def test_a_held_lane_is_freed_after_the_clock_was_set_back(store: Store, account: Account, clock: Clock) -> None:
    await add_test(store, await add_endpoint(store, account))
    lane = await claim_lane(store)
    assert await store.lanes.repair() == 0
    clock.advance(-HOUR)
    assert await no_lane(store)
    assert await store.lanes.repair() == 1
    assert await store.lanes.repair() == 0
    assert not await store.lanes.renew(lane, LEASE)
    assert (await claim_lane(store)).endpoint.id == lane.endpoint.id


async def test_who_waited_when_the_clock_was_set_back_is_served(store: Store, account: Account, clock: Clock) -> None:
    endpoint = await add_endpoint(store, account)
    await add_test(store, endpoint)
    clock.advance(-HOUR)
    await store.lanes.repair()
    assert (await claim_lane(store)).endpoint.id == endpoint.id
    await claim_one(store, endpoint)


async def test_a_repair_hastens_no_retry(store: Store, account: Account, clock: Clock) -> None:
    endpoint = await add_endpoint(store, account)
    await add_test(store, endpoint)
    lane = await claim_lane(store)
    for _ in range(4):
        await store.deliveries.retry(await claim_one(store, endpoint), FAILED, timedelta(0))
    await store.deliveries.retry(await claim_one(store, endpoint), FAILED, timedelta(hours=8))
    await store.lanes.release_lease(lane, WELL)
    assert await store.lanes.repair() == 0
    clock.advance(8 * HOUR - 1)
    assert await no_lane(store)
    clock.advance(1)
    await claim_lane(store)


@pytest.mark.parametrize("days", [1, 10])
@pytest.mark.parametrize("failed", range(1, 7))
async def test_a_retry_planned_by_a_clock_that_ran_ahead_is_due_once_it_is_right(
    store: Store, account: Account, clock: Clock, failed: int, days: int
) -> None:
    endpoint = await add_endpoint(store, account)
    await add_test(store, endpoint)
    clock.advance(days * 24 * HOUR)
    lane = await claim_lane(store)
    for _ in range(failed - 1):
        await store.deliveries.retry(await claim_one(store, endpoint), FAILED, timedelta(0))
    claim = await claim_one(store, endpoint)
    delay = delay_after(failed, claim.id)
    assert delay is not None
    await store.deliveries.retry(claim, FAILED, delay)
    await store.lanes.release_lease(lane, WELL)
    clock.advance(-days * 24 * HOUR)
    assert await no_lane(store)
    assert await store.lanes.repair() == 1
    assert await store.lanes.repair() == 0
    await claim_lane(store)
    await claim_one(store, endpoint)


def test_no_retry_is_taken_for_one_that_a_wrong_clock_planned() -> None:
    for failed in range(1, 7):
        delays = [delay_after(failed, new_id()) for _ in range(100)]
        assert all(delay is not None and delay < LATEST_RETRIES[failed] for delay in delays)


async def test_a_repair_leaves_lanes_that_are_held_in_time(store: Store, account: Account, clock: Clock) -> None:
    await add_test(store, await add_endpoint(store, account))
    lane = await claim_lane(store)
    clock.advance(LEASE.total_seconds() - 1)
    assert await store.lanes.repair() == 0
    assert await store.lanes.renew(lane, LEASE)
