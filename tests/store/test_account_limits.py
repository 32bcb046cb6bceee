"""What operators allow one account: kept with it, and in force where documents wait."""

from datetime import timedelta

from serve_app.domain.account import Account, AccountLimits, Plan, Scope, mint_key
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Extraction
from serve_app.store.base import Store
from tests.support import LEASE, NOON, claim_next, queue_new

OWN = AccountLimits(documents_per_month=7, requests_per_minute=5, running=2, file_mb=3)


async def test_limits_are_replaced_as_a_whole(store: Store, account: Account) -> None:
    assert await store.accounts.set_limits(account.id, OWN)
    key, _ = mint_key(account.id, "till", Scope.FULL, NOON)
    await store.keys.add(key)
    caller = await store.keys.find_caller(key.hash, NOON)
    assert caller is not None
    assert caller.account.limits == OWN
    assert caller.account.monthly_limit == 7
    assert await store.accounts.set_limits(account.id, AccountLimits(running=4))
    found = await store.accounts.get(account.id)
    assert found is not None
    assert found.limits == AccountLimits(running=4)
    assert not await store.accounts.set_limits(new_id(), OWN)


async def test_an_account_is_suspended_and_resumed(store: Store, account: Account) -> None:
    assert await store.accounts.set_suspended(account.id, NOON)
    (found,) = (await store.accounts.page(10)).items
    assert (found.suspended_at, found.monthly_limit) == (NOON, 0)
    assert await store.accounts.set_suspended(account.id, None)
    assert await store.accounts.get(account.id) == account
    assert not await store.accounts.set_suspended(new_id(), NOON)


async def test_an_account_has_no_more_documents_in_progress_than_its_own_limit(store: Store, account: Account) -> None:
    other = Account(new_id(), Plan.UNLIMITED, NOON)
    await store.accounts.add(other)
    await store.accounts.set_limits(account.id, AccountLimits(running=2))
    for owner in (account, other):
        for number in range(5):
            await queue_new(store, owner.id, NOON - timedelta(seconds=5 - number))
    claims = await store.queue.claim_due_invoices(LEASE, 20)
    assert sum(claim.account_id == account.id for claim in claims) == 2
    assert sum(claim.account_id == other.id for claim in claims) == 5
    assert await store.queue.repair() == 0
    ended = next(claim for claim in claims if claim.account_id == account.id)
    await store.queue.save_result(ended, Extraction(), NOON)
    assert (await claim_next(store)).account_id == account.id
    assert await store.queue.claim_due_invoice(LEASE) is None


async def test_a_lower_limit_counts_what_is_already_in_progress(store: Store, account: Account) -> None:
    for number in range(5):
        await queue_new(store, account.id, NOON - timedelta(seconds=5 - number))
    claims = await store.queue.claim_due_invoices(LEASE, 3)
    await store.accounts.set_limits(account.id, AccountLimits(running=2))
    await queue_new(store, account.id)
    await store.queue.save_result(claims[0], Extraction(), NOON)
    left = await store.queue.claim_due_invoices(LEASE, 20)
    # Two had slots when the limit was lowered; the last one has to wait.
    assert len(left) == 2
