"""Accounts choose a target precision among those that the calibrations have thresholds for."""

import pytest

from serve_app.domain.account import Account
from serve_app.domain.errors import InvalidParameter
from serve_app.domain.ids import new_id
from serve_app.domain.target_precision import TargetPrecision
from serve_app.services.accounts.target_precision import USUAL, TargetPrecisions
from serve_app.services.people.audit import AuditTrail
from serve_app.store.base import Store
from tests.support.people import COMMAND_LINE

FITTED = frozenset({TargetPrecision.HIGHER, TargetPrecision.STANDARD})


@pytest.fixture
def targets(store: Store) -> TargetPrecisions:
    return TargetPrecisions(store.accounts, AuditTrail(store.audit), lambda: FITTED, TargetPrecision.HIGHER)


async def present(targets: TargetPrecisions, store: Store, account: Account) -> TargetPrecision:
    found = await store.accounts.get(account.id)
    assert found is not None
    return targets.of(found)


async def test_the_setting_counts_until_an_account_chooses(
    targets: TargetPrecisions, store: Store, account: Account
) -> None:
    assert await present(targets, store, account) is TargetPrecision.HIGHER
    await targets.choose(COMMAND_LINE, account.id, "0.99")
    assert await present(targets, store, account) is TargetPrecision.STANDARD
    await targets.choose(COMMAND_LINE, account.id, USUAL)
    assert await present(targets, store, account) is TargetPrecision.HIGHER
    trail = (await store.audit.page(account.id, 10)).items
    assert [(each.action, each.details) for each in trail] == [
        ("account.target_precision_changed", {"chosen": "default"}),
        ("account.target_precision_changed", {"chosen": "0.99"}),
    ]


async def test_what_the_calibrations_lack_is_refused_with_the_list(targets: TargetPrecisions, account: Account) -> None:
    assert targets.choices() == [TargetPrecision.STANDARD, TargetPrecision.HIGHER]
    for choice in ("0.999", "0.98", "1", "0.990", "high", ""):
        with pytest.raises(InvalidParameter, match=r"Choose a target precision: 0\.99, 0\.995, default\."):
            await targets.choose(COMMAND_LINE, account.id, choice)


async def test_an_unknown_account_has_none(targets: TargetPrecisions) -> None:
    with pytest.raises(LookupError):
        await targets.choose(COMMAND_LINE, new_id(), "0.99")
