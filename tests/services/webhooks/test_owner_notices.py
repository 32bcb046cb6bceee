"""Who owns an endpoint that the service paused learns of it by mail."""

import logging
from dataclasses import replace
from datetime import timedelta
from email.headerregistry import Address
from email.message import EmailMessage
from uuid import UUID

import pytest

from serve_app.domain.account import Account
from serve_app.domain.webhook import PauseReason, WebhookEndpoint
from serve_app.mail.paused_endpoint import ComposePaused
from serve_app.services.webhooks import owner_notices
from serve_app.services.webhooks.owner_notices import OwnerNotices
from serve_app.store.base import Store
from tests.support import NOON, Clock
from tests.support.mails import FakeMailer, text_of
from tests.support.webhooks import URL, abandon_all, add_delivery, manage_endpoints

OWNER = "owner@example.com"
QUARTER = 15 * 60


@pytest.fixture
def mailer() -> FakeMailer:
    return FakeMailer()


class Passing:
    """The time that passes, whatever the clock says."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def passing() -> Passing:
    return Passing()


@pytest.fixture
def notices(store: Store, mailer: FakeMailer, clock: Clock, passing: Passing) -> OwnerNotices:
    compose = ComposePaused(Address("Invoices", addr_spec="invoices@example.com"))
    return OwnerNotices(store.accounts, store.endpoints, store.deliveries, mailer, compose, clock, passing)


@pytest.fixture
async def owner(store: Store, account: Account) -> Account:
    await store.accounts.set_email(account.id, OWNER)
    return replace(account, email=OWNER)


async def paused(
    store: Store, clock: Clock, account: Account, reason: PauseReason = PauseReason.FAILING, number: int = 1
) -> WebhookEndpoint:
    """An endpoint that the service paused after a day of failures, with two deliveries that were given up."""
    endpoint, _ = await manage_endpoints(store, clock).register(account.id, f"{URL}/{number}?token=hidden")
    for _ in range(2):
        await add_delivery(store, clock, account.id, endpoint.id)
    await abandon_all(store, endpoint.id)
    since = clock() - timedelta(days=1)
    off = await store.endpoints.replace(
        replace(endpoint, paused_reason=reason, is_owner_unnotified=True, failing_since=since)
    )
    assert off is not None
    return off


async def is_unnotified(store: Store, account_id: UUID, endpoint_id: UUID) -> bool:
    kept = await store.endpoints.get(account_id, endpoint_id)
    assert kept is not None
    assert not kept.is_active
    return kept.is_owner_unnotified


@pytest.mark.parametrize(
    ("reason", "why"), [(PauseReason.GONE, "status 410"), (PauseReason.FAILING, "failed since 2026-05-16 12:00 UTC")]
)
async def test_the_owner_is_notified_once_and_why(
    notices: OwnerNotices, store: Store, clock: Clock, mailer: FakeMailer, owner: Account, reason: PauseReason, why: str
) -> None:
    endpoint = await paused(store, clock, owner, reason)
    assert await notices.send() == 1
    assert await notices.send() == 0
    (message,) = mailer.messages
    assert message["To"] == OWNER
    assert why in text_of(message)
    assert "2 deliveries were abandoned." in text_of(message)
    assert not await is_unnotified(store, owner.id, endpoint.id)


async def test_what_was_given_up_long_before_is_not_counted(
    notices: OwnerNotices, store: Store, clock: Clock, mailer: FakeMailer, owner: Account
) -> None:
    endpoint = await paused(store, clock, owner)
    moved = replace(endpoint, failing_since=NOON + timedelta(days=30))
    assert await store.endpoints.replace(moved) is not None
    await notices.send()
    assert "0 deliveries were abandoned." in text_of(mailer.messages[0])


async def test_very_many_deliveries_are_not_counted_to_the_end(
    notices: OwnerNotices,
    store: Store,
    clock: Clock,
    mailer: FakeMailer,
    owner: Account,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(owner_notices, "_PAGE", 1)
    monkeypatch.setattr(owner_notices, "_MOST_COUNTED", 1)
    await paused(store, clock, owner)
    await notices.send()
    assert "More than 1 deliveries were abandoned." in text_of(mailer.messages[0])


async def test_an_owner_without_an_address_is_warned_of_in_the_log_once(
    notices: OwnerNotices,
    store: Store,
    clock: Clock,
    mailer: FakeMailer,
    account: Account,
    caplog: pytest.LogCaptureFixture,
) -> None:
    endpoint = await paused(store, clock, account)
    for _ in range(2):
        assert await notices.send() == 0
    warnings = [record for record in caplog.records if record.levelno == logging.WARNING]
    assert [record.__dict__["endpoint_id"] for record in warnings] == [str(endpoint.id)]
    assert mailer.messages == []
    assert not await is_unnotified(store, account.id, endpoint.id)


@pytest.mark.parametrize("step", [-3600, 0, 3600])
async def test_mail_that_is_refused_is_tried_again_later_however_the_clock_is_set(
    notices: OwnerNotices,
    store: Store,
    clock: Clock,
    passing: Passing,
    mailer: FakeMailer,
    owner: Account,
    caplog: pytest.LogCaptureFixture,
    step: int,
) -> None:
    endpoint = await paused(store, clock, owner)
    mailer.refuses = True
    assert await notices.send() == 0
    assert await is_unnotified(store, owner.id, endpoint.id)
    assert "mail about a paused endpoint not sent" in caplog.text
    mailer.refuses = False
    clock.advance(step)
    assert await notices.send() == 0
    passing.seconds += QUARTER
    assert await notices.send() == 1


async def test_endpoints_whose_mail_is_refused_keep_no_other_from_being_notified(
    notices: OwnerNotices,
    store: Store,
    clock: Clock,
    mailer: FakeMailer,
    owner: Account,
    caplog: pytest.LogCaptureFixture,
) -> None:
    for number in range(4):
        await paused(store, clock, owner, number=number)
    mailer.refuses = True
    assert await notices.send() == 0
    # The fourth was left for the next round: three refusals look like a server that is out of reach.
    assert caplog.text.count("not sent") == 3
    mailer.refuses = False
    assert await notices.send() == 1


async def test_an_owner_who_resumed_it_meanwhile_does_not_find_it_changed(
    notices: OwnerNotices,
    store: Store,
    clock: Clock,
    mailer: FakeMailer,
    owner: Account,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    endpoint = await paused(store, clock, owner)
    send = mailer.send

    async def send_while_it_is_resumed(message: EmailMessage) -> None:
        await send(message)
        await manage_endpoints(store, clock).resume(owner.id, endpoint.id)

    monkeypatch.setattr(mailer, "send", send_while_it_is_resumed)
    assert await notices.send() == 1
    kept = await store.endpoints.get(owner.id, endpoint.id)
    assert kept is not None
    assert (kept.is_active, kept.is_owner_unnotified) == (True, False)


async def test_neither_log_nor_mail_shows_the_url(
    notices: OwnerNotices,
    store: Store,
    clock: Clock,
    mailer: FakeMailer,
    owner: Account,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    endpoint = await paused(store, clock, owner)
    await notices.send()
    said = str([record.__dict__ for record in caplog.records]) + mailer.messages[0].as_string()
    assert str(endpoint.id) in said
    assert "hooks.example.com" in said
    for hidden in ("hidden", "/invoices", "whsec_", endpoint.secrets[0].sealed):
        assert hidden not in said
