"""POST /v1/invoices/{id}/extract."""

from typing import Any

import httpx
import pytest

from serve_app.domain.account import Account, Plan, Scope
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Failure, FailureCode
from serve_app.store.base import Files, Store
from tests.api.checks import assert_error
from tests.api.conftest import MakeKey
from tests.api.invoices import complete_one, fail_one
from tests.support import MONTH, NOON, FakeNotifier, claim_next, queue_new

BAD = "invalid_request_error"


@pytest.mark.parametrize("request_", [{}, {"json": {}}, {"json": {"force": False}}, {"content": b" "}])
async def test_a_failed_invoice_is_read_again_for_a_unit(
    client: httpx.AsyncClient, store: Store, account: Account, notifier: FakeNotifier, request_: dict[str, Any]
) -> None:
    invoice = await fail_one(store, account)
    answer = await client.post(f"/v1/invoices/{invoice.id}/extract", **request_)
    assert answer.status_code == 202
    assert (answer.json()["status"], answer.json()["failure"]) == ("queued", None)
    assert answer.headers["Location"] == f"/v1/invoices/{invoice.id}"
    assert await store.quotas.used(account.id, MONTH) == 2
    assert (await claim_next(store)).invoice.id == invoice.id
    assert notifier.calls == 1


async def test_a_complete_invoice_only_by_force(client: httpx.AsyncClient, store: Store, account: Account) -> None:
    invoice = await complete_one(store, account)
    path = f"/v1/invoices/{invoice.id}/extract"
    assert_error(await client.post(path), 400, BAD, "already_complete")
    assert await store.quotas.used(account.id, MONTH) == 1
    answer = await client.post(path, json={"force": True})
    assert (answer.status_code, answer.json()["status"]) == (202, "queued")
    assert await store.quotas.used(account.id, MONTH) == 2


async def test_a_protected_pdf_is_opened_with_its_password(
    client: httpx.AsyncClient, store: Store, files: Files, account: Account
) -> None:
    record = await queue_new(store, account.id)
    await files.write(record.file_key, b"%PDF locked")
    failure = Failure(code=FailureCode.DOCUMENT_ENCRYPTED, message="The PDF is protected with a password.")
    await store.queue.fail(await claim_next(store), failure, NOON)
    path = f"/v1/invoices/{record.invoice.id}/extract"
    assert_error(await client.post(path, json={"password": "guess"}), 400, BAD, "invalid_parameter")
    assert await store.quotas.used(account.id, MONTH) == 1
    answer = await client.post(path, json={"password": "secret"})
    assert (answer.status_code, answer.json()["status"]) == (202, "queued")
    assert b"locked" not in await files.read(record.file_key)
    # It needs none any more.
    assert_error(await client.post(path, json={"password": "secret"}), 400, BAD, "invalid_parameter")


@pytest.mark.parametrize("is_running", [False, True])
async def test_what_is_on_its_way_stays_as_it_is(
    client: httpx.AsyncClient, store: Store, account: Account, is_running: bool
) -> None:
    record = await queue_new(store, account.id)
    if is_running:
        await claim_next(store)
    answer = await client.post(f"/v1/invoices/{record.invoice.id}/extract", json={"force": True})
    assert answer.status_code == 202
    assert answer.json()["status"] == ("processing" if is_running else "queued")
    assert await store.quotas.used(account.id, MONTH) == 1


async def test_at_the_quota_it_is_429(client: httpx.AsyncClient, store: Store, account: Account) -> None:
    invoice = await fail_one(store, account)
    for _ in range(9):
        await queue_new(store, account.id)
    answer = await client.post(f"/v1/invoices/{invoice.id}/extract")
    assert_error(answer, 429, "quota_exceeded", "monthly_quota_reached")
    assert await store.invoices.get(account.id, invoice.id) == invoice


@pytest.mark.parametrize("body", [[], {"force": "yes"}, {"force": None}, {"colour": "red"}])
async def test_a_bad_body_is_400(client: httpx.AsyncClient, store: Store, account: Account, body: Any) -> None:
    invoice = await fail_one(store, account)
    assert_error(await client.post(f"/v1/invoices/{invoice.id}/extract", json=body), 400, BAD, "invalid_body")


async def test_only_ones_own_and_not_with_a_read_key(
    anyone: httpx.AsyncClient, make_key: MakeKey, store: Store, account: Account
) -> None:
    invoice = await fail_one(store, account)
    path = f"/v1/invoices/{invoice.id}/extract"
    answer = await anyone.post(path, headers=await make_key(Scope.READ))
    assert_error(answer, 403, "authentication_error", "insufficient_scope")
    other = Account(new_id(), Plan.PRO, NOON)
    await store.accounts.add(other)
    answer = await anyone.post(path, headers=await make_key(Scope.FULL, other))
    assert_error(answer, 404, "not_found", "invoice_not_found")
