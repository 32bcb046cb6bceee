"""Webhook endpoints by API: the same rules as in the web application."""

import httpx
import pytest

from serve_app.domain.account import Account, Plan, Scope
from serve_app.domain.event import ENDS_OF_RUNS, EventType
from serve_app.domain.ids import new_id
from serve_app.domain.webhook import PauseReason
from serve_app.services.webhooks.endpoints import MAX_ENDPOINTS
from serve_app.store.base import Store
from tests.api.checks import assert_error
from tests.api.conftest import MakeKey
from tests.support import NOON, Clock
from tests.support.webhooks import add_delivery, manage_endpoints

URL = "https://93.184.215.14/hooks"
PATH = "/v1/webhook_endpoints"


async def create(client: httpx.AsyncClient, **more: object) -> dict[str, object]:
    answer = await client.post(PATH, json={"url": URL, **more})
    assert answer.status_code == 201, answer.text
    created: dict[str, object] = answer.json()
    return created


async def test_an_endpoint_is_registered_with_its_secret_and_read_without(
    client: httpx.AsyncClient, store: Store, clock: Clock, account: Account
) -> None:
    answer = await client.post(PATH, json={"url": URL, "description": " the\ttill "})
    created = answer.json()
    assert answer.headers["Location"] == f"{PATH}/{created['id']}"
    assert answer.headers["Cache-Control"] == "no-store"
    secret = created.pop("secret")
    assert created == {
        "id": created["id"],
        "object": "webhook_endpoint",
        "livemode": True,
        "url": URL,
        "description": "the till",
        "types": list(ENDS_OF_RUNS),
        "active": True,
        "paused_reason": None,
        "failing_since": None,
        "created_at": "2026-05-17T12:00:07.123456Z",
    }
    assert (await client.get(f"{PATH}/{created['id']}")).json() == created
    assert (await client.get(PATH)).json() == {"object": "list", "data": [created], "has_more": False}
    (endpoint,) = await store.endpoints.of_account(account.id)
    assert await manage_endpoints(store, clock).reveal_secret(account.id, endpoint.id) == secret


async def test_a_key_that_may_only_read_sees_no_secret(
    client: httpx.AsyncClient, make_key: MakeKey, account: Account
) -> None:
    id = (await create(client))["id"]
    client.headers.update(await make_key(Scope.READ))
    for path in (PATH, f"{PATH}/{id}"):
        answer = await client.get(path)
        assert answer.status_code == 200
        assert "whsec_" not in answer.text
    for call in (client.post(PATH, json={"url": URL}), client.post(f"{PATH}/{id}/rotate_secret")):
        assert_error(await call, 403, "authentication_error", "insufficient_scope")


@pytest.mark.parametrize(
    ("body", "code", "reason"),
    [
        ({}, "invalid_body", "url"),
        ({"url": "http://93.184.215.14/"}, "invalid_parameter", "must begin with https://"),
        ({"url": "https://10.0.0.7/"}, "invalid_parameter", "no public address"),
        ({"url": "https://user:word@93.184.215.14/"}, "invalid_parameter", "must not contain credentials"),
        ({"url": URL, "types": ["invoice.lost"]}, "invalid_body", "types"),
        ({"url": URL, "types": []}, "invalid_body", "types"),
        ({"url": URL, "description": "x" * 201}, "invalid_body", "description"),
        ({"url": URL, "secret": "whsec_AAAA"}, "invalid_body", "secret"),
    ],
)
async def test_what_cannot_be_registered_is_refused(
    client: httpx.AsyncClient, store: Store, account: Account, body: dict[str, object], code: str, reason: str
) -> None:
    answer = await client.post(PATH, json=body)
    assert_error(answer, 400, "invalid_request_error", code)
    assert reason in answer.json()["error"]["message"]
    assert await store.endpoints.of_account(account.id) == []


async def test_a_url_is_registered_once_and_so_many_at_most(client: httpx.AsyncClient, clock: Clock) -> None:
    await create(client)
    again = await client.post(PATH, json={"url": URL})
    assert "already registered" in again.json()["error"]["message"]
    for number in range(1, MAX_ENDPOINTS):
        if number % 50 == 0:
            clock.advance(60)
        await create(client, url=f"{URL}/{number}")
    clock.advance(60)
    over = await client.post(PATH, json={"url": f"{URL}/over"})
    assert_error(over, 400, "invalid_request_error", "invalid_parameter")


async def test_changes_are_made_together_or_not_at_all(client: httpx.AsyncClient) -> None:
    created = await create(client)
    path = f"{PATH}/{created['id']}"
    changes = {"url": f"{URL}/2", "description": "ERP", "types": ["invoice.updated", "invoice.failed"]}
    changed = (await client.patch(path, json=changes)).json()
    assert (changed["url"], changed["description"]) == (f"{URL}/2", "ERP")
    assert changed["types"] == ["invoice.failed", "invoice.updated"]
    refused = await client.patch(path, json={"description": "other", "url": "https://10.0.0.7/"})
    assert_error(refused, 400, "invalid_request_error", "invalid_parameter")
    assert (await client.get(path)).json() == changed
    assert_error(await client.patch(path, json={}), 400, "invalid_request_error", "invalid_body")


async def test_an_endpoint_is_paused_and_resumed(client: httpx.AsyncClient, store: Store, account: Account) -> None:
    path = f"{PATH}/{(await create(client))['id']}"
    paused = (await client.patch(path, json={"active": False})).json()
    assert (paused["active"], paused["paused_reason"]) == (False, "by_hand")
    (endpoint,) = await store.endpoints.of_account(account.id)
    assert endpoint.paused_reason is PauseReason.BY_HAND
    resumed = (await client.patch(path, json={"active": True})).json()
    assert (resumed["active"], resumed["paused_reason"]) == (True, None)


async def test_a_rotated_secret_is_shown_once_and_the_fourth_is_refused(
    client: httpx.AsyncClient, store: Store, account: Account
) -> None:
    created = await create(client)
    path = f"{PATH}/{created['id']}/rotate_secret"
    secrets = [created["secret"], *[(await client.post(path)).json()["secret"] for _ in range(2)]]
    assert len(set(secrets)) == 3
    (endpoint,) = await store.endpoints.of_account(account.id)
    assert len(endpoint.secrets) == 3
    assert_error(await client.post(path), 400, "invalid_request_error", "invalid_parameter")


async def test_a_deleted_endpoint_takes_its_deliveries_with_it(
    client: httpx.AsyncClient, store: Store, clock: Clock, account: Account
) -> None:
    id = (await create(client))["id"]
    (endpoint,) = await store.endpoints.of_account(account.id)
    delivery = await add_delivery(store, clock, account.id, endpoint.id)
    assert (await client.delete(f"{PATH}/{id}")).status_code == 204
    assert_error(await client.get(f"{PATH}/{id}"), 404, "not_found", "webhook_endpoint_not_found")
    assert_error(await client.delete(f"{PATH}/{id}"), 404, "not_found", "webhook_endpoint_not_found")
    assert await store.deliveries.get(account.id, delivery.id) is None


async def test_nobody_reaches_another_accounts_endpoint(
    client: httpx.AsyncClient, make_key: MakeKey, store: Store
) -> None:
    created = await create(client)
    other = Account(new_id(), Plan.PRO, NOON)
    await store.accounts.add(other)
    client.headers.update(await make_key(owner=other))
    path = f"{PATH}/{created['id']}"
    for call in (
        client.get(path),
        client.patch(path, json={"active": False}),
        client.delete(path),
        client.post(f"{path}/rotate_secret"),
    ):
        assert_error(await call, 404, "not_found", "webhook_endpoint_not_found")
    assert (await client.get(PATH)).json()["data"] == []


async def test_every_change_is_in_the_audit_trail_under_the_key_and_without_secrets(
    client: httpx.AsyncClient, store: Store, account: Account
) -> None:
    path = f"{PATH}/{(await create(client, types=[EventType.DELETED]))['id']}"
    await client.patch(path, json={"active": False})
    await client.post(f"{path}/rotate_secret")
    await client.delete(path)
    entries = (await store.audit.page(account.id, 10)).items
    assert [entry.action for entry in reversed(entries)] == [
        *("webhook.registered", "webhook.changed", "webhook.secret_rotated", "webhook.deleted")
    ]
    assert {entry.actor.name for entry in entries} == {"till"}
    assert "whsec_" not in str(entries)
    assert URL not in str(entries)
