"""Accounts that stay on a pair of models."""

from dataclasses import replace
from datetime import date, timedelta

from serve_app.domain.account import Account, Plan
from serve_app.domain.ids import new_id
from serve_app.domain.model_pairs import Pin
from serve_app.store.base import Store
from tests.support import NOON

LAST_DAY = date(2026, 12, 31)


async def test_an_account_has_one_pin_which_can_be_replaced_and_removed(store: Store, account: Account) -> None:
    pin = Pin(account.id, "older", LAST_DAY, NOON)
    assert await store.pins.of_account(account.id) is None
    assert await store.pins.put(pin)
    assert await store.pins.of_account(account.id) == pin
    other = replace(pin, pair="oldest", last_day=date(2027, 1, 2), since=NOON + timedelta(seconds=1))
    assert await store.pins.put(other)
    assert await store.pins.of_account(account.id) == other
    assert await store.pins.remove(account.id)
    assert not await store.pins.remove(account.id)
    assert await store.pins.of_account(account.id) is None


async def test_all_are_listed_the_oldest_first(store: Store, account: Account) -> None:
    second = Account(new_id(), Plan.FREE, NOON)
    await store.accounts.add(second)
    late = Pin(account.id, "older", LAST_DAY, NOON + timedelta(days=1))
    early = Pin(second.id, "older", LAST_DAY, NOON)
    for pin in (late, early):
        await store.pins.put(pin)
    assert await store.pins.list_all() == [early, late]


async def test_a_pin_goes_with_its_account(store: Store, account: Account) -> None:
    pin = Pin(account.id, "older", LAST_DAY, NOON)
    await store.pins.put(pin)
    await store.erasure.account(account.id)
    assert await store.pins.list_all() == []
    assert not await store.pins.put(pin)
