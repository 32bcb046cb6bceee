"""Plans of operators: their accounts have what they allow from the moment in which they change."""

from datetime import timedelta

from serve_app.domain.account import Account, AccountLimits, Plan, Scope, mint_key
from serve_app.domain.ids import new_id
from serve_app.store.base import Store
from tests.support import NOON, queue_new

TRIAL = Plan("trial", AccountLimits(documents_per_month=30, requests_per_minute=5, running=2, file_mb=3))


async def test_each_reading_of_an_account_has_its_plan_as_it_is_now(store: Store) -> None:
    await store.plans.put(TRIAL)
    account = Account(new_id(), Plan.FREE, NOON, limits=AccountLimits(running=4))
    key, _ = mint_key(account.id, "till", Scope.FULL, NOON)
    await store.accounts.add(account)
    await store.keys.add(key)
    assert await store.accounts.set_plan(account.id, TRIAL)
    changed = Plan("trial", AccountLimits(documents_per_month=40))
    for plan in (TRIAL, changed):
        await store.plans.put(plan)
        caller = await store.keys.find_caller(key.hash, NOON)
        found = await store.accounts.get(account.id)
        (listed,) = (await store.accounts.page(10)).items
        assert caller is not None
        assert [each and each.plan for each in (caller.account, found, listed)] == [plan] * 3
        assert caller.account.allowed == AccountLimits(
            plan.limits.documents_per_month, plan.limits.requests_per_minute, 4, plan.limits.file_mb
        )


async def test_a_plan_gives_slots(store: Store) -> None:
    account = Account(new_id(), TRIAL, NOON)
    await store.plans.put(TRIAL)
    await store.accounts.add(account)
    for _ in range(4):
        await queue_new(store, account.id, NOON)
    assert len(await store.queue.claim_due_invoices(timedelta(seconds=30), 10)) == 2


async def test_only_a_plan_that_nobody_has_is_removed(store: Store) -> None:
    assert await store.plans.get("trial") is None
    assert not await store.plans.remove("trial")
    for plan in (TRIAL, Plan("archive")):
        await store.plans.put(plan)
    await store.accounts.add(Account(new_id(), TRIAL, NOON))
    await store.accounts.add(Account(new_id(), Plan.PRO, NOON))
    assert not await store.plans.remove("trial")
    assert await store.plans.remove("archive")
    assert await store.plans.list_all() == [TRIAL]
    assert await store.plans.in_use() == {"pro", "trial"}


async def test_an_unknown_plan_allows_what_the_free_one_does(store: Store) -> None:
    account = Account(new_id(), TRIAL, NOON)
    await store.accounts.add(account)
    found = await store.accounts.get(account.id)
    assert found is not None
    assert found.plan == Plan("trial", Plan.FREE.limits)
