"""Keys are found by their hash until they are revoked."""

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from serve_app.domain.account import Account, Caller, Plan, Scope, hash_key, mint_key
from serve_app.domain.ids import new_id
from serve_app.store.base import Store
from tests.support import NOON


async def test_a_key_leads_to_its_account(store: Store, account: Account) -> None:
    key, raw = mint_key(account.id, "till", Scope.READ, NOON)
    await store.keys.add(key)
    assert await store.keys.find_caller(hash_key(raw)) == Caller(account, key)
    assert await store.keys.find_caller(hash_key(raw + "x")) is None
    assert await store.accounts.get(account.id) == account
    assert await store.accounts.get(new_id()) is None


async def test_a_revoked_key_opens_nothing_and_stays_listed(store: Store, account: Account) -> None:
    key, raw = mint_key(account.id, "till", Scope.FULL, NOON)
    await store.keys.add(key)
    later = NOON + timedelta(hours=1)
    assert await store.keys.revoke(account.id, key.id, later)
    assert not await store.keys.revoke(account.id, key.id, later)
    assert await store.keys.find_caller(hash_key(raw)) is None
    (listed,) = await store.keys.of_account(account.id)
    assert listed.revoked_at == later


async def test_a_key_is_revoked_by_its_own_account_only(store: Store, account: Account) -> None:
    other = Account(new_id(), Plan.PRO, NOON)
    await store.accounts.add(other)
    key, raw = mint_key(account.id, "till", Scope.FULL, NOON)
    await store.keys.add(key)
    assert not await store.keys.revoke(other.id, key.id, NOON)
    assert await store.keys.find_caller(hash_key(raw)) is not None
    assert await store.keys.of_account(other.id) == []


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
