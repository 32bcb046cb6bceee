"""The service is not a mail relay: an account's approval mails per day are limited."""

import asyncio
from pathlib import Path

import httpx
import pytest

from serve_app.domain.account import Account, Plan, Scope
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Invoice
from serve_app.settings import Settings
from serve_app.store.base import Store
from tests.api.checks import assert_error
from tests.api.conftest import MakeKey
from tests.support import NOON, Clock
from tests.support.databases import KINDS
from tests.support.mails import complete_invoice

PER_RECIPIENT, PER_ACCOUNT = 3, 5


@pytest.fixture(params=KINDS)
def store_kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def mail_folder(tmp_path: Path) -> Path:
    return tmp_path / "mail"


@pytest.fixture
def settings(settings: Settings, mail_folder: Path) -> Settings:
    limits = {"approval_mails_per_recipient": PER_RECIPIENT, "approval_mails_per_account": PER_ACCOUNT}
    return settings.model_copy(update={"mail_folder": str(mail_folder), "rate_limit": 1000, **limits})


@pytest.fixture
async def invoice(store: Store, account: Account) -> Invoice:
    return await complete_invoice(store, account.id)


def mails_in(folder: Path) -> int:
    return len(list(folder.glob("*.eml")))


async def ask(client: httpx.AsyncClient, invoice: Invoice, to: str) -> httpx.Response:
    return await client.post(f"/v1/invoices/{invoice.id}/approval", json={"email": to})


async def test_one_recipient_gets_only_so_many_a_day(
    client: httpx.AsyncClient, invoice: Invoice, mail_folder: Path, clock: Clock, store: Store, account: Account
) -> None:
    answers = [await ask(client, invoice, f"Boss+{number}@example.com") for number in range(PER_RECIPIENT + 1)]
    assert [answer.status_code for answer in answers] == [200] * PER_RECIPIENT + [429]
    before = await store.invoices.get(account.id, invoice.id)
    message = assert_error(await ask(client, invoice, "boss@example.com"), 429, "rate_limit_error", "rate_limited")
    assert "3 approval e-mails a day can be sent to one recipient" in message
    # From noon (and some seconds) to midnight in UTC.
    assert answers[-1].headers["Retry-After"] == str(12 * 3600 - 7)
    assert mails_in(mail_folder) == PER_RECIPIENT
    assert await store.invoices.get(account.id, invoice.id) == before
    assert (await ask(client, invoice, "other@example.com")).status_code == 200
    clock.advance(int(answers[-1].headers["Retry-After"]))
    assert (await ask(client, invoice, "boss@example.com")).status_code == 200


async def test_an_account_sends_only_so_many_a_day_however_many_ask_at_once(
    client: httpx.AsyncClient, invoice: Invoice, mail_folder: Path
) -> None:
    answers = await asyncio.gather(*(ask(client, invoice, f"boss{number}@example.com") for number in range(12)))
    refused = [answer for answer in answers if answer.status_code != 200]
    assert len(refused) == 12 - PER_ACCOUNT
    for answer in refused:
        message = assert_error(answer, 429, "rate_limit_error", "rate_limited")
        assert "5 approval e-mails a day can be sent by one account" in message
    assert mails_in(mail_folder) == PER_ACCOUNT


async def test_another_account_is_not_kept_from_the_same_recipient(
    client: httpx.AsyncClient, invoice: Invoice, store: Store, make_key: MakeKey
) -> None:
    for _ in range(PER_RECIPIENT + 1):
        await ask(client, invoice, "boss@example.com")
    other = Account(new_id(), Plan.PRO, NOON)
    await store.accounts.add(other)
    theirs = await complete_invoice(store, other.id)
    key = await make_key(Scope.FULL, other)
    answer = await client.post(f"/v1/invoices/{theirs.id}/approval", json={"email": "boss@example.com"}, headers=key)
    assert answer.status_code == 200


async def test_mail_that_could_not_be_sent_does_not_count(
    client: httpx.AsyncClient, invoice: Invoice, mail_folder: Path
) -> None:
    mail_folder.touch()  # noqa: ASYNC240 - no folder
    for _ in range(PER_RECIPIENT + 1):
        assert_error(await ask(client, invoice, "boss@example.com"), 502, "api_error", "email_delivery_failed")
    mail_folder.unlink()  # noqa: ASYNC240
    assert (await ask(client, invoice, "boss@example.com")).status_code == 200
