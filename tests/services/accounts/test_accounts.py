"""Accounts and keys, as an operator makes them."""

import logging
from datetime import timedelta

import pytest

from serve_app.domain.account import Plan, Scope
from serve_app.domain.errors import InvalidParameter, ServiceError, UnknownKey
from serve_app.domain.ids import new_id
from serve_app.services.accounts.callers import Callers
from serve_app.services.accounts.monthly_limits import MonthlyLimits
from serve_app.services.accounts.service import AccountService
from serve_app.services.accounts.usage import UsageService
from serve_app.store.base import Store
from tests.support import Clock


@pytest.fixture
def accounts(store: Store) -> AccountService:
    return AccountService(store.accounts, store.keys, Clock())


async def test_a_new_key_opens_until_it_is_revoked(accounts: AccountService, store: Store) -> None:
    account = await accounts.create_account(Plan.PRO)
    key, raw = await accounts.create_key(account.id, "till", Scope.READ)
    callers = Callers(store.keys, MonthlyLimits(UsageService(store.quotas)))
    caller = await callers.authenticate(raw)
    assert (caller.account, caller.key) == (account, key)
    assert await accounts.revoke_key(account.id, key.id)
    with pytest.raises(UnknownKey):
        await callers.authenticate(raw)


async def test_keys_are_listed_newest_first(accounts: AccountService) -> None:
    account = await accounts.create_account()
    keys = [(await accounts.create_key(account.id, str(i)))[0] for i in range(3)]
    assert await accounts.list_keys(account.id) == keys[::-1]


async def test_an_unknown_account_gets_no_key(accounts: AccountService) -> None:
    with pytest.raises(LookupError):
        await accounts.create_key(new_id(), "till")
    with pytest.raises(LookupError):
        await accounts.list_keys(new_id())
    assert not await accounts.revoke_key(new_id(), new_id())


async def test_a_plan_can_be_changed(accounts: AccountService, store: Store) -> None:
    account = await accounts.create_account(Plan.FREE)
    await accounts.set_plan(account.id, Plan.BUSINESS)
    changed = await store.accounts.get(account.id)
    assert changed is not None
    assert changed.plan == Plan.BUSINESS
    with pytest.raises(LookupError, match="no account"):
        await accounts.set_plan(new_id(), Plan.PRO)


async def test_the_raw_key_is_not_logged(accounts: AccountService, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    account = await accounts.create_account()
    key, raw = await accounts.create_key(account.id, "till")
    said = str([record.__dict__ for record in caplog.records])
    assert str(key.id) in said
    assert raw not in said
    assert key.hash not in said


async def test_an_accounts_owner_has_an_address_that_can_be_changed(accounts: AccountService, store: Store) -> None:
    account = await accounts.create_account(email="first@example.com")
    assert await store.accounts.get(account.id) == account
    await accounts.set_email(account.id, "second@example.com")
    changed = await store.accounts.get(account.id)
    assert changed is not None
    assert (account.email, changed.email) == ("first@example.com", "second@example.com")


@pytest.mark.parametrize(
    "address", ["", "name", "Name <name@example.com>", "a@example.com, b@example.com", "a@b\r\nBcc: c"]
)
async def test_what_is_no_address_is_refused(accounts: AccountService, store: Store, address: str) -> None:
    account = await accounts.create_account()
    with pytest.raises(ServiceError, match="plain address"):
        await accounts.create_account(email=address)
    with pytest.raises(ServiceError, match="plain address"):
        await accounts.set_email(account.id, address)
    assert await store.accounts.get(account.id) == account


async def test_an_unknown_account_gets_no_address(accounts: AccountService) -> None:
    with pytest.raises(LookupError, match="there is no account"):
        await accounts.set_email(new_id(), "owner@example.com")


async def test_a_rolled_key_works_beside_the_new_one_for_the_time_chosen(store: Store) -> None:
    clock = Clock()
    accounts, callers = (
        AccountService(store.accounts, store.keys, clock),
        Callers(store.keys, MonthlyLimits(UsageService(store.quotas, clock=clock)), clock),
    )
    account = await accounts.create_account()
    old, old_raw = await accounts.create_key(account.id, "till", Scope.READ)
    new, new_raw = await accounts.roll_key(account.id, old.id, timedelta(hours=24))
    assert (new.name, new.scope) == (old.name, old.scope)
    for raw in (old_raw, new_raw):
        assert (await callers.authenticate(raw)).account == account
    with pytest.raises(InvalidParameter, match="rolled or revoked"):
        await accounts.roll_key(account.id, old.id, timedelta(0))
    clock.advance(24 * 3600)
    with pytest.raises(UnknownKey):
        await callers.authenticate(old_raw)
    assert (await callers.authenticate(new_raw)).key.id == new.id


async def test_another_accounts_key_is_not_rolled(accounts: AccountService) -> None:
    account, other = [await accounts.create_account() for _ in range(2)]
    key, _ = await accounts.create_key(account.id, "till")
    with pytest.raises(LookupError):
        await accounts.roll_key(other.id, key.id, timedelta(0))


@pytest.mark.parametrize("name", ["", "  ", "\u2028\n", "x" * 101])
async def test_a_key_needs_a_name_that_can_be_read(accounts: AccountService, name: str) -> None:
    account = await accounts.create_account()
    with pytest.raises(InvalidParameter):
        await accounts.create_key(account.id, name)
