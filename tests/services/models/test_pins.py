"""Accounts that stay on one pair of models for a time."""

from datetime import date, timedelta

import pytest

from serve_app.domain.account import Account
from serve_app.domain.errors import InvalidParameter, StoreUnreachable
from serve_app.domain.ids import new_id
from serve_app.domain.model_pairs import FIRST, Pin
from serve_app.services.models.pins import LONGEST, ModelPins
from serve_app.services.people.audit import AuditTrail
from serve_app.store.base import Store
from tests.support import NOON, Clock, claim_next, queue_new
from tests.support.people import COMMAND_LINE

DAY = timedelta(days=1)
LAST_DAY = NOON.date() + 10 * DAY


@pytest.fixture
def pins(store: Store, clock: Clock) -> ModelPins:
    return ModelPins(store.pins, AuditTrail(store.audit, clock), ["older"], clock)


async def test_an_account_stays_on_a_pair_to_the_end_of_the_last_day(
    pins: ModelPins, store: Store, account: Account, clock: Clock
) -> None:
    await queue_new(store, account.id)
    claim = await claim_next(store)
    assert await pins.chosen(claim) is None
    await pins.pin(COMMAND_LINE, account.id, "older", LAST_DAY)
    assert await pins.chosen(claim) == "older"
    clock.now = NOON.replace(hour=23) + 10 * DAY
    assert await pins.chosen(claim) == "older"
    clock.advance(3600)
    assert await pins.chosen(claim) is None
    assert [pin.pair for pin in await pins.list_all()] == ["older"]


@pytest.mark.parametrize(
    ("pair", "last_day", "reason"),
    [
        ("newer", LAST_DAY, "Available: first, older"),
        ("older", NOON.date() - DAY, "from today"),
        ("older", NOON.date() + LONGEST + DAY, "366 days"),
    ],
)
async def test_what_cannot_be_kept_is_refused(
    pins: ModelPins, account: Account, pair: str, last_day: date, reason: str
) -> None:
    with pytest.raises(InvalidParameter, match=reason):
        await pins.pin(COMMAND_LINE, account.id, pair, last_day)
    assert await pins.list_all() == []


async def test_an_unknown_account_cannot_be_pinned(pins: ModelPins) -> None:
    with pytest.raises(LookupError, match="no account"):
        await pins.pin(COMMAND_LINE, new_id(), FIRST, LAST_DAY)


async def test_both_changes_are_in_the_audit_trail(pins: ModelPins, store: Store, account: Account) -> None:
    await pins.pin(COMMAND_LINE, account.id, FIRST, LAST_DAY)
    assert await pins.unpin(COMMAND_LINE, account.id)
    assert not await pins.unpin(COMMAND_LINE, account.id)
    entries = (await store.audit.page(account.id, 10)).items
    assert [(entry.action, entry.target, dict(entry.details)) for entry in reversed(entries)] == [
        ("models.pinned", FIRST, {"last_day": "2026-05-27"}),
        ("models.unpinned", "", {}),
    ]


async def test_a_pair_that_is_no_longer_served_is_reported_at_the_start(
    pins: ModelPins, store: Store, account: Account, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    await pins.pin(COMMAND_LINE, account.id, "older", LAST_DAY)
    await pins.warn_of_unserved()
    assert not caplog.text
    without = ModelPins(store.pins, AuditTrail(store.audit, clock), [], clock)
    await without.warn_of_unserved()
    assert f"account {account.id} stays on older, which is not served" in caplog.text
    caplog.clear()
    clock.advance(11 * DAY.total_seconds())
    await without.warn_of_unserved()
    assert not caplog.text


async def test_a_store_that_is_away_at_the_start_stops_nothing(
    pins: ModelPins, store: Store, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(_: object) -> list[Pin]:
        raise StoreUnreachable

    monkeypatch.setattr(type(store.pins), "list_all", away)
    await pins.warn_of_unserved()
    assert "not known" in caplog.text
