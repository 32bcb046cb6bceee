"""PATCH /v1/invoices/{id}."""

from typing import Any

import httpx
import pytest

from serve_app.domain.account import Account, Plan, Scope
from serve_app.domain.ids import new_id
from serve_app.store.base import Store
from tests.api.checks import assert_error
from tests.api.conftest import MakeKey
from tests.api.invoices import complete_one, fail_one
from tests.support import NOON

BAD = "invalid_request_error"


async def test_both_are_set_and_shown(client: httpx.AsyncClient, store: Store, account: Account) -> None:
    invoice = await complete_one(store, account)
    path = f"/v1/invoices/{invoice.id}"
    answer = await client.patch(path, json={"paid": True, "entity_tag": "north"})
    assert answer.status_code == 200
    assert (answer.json()["paid"], answer.json()["entity_tag"]) == (True, "north")
    assert answer.json()["paid_at"] is not None
    assert (await client.get(path)).json() == answer.json()
    cleared = (await client.patch(path, json={"entity_tag": None})).json()
    assert (cleared["paid"], cleared["entity_tag"]) == (True, None)
    unpaid = (await client.patch(path, json={"paid": False})).json()
    assert (unpaid["paid"], unpaid["paid_at"]) == (False, None)


async def test_only_a_complete_invoice_can_be_paid(client: httpx.AsyncClient, store: Store, account: Account) -> None:
    invoice = await fail_one(store, account)
    path = f"/v1/invoices/{invoice.id}"
    answer = await client.patch(path, json={"paid": True, "entity_tag": "north"})
    assert_error(answer, 400, BAD, "invoice_not_complete")
    assert (await client.get(path)).json()["entity_tag"] is None
    assert (await client.patch(path, json={"entity_tag": "north"})).status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        *({}, [], None, "paid", {"colour": "red"}, {"paid": True, "colour": "red"}, {"paid": None}, {"paid": "true"}),
        *({"paid": 1}, {"entity_tag": 7}, {"entity_tag": "x" * 61}),
    ],
)
async def test_a_bad_body_is_400(client: httpx.AsyncClient, store: Store, account: Account, body: Any) -> None:
    invoice = await complete_one(store, account)
    answer = await client.patch(f"/v1/invoices/{invoice.id}", json=body)
    assert_error(answer, 400, BAD, "invalid_body")


@pytest.mark.parametrize("content", [b"", b"{", b'{"paid": tru}', b"\xff"])
async def test_broken_json_is_400(client: httpx.AsyncClient, store: Store, account: Account, content: bytes) -> None:
    invoice = await complete_one(store, account)
    headers = {"Content-Type": "application/json"}
    answer = await client.patch(f"/v1/invoices/{invoice.id}", content=content, headers=headers)
    assert_error(answer, 400, BAD, "invalid_body")


async def test_sixty_characters_are_allowed(client: httpx.AsyncClient, store: Store, account: Account) -> None:
    invoice = await complete_one(store, account)
    answer = await client.patch(f"/v1/invoices/{invoice.id}", json={"entity_tag": "ü" * 60})
    assert answer.json()["entity_tag"] == "ü" * 60


async def test_control_characters_are_dropped(client: httpx.AsyncClient, store: Store, account: Account) -> None:
    invoice = await complete_one(store, account)
    answer = await client.patch(f"/v1/invoices/{invoice.id}", json={"entity_tag": "no\x00r\x1b[2Jth\r\n"})
    assert answer.json()["entity_tag"] == "nor[2Jth"


async def test_only_ones_own_and_not_with_a_read_key(
    anyone: httpx.AsyncClient, make_key: MakeKey, store: Store, account: Account
) -> None:
    invoice = await complete_one(store, account)
    path, change = f"/v1/invoices/{invoice.id}", {"paid": True}
    answer = await anyone.patch(path, json=change, headers=await make_key(Scope.READ))
    assert_error(answer, 403, "authentication_error", "insufficient_scope")
    other = Account(new_id(), Plan.PRO, NOON)
    await store.accounts.add(other)
    for id in (invoice.id, new_id(), "7"):
        answer = await anyone.patch(f"/v1/invoices/{id}", json=change, headers=await make_key(Scope.FULL, other))
        assert_error(answer, 404, "not_found", "invoice_not_found")
    assert await store.invoices.get(account.id, invoice.id) == invoice
