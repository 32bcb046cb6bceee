"""Operators add plans, which apply to their accounts from then on."""

import pytest

from serve_app.domain.account import CONTRACT_PLANS, Account, AccountLimits, Plan
from serve_app.domain.audit import operator_at
from serve_app.domain.errors import InvalidParameter
from serve_app.domain.ids import new_id
from serve_app.services.accounts.changes import AccountChanges
from serve_app.services.accounts.plans import PlanService
from serve_app.services.accounts.service import AccountService
from serve_app.services.people.audit import AuditTrail
from serve_app.store.base import Store
from tests.support import NOON, Clock


@pytest.fixture
def plans(store: Store) -> PlanService:
    return PlanService(store.plans)


async def test_named_limits_change_and_the_others_stay(plans: PlanService, store: Store, clock: Clock) -> None:
    audit = AuditTrail(store.audit, clock)
    changes = AccountChanges(AccountService(store.accounts, store.keys, clock), plans, audit)
    await changes.amend_plan(operator_at("ann", "db1"), "trial", {"documents_per_month": 30, "running": 2})
    after = await changes.amend_plan(operator_at("ann", "db1"), "trial", {"running": None, "file_mb": 5})
    assert after == Plan("trial", AccountLimits(documents_per_month=30, file_mb=5))
    assert await plans.list_all() == [*CONTRACT_PLANS.values(), after]


@pytest.mark.parametrize("name", ["free", "unlimited", "", "Trial", "-a", "a" * 41, "a b"])
async def test_a_name_that_no_plan_can_have_is_refused(plans: PlanService, name: str) -> None:
    with pytest.raises(InvalidParameter):
        await plans.set(name, AccountLimits(running=1))


@pytest.mark.parametrize("limits", [AccountLimits(running=0), AccountLimits(file_mb=16)])
async def test_limits_that_nothing_can_keep_are_refused(plans: PlanService, limits: AccountLimits) -> None:
    with pytest.raises(InvalidParameter):
        await plans.set("trial", limits)
    assert await plans.list_all() == [*CONTRACT_PLANS.values()]


async def test_an_unknown_plan_is_refused_with_the_known_ones(plans: PlanService) -> None:
    await plans.set("trial", AccountLimits())
    with pytest.raises(InvalidParameter, match="free, pro, business, unlimited, trial"):
        await plans.get("gold")


async def test_a_plan_that_accounts_have_is_not_removed(plans: PlanService, store: Store) -> None:
    await plans.set("trial", AccountLimits())
    account = Account(new_id(), Plan("trial"), NOON)
    await store.accounts.add(account)
    for name in ("trial", "free", "gold"):
        with pytest.raises(InvalidParameter):
            await plans.remove(name)
    await store.accounts.set_plan(account.id, Plan.PRO)
    await plans.remove("trial")
    assert await plans.missing() == []
    await store.accounts.set_plan(account.id, Plan("trial"))
    assert await plans.missing() == ["trial"]


async def test_test_mode_has_the_limits_of_the_plan_without_its_documents(store: Store, plans: PlanService) -> None:
    await plans.set("trial", AccountLimits(documents_per_month=3, requests_per_minute=7))
    accounts = AccountService(store.accounts, store.keys)
    account = await accounts.create_account()
    sandbox = await accounts.get_sandbox(account.id)
    await accounts.set_plan(account.id, await plans.get("trial"))
    found = await accounts.get_account(sandbox.id)
    assert (found.monthly_limit, found.allowed.requests_per_minute) == (None, 7)
