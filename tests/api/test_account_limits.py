"""Limits of an account's own, and suspended accounts."""

from dataclasses import replace
from decimal import Decimal

import httpx
import pytest
from fastapi import FastAPI

from serve_app.domain.account import Account, AccountLimits, Plan
from serve_app.domain.errors import InvalidParameter
from serve_app.domain.invoice import Extraction
from serve_app.domain.livemode import sandbox_id
from serve_app.domain.usage import Usage
from serve_app.services.accounts.service import AccountService
from serve_app.settings import Settings
from serve_app.store.base import Store
from tests.api.checks import assert_error
from tests.api.invoices import complete_one
from tests.support import PDF_BYTES, Clock
from tests.support.meters import installed_meter

PATH = "/v1/invoices"
FORM = {"file": ("a.pdf", PDF_BYTES, "application/pdf")}


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"price_page": Decimal("0.10")})


@pytest.fixture
def accounts(store: Store, clock: Clock) -> AccountService:
    return AccountService(store.accounts, store.keys, clock)


async def test_a_suspended_account_is_refused_and_loses_nothing(
    client: httpx.AsyncClient, accounts: AccountService, account: Account
) -> None:
    before = (await client.post(PATH, files=FORM)).json()
    await accounts.suspend(account.id)
    for answer in (await client.get("/v1/me"), await client.post(PATH, files=FORM), await client.get(PATH)):
        assert_error(answer, 401, "authentication_error", "account_suspended")
        assert answer.headers["WWW-Authenticate"] == "Bearer"
    with pytest.raises(InvalidParameter, match="already"):
        await accounts.suspend(account.id)
    await accounts.resume(account.id)
    assert (await client.get(f"{PATH}/{before['id']}")).json() == before
    with pytest.raises(InvalidParameter, match="not suspended"):
        await accounts.resume(account.id)


async def test_a_suspension_includes_test_mode(accounts: AccountService, account: Account) -> None:
    early = await accounts.get_sandbox(account.id)
    await accounts.suspend(account.id)
    assert (await accounts.get_sandbox(account.id)).suspended_at is not None
    late = await accounts.create_account(Plan.FREE)
    await accounts.suspend(late.id)
    assert (await accounts.get_sandbox(late.id)).suspended_at is not None
    await accounts.resume(account.id)
    assert await accounts.get_sandbox(account.id) == early


async def test_requests_are_limited_by_the_account(
    client: httpx.AsyncClient, accounts: AccountService, account: Account
) -> None:
    await accounts.set_limits(account.id, AccountLimits(requests_per_minute=2))
    answers = [await client.get("/v1/me") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert [answer.headers["X-RateLimit-Limit"] for answer in answers] == ["2"] * 3
    assert answers[1].headers["X-RateLimit-Remaining"] == "0"


async def test_refusals_by_limits_of_listed_accounts_are_counted(
    app: FastAPI, client: httpx.AsyncClient, accounts: AccountService, account: Account
) -> None:
    await accounts.set_limits(account.id, AccountLimits(requests_per_minute=1))
    listed = app.state.services.settings.model_copy(update={"metrics_accounts": str(account.id)})
    for settings, counted in ((app.state.services.settings, 0), (listed, 2)):
        app.state.services = replace(app.state.services, settings=settings)
        with installed_meter() as meter:
            for _ in range(2 + (settings is not listed)):
                await client.get("/v1/me")
        assert meter.counts.get(("invoices_account_refused_total", str(account.id), "rate_limited"), 0) == counted


async def test_documents_of_a_month_are_limited_by_the_account(
    client: httpx.AsyncClient, accounts: AccountService, account: Account
) -> None:
    await accounts.set_limits(account.id, AccountLimits(documents_per_month=1))
    assert (await client.post(PATH, files=FORM)).status_code == 202
    assert_error(await client.post(PATH, files=FORM), 429, "quota_exceeded", "monthly_quota_reached")
    assert (await client.get("/v1/me")).json()["quota"]["limit"] == 1


async def test_a_used_up_budget_refuses_documents_until_the_next_month(
    client: httpx.AsyncClient, accounts: AccountService, account: Account, store: Store
) -> None:
    assert (await client.get("/v1/me")).json()["budget"] is None
    await accounts.set_limits(account.id, AccountLimits(budget_per_month=Decimal("0.30")))
    read = Extraction(pages=3, usage=Usage(pages=3, ocr_pages=0, cpu_ms=1000, gpu_ms=None))
    done = await complete_one(store, account, read)
    assert (await client.get("/v1/me")).json()["budget"] == {"spent": 0.3, "amount": 0.3, "currency": "EUR"}
    for answer in (
        await client.post(PATH, files=FORM),
        await client.post(f"{PATH}/{done.id}/extract", json={"force": True}),
    ):
        message = assert_error(answer, 429, "quota_exceeded", "monthly_budget_reached")
        assert "monthly budget of 0.30 EUR" in message
        assert int(answer.headers["Retry-After"]) > 0
    assert (await client.get(f"{PATH}/{done.id}")).status_code == 200


async def test_the_size_of_files_is_limited_by_the_account(
    client: httpx.AsyncClient, accounts: AccountService, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(AccountLimits, "max_bytes", len(PDF_BYTES) - 1)
    assert_error(await client.post(PATH, files=FORM), 413, "invalid_request_error", "file_too_large")


@pytest.mark.parametrize("limits", [AccountLimits(running=0), AccountLimits(file_mb=16), AccountLimits(file_mb=-1)])
async def test_limits_that_nothing_can_keep_are_refused(
    accounts: AccountService, account: Account, limits: AccountLimits
) -> None:
    with pytest.raises(InvalidParameter):
        await accounts.set_limits(account.id, limits)


async def test_the_sandbox_has_the_limits_without_the_quota(accounts: AccountService, account: Account) -> None:
    await accounts.get_sandbox(account.id)
    await accounts.set_limits(account.id, AccountLimits(documents_per_month=1, requests_per_minute=9))
    sandbox = await accounts.get_sandbox(account.id)
    assert sandbox.id == sandbox_id(account.id)
    assert sandbox.limits == AccountLimits(requests_per_minute=9)
