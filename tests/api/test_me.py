"""GET /v1/me."""

import httpx
import pytest

from serve_app.domain.account import Account, Plan, Scope
from serve_app.domain.ids import new_id
from serve_app.domain.target_precision import TargetPrecision
from serve_app.store.base import Store
from tests.api.conftest import MakeKey
from tests.support import NOON, queue_new


async def test_it_shows_key_and_quota(
    anyone: httpx.AsyncClient, make_key: MakeKey, store: Store, account: Account
) -> None:
    headers = await make_key(Scope.READ)
    await queue_new(store, account.id)
    answer = await anyone.get("/v1/me", headers=headers)
    assert answer.status_code == 200
    (key,) = await store.keys.of_account(account.id)
    assert answer.json() == {
        "user_id": str(account.id),
        "key": {
            "id": str(key.id),
            "name": "till",
            "prefix": key.prefix,
            "scope": "read",
            "created_at": "2026-05-17T12:00:07.123456Z",
        },
        "quota": {"used": 1, "limit": 10, "period_start": "2026-05-01T00:00:00Z"},
        "budget": None,
        "usage": {"pages": 0, "ocr_pages": 0, "cpu_ms": 0, "gpu_ms": None},
        "target_precision": 0.99,
        "livemode": True,
    }
    raw = headers["Authorization"].removeprefix("Bearer ")
    assert raw.startswith(key.prefix)
    assert len(key.prefix) < len(raw) / 2


@pytest.mark.parametrize(
    ("plan", "limit"), [(Plan.FREE, 10), (Plan.PRO, 200), (Plan.BUSINESS, 1000), (Plan.UNLIMITED, None)]
)
async def test_each_plan_has_its_limit(
    anyone: httpx.AsyncClient, make_key: MakeKey, store: Store, plan: Plan, limit: int | None
) -> None:
    owner = Account(new_id(), plan, NOON)
    await store.accounts.add(owner)
    answer = await anyone.get("/v1/me", headers=await make_key(owner=owner))
    assert answer.json()["quota"]["limit"] == limit


async def test_it_shows_the_target_precision_that_the_account_chose(
    anyone: httpx.AsyncClient, make_key: MakeKey, store: Store, account: Account
) -> None:
    await store.accounts.set_target_precision(account.id, TargetPrecision.HIGHEST)
    answer = await anyone.get("/v1/me", headers=await make_key())
    assert answer.json()["target_precision"] == 0.999
