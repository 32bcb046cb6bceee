"""Keys and plans."""

import hashlib

from serve_app.domain.account import Plan, Scope, mint_key
from serve_app.domain.ids import new_id
from tests.support import NOON


def test_a_raw_key_is_random_and_only_its_hash_is_kept() -> None:
    key, raw = mint_key(new_id(), "till", Scope.FULL, NOON)
    assert raw.startswith("inv_live_")
    assert len(raw) >= 40
    assert raw not in str(key)
    assert key.hash == hashlib.sha256(raw.encode()).hexdigest()
    assert raw.startswith(key.prefix)
    assert mint_key(new_id(), "till", Scope.FULL, NOON)[1] != raw


def test_plans_have_the_limits_of_the_price_list() -> None:
    assert [plan.monthly_limit for plan in (Plan.FREE, Plan.PRO, Plan.BUSINESS, Plan.UNLIMITED)] == [
        10,
        200,
        1000,
        None,
    ]
