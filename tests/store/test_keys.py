"""Keys are found by their hash until they are revoked."""

import asyncio
from datetime import date, timedelta
from pathlib import Path

import pytest

from serve_app.domain.account import Account, Caller, Plan, Scope, hash_key, mint_key, sandbox_of
from serve_app.domain.ids import new_id
from serve_app.store.base import Store
from tests.support import LEASE, NOON


async def test_a_key_leads_to_its_account(store: Store, account: Account) -> None:
    key, raw = mint_key(account.id, "till", Scope.READ, NOON)
    await store.keys.add(key)
    assert await store.keys.find_caller(hash_key(raw), NOON) == Caller(account, key)
    assert await store.keys.find_caller(hash_key(raw + "x"), NOON) is None
    assert await store.accounts.get(account.id) == account
    assert await store.accounts.get(new_id()) is None


async def test_a_revoked_key_opens_nothing_and_stays_listed(store: Store, account: Account) -> None:
    key, raw = mint_key(account.id, "till", Scope.FULL, NOON)
    await store.keys.add(key)
    later = NOON + timedelta(hours=1)
    assert await store.keys.revoke(account.id, key.id, later)
    assert not await store.keys.revoke(account.id, key.id, later)
    assert await store.keys.find_caller(hash_key(raw), later) is None
    (listed,) = await store.keys.of_account(account.id)
    assert listed.revoked_at == later


async def test_a_key_is_revoked_by_its_own_account_only(store: Store, account: Account) -> None:
    other = Account(new_id(), Plan.PRO, NOON)
    await store.accounts.add(other)
    key, raw = mint_key(account.id, "till", Scope.FULL, NOON)
    await store.keys.add(key)
    assert not await store.keys.revoke(other.id, key.id, NOON)
    assert await store.keys.find_caller(hash_key(raw), NOON) is not None
    assert await store.keys.of_account(other.id) == []


async def test_a_key_that_is_replaced_works_until_its_end_and_the_new_one_at_once(
    store: Store, account: Account
) -> None:
    old, old_raw = mint_key(account.id, "till", Scope.READ, NOON)
    new, new_raw = mint_key(account.id, "till", Scope.READ, NOON)
    await store.keys.add(old)
    end = NOON + timedelta(hours=24)
    assert await store.keys.replace(old.id, new, end)
    for raw, moment, works in (
        (old_raw, NOON, True),
        (old_raw, end - timedelta(microseconds=1), True),
        (old_raw, end, False),
        (new_raw, NOON, True),
        (new_raw, end, True),
    ):
        assert (await store.keys.find_caller(hash_key(raw), moment) is not None) == works
    assert [key.revoked_at for key in await store.keys.of_account(account.id)] == [None, end]


async def test_only_a_working_key_of_the_account_is_replaced_and_once(store: Store, account: Account) -> None:
    other = Account(new_id(), Plan.PRO, NOON)
    await store.accounts.add(other)
    key, _ = mint_key(account.id, "till", Scope.FULL, NOON)
    await store.keys.add(key)
    assert not await store.keys.replace(key.id, mint_key(other.id, "theirs", Scope.FULL, NOON)[0], NOON)
    assert await store.keys.replace(key.id, mint_key(account.id, "next", Scope.FULL, NOON)[0], NOON + LEASE)
    assert not await store.keys.replace(key.id, mint_key(account.id, "third", Scope.FULL, NOON)[0], NOON + LEASE)
    assert [key.name for key in await store.keys.of_account(account.id)] == ["next", "till"]
    assert await store.keys.of_account(other.id) == []


async def test_a_key_that_is_about_to_end_can_be_revoked_at_once(store: Store, account: Account) -> None:
    key, raw = mint_key(account.id, "till", Scope.FULL, NOON)
    await store.keys.add(key)
    await store.keys.replace(key.id, mint_key(account.id, "next", Scope.FULL, NOON)[0], NOON + timedelta(days=7))
    assert await store.keys.revoke(account.id, key.id, NOON)
    assert await store.keys.find_caller(hash_key(raw), NOON) is None
    assert not await store.keys.revoke(account.id, key.id, NOON)


async def test_the_day_of_the_last_use_never_goes_back(store: Store, account: Account) -> None:
    used, idle = (mint_key(account.id, name, Scope.FULL, NOON)[0] for name in ("used", "idle"))
    for key in (used, idle):
        await store.keys.add(key)
    for day in (date(2026, 5, 17), date(2026, 5, 19), date(2026, 5, 18)):
        await store.keys.note_use([used.id, new_id()], day)
    listed = await store.keys.of_account(account.id)
    assert {key.name: key.last_used_on for key in listed} == {"used": date(2026, 5, 19), "idle": None}


class TestOnDisk:
    """Only SQLite's files can be looked into."""

    @pytest.fixture
    def store_kind(self) -> str:
        return "sqlite"

    async def test_the_raw_key_is_nowhere(self, store: Store, account: Account, tmp_path: Path) -> None:
        key, raw = mint_key(account.id, "till", Scope.FULL, NOON)
        await store.keys.add(key)
        written = await asyncio.to_thread(everything_in, tmp_path)
        assert key.hash.encode() in written
        assert raw.encode() not in written


def everything_in(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


async def test_a_sandbox_is_added_once_and_is_in_no_list_of_accounts(store: Store, account: Account) -> None:
    sandbox = sandbox_of(account, NOON)
    for moment in (NOON, NOON + LEASE):
        await store.accounts.ensure(sandbox_of(account, moment))
    assert await store.accounts.get(sandbox.id) == sandbox
    assert [each.id for each in (await store.accounts.page(100)).items] == [account.id]
    assert (await store.accounts.page(100, after=account.id)).items == ()
