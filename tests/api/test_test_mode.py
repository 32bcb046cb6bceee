"""Test mode: data apart from live data, and results and errors by the names of files."""

from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from serve_app.api.documented import ERRORS_BY_CODE
from serve_app.domain.account import Account
from serve_app.domain.ids import new_id
from serve_app.domain.livemode import sandbox_id
from serve_app.http.error_table import answer_to
from serve_app.services.accounts.service import AccountService
from serve_app.store.base import Store
from tests.api.checks import assert_error
from tests.support import MONTH, PDF_BYTES, FakeReader
from tests.support.mails import complete_invoice

HOOK = "https://93.184.215.14/hooks"


@pytest.fixture
def accounts(app: FastAPI) -> AccountService:
    service: AccountService = app.state.services.accounts
    return service


@pytest.fixture
async def test_key(accounts: AccountService, account: Account) -> dict[str, str]:
    """The header that carries a key of test mode."""
    _, raw = await accounts.create_key(account.id, "try", livemode=False)
    assert raw.startswith("inv_test_")
    return {"Authorization": f"Bearer {raw}"}


async def send(client: httpx.AsyncClient, key: dict[str, str], name: str = "a.pdf", **more: Any) -> httpx.Response:
    headers = key | more
    return await client.post(
        "/v1/invoices", files={"file": (name, PDF_BYTES)}, headers=headers, params={"wait": "true"}
    )


@pytest.mark.usefixtures("running")
class TestResults:
    async def test_a_document_is_complete_without_reader_or_models(
        self, client: httpx.AsyncClient, test_key: dict[str, str], store: Store, account: Account, reader: FakeReader
    ) -> None:
        answer = await send(client, test_key)
        invoice = answer.json()
        assert (answer.status_code, invoice["status"], invoice["livemode"]) == (200, "complete", False)
        assert set(invoice["field_confidence"].values()) == {"high"}
        assert invoice["auto_verified"]
        assert invoice["models"] is None
        assert reader.keys == []
        assert await store.quotas.used(account.id, MONTH) == 0
        assert (await send(client, test_key)).json()["invoice_number"] != invoice["invoice_number"]

    @pytest.mark.parametrize("level", ["mid", "low"])
    async def test_a_level_can_be_asked_for(
        self, client: httpx.AsyncClient, test_key: dict[str, str], level: str
    ) -> None:
        invoice = (await send(client, test_key, f"{level.upper()}.PDF")).json()
        assert invoice["field_confidence"]["amount"] == level
        assert not invoice["auto_verified"]

    async def test_a_failure_can_be_asked_for(self, client: httpx.AsyncClient, test_key: dict[str, str]) -> None:
        invoice = (await send(client, test_key, "failed-document_encrypted.pdf")).json()
        assert (invoice["status"], invoice["failure"]["code"]) == ("failed", "document_encrypted")
        assert (await send(client, test_key, "failed-unknown.pdf")).json()["status"] == "complete"

    async def test_a_batch_a_duplicate_and_a_check(self, client: httpx.AsyncClient, test_key: dict[str, str]) -> None:
        batch = (await send(client, test_key, "batch.pdf")).json()
        assert batch["batch"]["count"] == 3
        parts = (await client.get("/v1/invoices", params={"batch": batch["id"]}, headers=test_key)).json()["data"]
        assert len({part["invoice_number"] for part in parts}) == 3
        assert not any(part["livemode"] for part in parts)
        first, second = [(await send(client, test_key, "duplicate.pdf")).json() for _ in range(2)]
        assert (first["duplicate_of"], second["duplicate_of"]) == (None, first["id"])
        checks = (await send(client, test_key, "checks.pdf")).json()["checks"]
        assert [(check["kind"], check["severity"]) for check in checks] == [("bank_account_changed", "alert")]

    async def test_ordinary_documents_have_no_checks(self, client: httpx.AsyncClient, test_key: dict[str, str]) -> None:
        for _ in range(8):
            assert (await send(client, test_key)).json()["checks"] == []

    async def test_the_end_of_a_run_is_an_event_of_test_mode(
        self, client: httpx.AsyncClient, test_key: dict[str, str]
    ) -> None:
        invoice = (await send(client, test_key)).json()
        await client.delete(f"/v1/invoices/{invoice['id']}", headers=test_key)
        for key, modes in ((test_key, {False}), ({}, set())):
            events = (await client.get("/v1/events", params={"type": "invoice.deleted"}, headers=key)).json()["data"]
            assert {event["livemode"] for event in events} == modes


async def test_a_file_can_ask_for_any_error(client: httpx.AsyncClient, test_key: dict[str, str]) -> None:
    for code, error in ERRORS_BY_CODE.items():
        wanted = answer_to(error)
        answer = await send(client, test_key, f"error-{code}.pdf", **{"Idempotency-Key": "k"})
        assert_error(answer, wanted.status, wanted.envelope["error"]["type"] or "", code)
        assert all(name in answer.headers for name in wanted.headers)
    assert (await send(client, {}, "error-internal.pdf")).status_code == 202


async def test_me_says_the_mode(client: httpx.AsyncClient, test_key: dict[str, str]) -> None:
    me = (await client.get("/v1/me", headers=test_key)).json()
    assert (me["livemode"], me["quota"]["limit"], me["key"]["prefix"][:9]) == (False, None, "inv_test_")
    assert (await client.get("/v1/me")).json()["livemode"]


class TestData:
    @pytest.mark.parametrize(
        "path", ["/v1/invoices", "/v1/events", "/v1/vendors", "/v1/mails", "/v1/webhook_endpoints"]
    )
    async def test_it_is_apart_from_live_data(
        self, client: httpx.AsyncClient, test_key: dict[str, str], store: Store, account: Account, path: str
    ) -> None:
        live = await complete_invoice(store, account.id)
        test = await complete_invoice(store, sandbox_id(account.id))
        for key in (test_key, {}):
            await client.post("/v1/webhook_endpoints", json={"url": HOOK}, headers=key)
        await store.outbox.spread_pending(100)
        seen = {item["id"] for item in (await client.get(path)).json()["data"]}
        seen_in_test = {item["id"] for item in (await client.get(path, headers=test_key)).json()["data"]}
        assert not seen & seen_in_test
        assert bool(seen) == bool(seen_in_test) == (path != "/v1/mails")
        for id, key in ((live.id, test_key), (test.id, {})):
            answer = await client.get(f"/v1/invoices/{id}", headers=key)
            assert_error(answer, 404, "not_found", "invoice_not_found")

    async def test_endpoints_say_their_mode(self, client: httpx.AsyncClient, test_key: dict[str, str]) -> None:
        for key, livemode in ((test_key, False), ({}, True)):
            made = await client.post("/v1/webhook_endpoints", json={"url": HOOK}, headers=key)
            assert made.json()["livemode"] is livemode


class TestKeys:
    async def test_they_are_listed_rolled_and_revoked_with_those_of_the_account(
        self, accounts: AccountService, account: Account
    ) -> None:
        live, _ = await accounts.create_key(account.id, "till")
        test, _ = await accounts.create_key(account.id, "try", livemode=False)
        assert [key.id for key in await accounts.list_keys(account.id)] == [test.id, live.id]
        assert await accounts.get_key(account.id, test.id) == test
        assert await accounts.revoke_key(account.id, test.id)
        assert not await accounts.revoke_key(account.id, test.id)

    async def test_a_sandbox_is_made_once_and_is_in_no_list_of_accounts(
        self, accounts: AccountService, account: Account
    ) -> None:
        sandbox = await accounts.get_sandbox(account.id)
        assert await accounts.get_sandbox(account.id) == await accounts.get_sandbox(sandbox.id) == sandbox
        assert (sandbox.id, sandbox.is_live) == (sandbox_id(account.id), False)
        assert sandbox.id not in {each.id for each in (await accounts.list_accounts(100)).items}
        with pytest.raises(LookupError):
            await accounts.get_sandbox(new_id())
