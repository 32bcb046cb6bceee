"""Deletions that can still be undone."""

from dataclasses import replace
from datetime import timedelta

from serve_app.domain.account import Account
from serve_app.domain.audit import Actor, ActorKind
from serve_app.domain.deletion import UNDO, PlannedDeletion
from serve_app.domain.ids import new_id
from serve_app.store.base import Store
from tests.support import NOON

ANN = Actor(ActorKind.PERSON, new_id(), "ann@example.com")


def planned(account: Account) -> PlannedDeletion:
    return PlannedDeletion(new_id(), account.id, (new_id(), new_id()), ANN, NOON + UNDO)


async def test_plans_are_listed_until_they_end(store: Store, account: Account) -> None:
    first, second = planned(account), planned(account)
    for plan in (first, second):
        await store.deletions.add(plan)
    assert list(await store.deletions.open(account.id)) == [second, first]
    assert list(await store.deletions.open(new_id())) == []
    await store.deletions.end(first.id)
    assert list(await store.deletions.open(account.id)) == [second]


async def test_a_plan_is_undone_or_begun_and_never_both(store: Store, account: Account) -> None:
    undone, begun = planned(account), planned(account)
    for plan in (undone, begun):
        await store.deletions.add(plan)
    assert not await store.deletions.undo(new_id(), undone.id)
    assert await store.deletions.undo(account.id, undone.id)
    assert not await store.deletions.undo(account.id, undone.id)
    assert not await store.deletions.begin(undone.id)
    assert await store.deletions.begin(begun.id)
    assert await store.deletions.begin(begun.id)
    assert not await store.deletions.undo(account.id, begun.id)
    assert list(await store.deletions.open(account.id)) == [begun]


async def test_what_was_due_longest_ago_comes_first(store: Store, account: Account) -> None:
    later = planned(account)
    earlier = replace(planned(account), due_at=NOON)
    for plan in (later, earlier):
        await store.deletions.add(plan)
    await store.deletions.begin(earlier.id)
    assert list(await store.deletions.due(NOON, 10)) == []
    assert list(await store.deletions.due(NOON + timedelta(seconds=1), 10)) == [earlier]
    assert list(await store.deletions.due(NOON + timedelta(hours=1), 10)) == [earlier, later]
    assert list(await store.deletions.due(NOON + timedelta(hours=1), 1)) == [earlier]


async def test_no_plan_outlives_its_account(store: Store, account: Account) -> None:
    plan = planned(account)
    await store.deletions.add(plan)
    await store.erasure.account(account.id)
    await store.deletions.add(planned(account))
    assert list(await store.deletions.open(account.id)) == []
