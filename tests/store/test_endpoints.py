"""Endpoints: changed by who saw their present state, paused and removed with what waits for them."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from serve_app.domain.account import Account, Plan
from serve_app.domain.event import EventType
from serve_app.domain.ids import new_id
from serve_app.domain.target_precision import TargetPrecision
from serve_app.domain.webhook import AbandonReason, DeliveryState, PauseReason, WebhookEndpoint
from serve_app.store.base import Store
from serve_app.store.base.webhooks import TooManyEndpoints, UrlTaken
from tests.store.hooks import (
    add_endpoint,
    add_test,
    claim_lane,
    deliveries_of,
    emit,
    make_endpoint,
    no_lane,
    pause,
    resume,
)
from tests.support import NOON, newest_events


async def test_an_endpoint_comes_back_as_it_was(store: Store, account: Account) -> None:
    first = await add_endpoint(
        store,
        account,
        types=(EventType.FAILED,),
        description="the till",
        paused_reason=PauseReason.FAILING,
        is_owner_unnotified=True,
        failing_since=NOON,
        is_slow=True,
    )
    second = await add_endpoint(store, account)
    assert await store.endpoints.get(account.id, first.id) == first
    assert await store.endpoints.of_account(account.id) == [first, second]
    assert await store.endpoints.get(new_id(), first.id) is None
    assert await store.endpoints.of_account(new_id()) == []


async def test_every_field_can_be_changed(store: Store, account: Account) -> None:
    first = await add_endpoint(store, account)
    wanted = replace(
        first,
        url="https://example.com/other",
        types=(EventType.COMPLETED,),
        secrets=first.secrets[:1],
        description="other",
        paused_reason=PauseReason.GONE,
        is_owner_unnotified=True,
        failing_since=NOON,
        is_slow=True,
    )
    assert await store.endpoints.replace(wanted) == replace(wanted, revision=first.revision + 1)
    assert await store.endpoints.get(account.id, first.id) == replace(wanted, revision=first.revision + 1)


async def test_of_two_changes_the_one_that_saw_the_present_state_wins(store: Store, account: Account) -> None:
    first = await add_endpoint(store, account)
    changed = await pause(store, first)
    assert await store.endpoints.replace(replace(first, url="https://late.example")) is None
    assert await store.endpoints.get(account.id, first.id) == changed
    assert await store.endpoints.replace(replace(changed, account_id=new_id())) is None


async def test_of_many_changes_at_once_one_wins(
    store: Store, account: Account, open_again: Callable[[], Store]
) -> None:
    first = await add_endpoint(store, account)
    changes = [replace(first, description=str(number)) for number in range(6)]
    stores = [store, open_again()]
    made = await asyncio.gather(*(stores[n % 2].endpoints.replace(change) for n, change in enumerate(changes)))
    (winner,) = [result for result in made if result is not None]
    assert await store.endpoints.get(account.id, first.id) == winner


async def test_a_url_is_an_accounts_only_once(store: Store, account: Account) -> None:
    first, second = await add_endpoint(store, account), await add_endpoint(store, account)
    with pytest.raises(UrlTaken):
        await add_endpoint(store, account, url=first.url)
    with pytest.raises(UrlTaken):
        await store.endpoints.replace(replace(second, url=first.url))
    assert await store.endpoints.of_account(account.id) == [first, second]
    other = Account(new_id(), Plan.PRO, NOON)
    await store.accounts.add(other)
    await add_endpoint(store, other, url=first.url)
    await store.endpoints.remove(account.id, first.id)
    assert await store.endpoints.replace(replace(second, url=first.url)) is not None


async def test_of_many_that_add_a_url_at_once_one_does(
    store: Store, account: Account, open_again: Callable[[], Store]
) -> None:
    stores = [store, open_again()]
    calls = [add_endpoint(stores[n % 2], account, url="https://example.com/") for n in range(6)]
    made = await asyncio.gather(*calls, return_exceptions=True)
    assert sum(isinstance(result, UrlTaken) for result in made) == 5
    assert await store.endpoints.of_account(account.id) == [
        result for result in made if isinstance(result, WebhookEndpoint)
    ]


async def test_of_many_that_are_added_at_once_no_more_stay_than_there_may_be(
    store: Store, account: Account, open_again: Callable[[], Store]
) -> None:
    stores = [store, open_again()]
    wanted = [make_endpoint(account) for _ in range(8)]
    calls = [stores[n % 2].endpoints.add(endpoint, at_most=3) for n, endpoint in enumerate(wanted)]
    made = await asyncio.gather(*calls, return_exceptions=True)
    assert sum(isinstance(result, TooManyEndpoints) for result in made) == 5
    kept = await store.endpoints.of_account(account.id)
    assert len(kept) == 3
    await store.endpoints.remove(account.id, kept[1].id)
    await store.endpoints.add(make_endpoint(account), at_most=3)
    with pytest.raises(TooManyEndpoints):
        await store.endpoints.add(make_endpoint(account), at_most=3)


async def test_owners_who_do_not_know_yet_are_found(store: Store, account: Account) -> None:
    unnotified = [await add_endpoint(store, account, is_owner_unnotified=True) for _ in range(3)]
    await add_endpoint(store, account)
    assert await store.endpoints.with_unnotified_owner(10) == unnotified
    assert await store.endpoints.with_unnotified_owner(2) == unnotified[:2]
    await store.endpoints.replace(replace(unnotified[0], is_owner_unnotified=False))
    assert await store.endpoints.with_unnotified_owner(10) == unnotified[1:]


async def test_it_is_known_whether_any_account_has_one(store: Store, account: Account) -> None:
    assert not await store.endpoints.exist()
    endpoint = await add_endpoint(store, account)
    assert await store.endpoints.exist()
    await store.endpoints.remove(account.id, endpoint.id)
    assert not await store.endpoints.exist()


async def test_those_of_all_accounts_are_read_page_by_page(store: Store, account: Account) -> None:
    other = Account(new_id(), Plan.FREE, NOON)
    await store.accounts.add(other)
    endpoints = [await add_endpoint(store, owner) for owner in (account, other, account)]
    assert await store.endpoints.list_all(after=None, limit=2) == endpoints[:2]
    assert await store.endpoints.list_all(after=endpoints[1].id, limit=2) == endpoints[2:]
    assert await store.endpoints.list_all(after=endpoints[2].id, limit=2) == []


async def test_pausing_an_endpoint_abandons_what_waits_for_it(store: Store, account: Account) -> None:
    paused, other = await add_endpoint(store, account), await add_endpoint(store, account)
    await emit(store, account)
    await emit(store, account)
    await pause(store, paused)
    states = {
        (delivery.endpoint_id, delivery.state, delivery.abandoned_reason)
        for delivery in await deliveries_of(store, account)
    }
    assert states == {
        (paused.id, DeliveryState.ABANDONED, AbandonReason.ENDPOINT_PAUSED),
        (other.id, DeliveryState.PENDING, None),
    }
    assert await store.deliveries.claim_due(paused.id, NOON - NOON, 10) == []


async def test_what_was_abandoned_stays_so_when_the_endpoint_is_resumed(store: Store, account: Account) -> None:
    paused = await add_endpoint(store, account)
    await emit(store, account)
    await resume(store, await pause(store, paused))
    (delivery,) = await deliveries_of(store, account)
    assert delivery.state is DeliveryState.ABANDONED


async def test_a_paused_endpoint_gets_no_deliveries_of_new_events(store: Store, account: Account) -> None:
    paused = await add_endpoint(store, account)
    await pause(store, paused)
    await emit(store, account)
    assert await deliveries_of(store, account) == []
    assert await no_lane(store)


async def test_a_change_that_pauses_nothing_leaves_what_waits(store: Store, account: Account) -> None:
    changed = await add_endpoint(store, account)
    await emit(store, account)
    await resume(store, changed)
    (delivery,) = await deliveries_of(store, account)
    assert delivery.state is DeliveryState.PENDING
    assert (await claim_lane(store)).endpoint.id == changed.id


async def test_a_removed_endpoint_takes_its_deliveries_and_test_events_along(store: Store, account: Account) -> None:
    gone, kept = await add_endpoint(store, account), await add_endpoint(store, account)
    event_id = await emit(store, account)
    tests = [await add_test(store, gone), await add_test(store, kept)]
    assert not await store.endpoints.remove(new_id(), gone.id)
    assert len(await deliveries_of(store, account)) == 4
    assert await store.endpoints.remove(account.id, gone.id)
    assert not await store.endpoints.remove(account.id, gone.id)
    assert {delivery.endpoint_id for delivery in await deliveries_of(store, account)} == {kept.id}
    assert set(await store.deliveries.payloads(tests)) == {tests[1].event_id}
    assert [event.id for event in await newest_events(store, account.id)] == [event_id]
    assert (await claim_lane(store)).endpoint.id == kept.id
    assert await no_lane(store)


async def test_an_owners_address_is_kept(store: Store, account: Account) -> None:
    other = Account(new_id(), Plan.PRO, NOON, "owner@example.com")
    await store.accounts.add(other)
    assert await store.accounts.get(other.id) == other
    assert await store.accounts.get(account.id) == account
    assert account.email is None
    assert await store.accounts.set_email(account.id, "new@example.com")
    assert await store.accounts.set_plan(account.id, Plan.BUSINESS)
    assert await store.accounts.get(account.id) == replace(account, plan=Plan.BUSINESS, email="new@example.com")
    assert await store.accounts.set_email(account.id, None)
    assert await store.accounts.get(account.id) == replace(account, plan=Plan.BUSINESS)
    assert not await store.accounts.set_email(new_id(), "nobody@example.com")


async def test_a_target_precision_is_kept(store: Store, account: Account) -> None:
    chosen = Account(new_id(), Plan.PRO, NOON, target_precision=TargetPrecision.HIGHER)
    await store.accounts.add(chosen)
    assert await store.accounts.get(chosen.id) == chosen
    assert account.target_precision is None
    assert await store.accounts.set_target_precision(account.id, TargetPrecision.HIGHEST)
    assert await store.accounts.get(account.id) == replace(account, target_precision=TargetPrecision.HIGHEST)
    assert {each.target_precision for each in (await store.accounts.page(2)).items} == {0.995, 0.999}
    assert await store.accounts.set_target_precision(account.id, None)
    assert await store.accounts.get(account.id) == account
    assert not await store.accounts.set_target_precision(new_id(), TargetPrecision.HIGHER)
