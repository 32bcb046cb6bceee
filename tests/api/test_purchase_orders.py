"""Purchase orders by API: kept, changed and received, with what is open of them."""

from typing import Any

import httpx
import pytest

from serve_app.domain.account import Account
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Extraction
from serve_app.domain.order_match import MatchedLine, MatchedOrder, OrderMatch, OrderMatchStatus
from serve_app.store.base import Store
from tests.api.checks import assert_error
from tests.api.invoices import complete_one

PATH = "/v1/purchase-orders"
OAK = {"description": "Oak desk", "sku": "D-1", "quantity": 10, "unit": "pcs", "unit_price": 25.05}
ORDER = {"number": "PO-1001", "vendor": "Norvik Supplies", "currency": "EUR", "lines": [OAK]}


async def create(client: httpx.AsyncClient, **more: object) -> dict[str, Any]:
    answer = await client.post(PATH, json={**ORDER, **more})
    assert answer.status_code == 201, answer.text
    created: dict[str, Any] = answer.json()
    return created


async def bill(store: Store, account: Account, order_id: str, quantity: str) -> str:
    """A complete invoice that bills so much of the first line."""
    line = MatchedLine(line=1, order_id=order_id, order_line=1, quantity=quantity, amount="1")
    order = MatchedOrder(id=order_id, number="PO-1001")
    match = OrderMatch(status=OrderMatchStatus.MATCHED, orders=[order], lines=[line])
    return str((await complete_one(store, account, Extraction(order_match=match))).id)


async def test_an_order_is_kept_and_answered_with_what_is_open(
    client: httpx.AsyncClient, store: Store, account: Account
) -> None:
    answer = await client.post(PATH, json={**ORDER, "ordered_on": "2026-05-02", "status": "open"})
    created = answer.json()
    assert answer.headers["Location"] == f"{PATH}/{created['id']}"
    assert created["lines"] == [
        {"position": 1, **OAK, "received_quantity": None, "billed_quantity": 0, "open_quantity": 10}
    ]
    assert (created["object"], created["ordered_on"], created["status"]) == ("purchase_order", "2026-05-02", "open")
    invoice_id = await bill(store, account, created["id"], "4")
    (line,) = (await client.get(f"{PATH}/{created['id']}")).json()["lines"]
    assert (line["billed_quantity"], line["open_quantity"]) == (4, 6)
    await client.delete(f"/v1/invoices/{invoice_id}")
    assert (await client.get(f"{PATH}/{created['id']}")).json() == created


async def test_orders_are_filtered_and_paged(client: httpx.AsyncClient) -> None:
    made = [await create(client, number=f"PO-{n}", vendor=f"Vendor {n % 2}") for n in range(3)]
    await client.patch(f"{PATH}/{made[0]['id']}", json={"status": "closed"})

    async def found(query: str) -> list[str]:
        return [order["number"] for order in (await client.get(f"{PATH}?{query}")).json()["data"]]

    assert await found("") == ["PO-2", "PO-1", "PO-0"]
    assert await found("status=closed") == ["PO-0"]
    assert await found("number=po%201") == ["PO-1"]
    assert await found("vendor=vendor%200&status=open") == ["PO-2"]
    assert await found(f"limit=1&starting_after={made[2]['id']}") == ["PO-1"]
    assert (await client.get(f"{PATH}?limit=2")).json()["has_more"] is True


async def test_changes_are_made_together_or_not_at_all(client: httpx.AsyncClient) -> None:
    order, other = await create(client), await create(client, number="PO-2")
    path = f"{PATH}/{order['id']}"
    bad = await client.patch(path, json={"vendor": "Other", "number": "po 2"})
    assert_error(bad, 400, "invalid_request_error", "invalid_parameter")
    assert (await client.get(path)).json() == order
    change = {"number": "PO-7", "vendor": "Other", "currency": "CHF", "ordered_on": "2026-05-03", "status": "closed"}
    changed = (await client.patch(path, json={**change, "lines": [OAK, {**OAK, "position": 30}]})).json()
    assert {name: changed[name] for name in change} == change
    assert [line["position"] for line in changed["lines"]] == [1, 30]
    assert (await client.get(f"{PATH}/{other['id']}")).json() == other


async def test_what_arrives_is_added_once_per_key(client: httpx.AsyncClient) -> None:
    order = await create(client)
    path, body = f"{PATH}/{order['id']}/receive", {"lines": [{"position": 1, "quantity": 4}]}
    headers = {"Idempotency-Key": "lorry 7"}
    first = await client.post(path, json=body, headers=headers)
    again = await client.post(path, json=body, headers=headers)
    assert first.json() == again.json()
    assert again.headers["Idempotency-Replayed"] == "true"
    assert first.json()["lines"][0]["received_quantity"] == 4
    other = {"lines": [{"position": 1, "quantity": 5}]}
    reused = await client.post(path, json=other, headers=headers)
    assert_error(reused, 422, "invalid_request_error", "idempotency_key_reused")
    back = await client.post(path, json={"lines": [{"position": 1, "quantity": -1.5}]})
    assert back.json()["lines"][0]["received_quantity"] == 2.5
    for position, quantity in ((1, -3), (2, 1)):
        bad = await client.post(path, json={"lines": [{"position": position, "quantity": quantity}]})
        assert_error(bad, 400, "invalid_request_error", "invalid_parameter")


async def test_an_order_is_created_once_per_key(client: httpx.AsyncClient) -> None:
    headers = {"Idempotency-Key": "k"}
    first, again = [await client.post(PATH, json=ORDER, headers=headers) for _ in range(2)]
    assert first.json() == again.json()
    assert again.status_code == 201
    assert again.headers["Location"] == first.headers["Location"]
    assert_error(await client.post(PATH, json=ORDER), 400, "invalid_request_error", "invalid_parameter")


async def test_a_deleted_order_is_gone(client: httpx.AsyncClient) -> None:
    path = f"{PATH}/{(await create(client))['id']}"
    assert (await client.delete(path)).status_code == 204
    for gone in (await client.get(path), await client.delete(path), await client.get(f"{PATH}/{new_id()}")):
        assert_error(gone, 404, "not_found", "purchase_order_not_found")


async def test_the_rules_are_replaced_as_a_whole(client: httpx.AsyncClient) -> None:
    default = {"price_percent": 0, "amount": 0.05, "quantity_percent": 0, "skip_review": False}
    path = "/v1/order-rules"
    assert (await client.get(path)).json() == {"object": "order_rules", **default}
    chosen = {"price_percent": 2.5, "amount": 1, "quantity_percent": 10, "skip_review": True}
    assert (await client.put(path, json=chosen)).json() == {"object": "order_rules", **chosen}
    assert (await client.put(path, json={"price_percent": 1})).json() == {
        "object": "order_rules",
        **default,
        "price_percent": 1,
    }


async def test_invoices_are_found_by_their_order(client: httpx.AsyncClient, store: Store, account: Account) -> None:
    order = await create(client)
    invoice_id = await bill(store, account, order["id"], "4")
    await complete_one(store, account)
    for query in (f"order_id={order['id']}", "order_match=matched"):
        (found,) = (await client.get(f"/v1/invoices?{query}")).json()["data"]
        assert found["id"] == invoice_id
        assert found["order_match"]["orders"] == [{"id": order["id"], "number": "PO-1001"}]
    assert (await client.get("/v1/invoices?order_match=differs")).json()["data"] == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"lines": []},
        {"lines": [{**OAK, "quantity": -1}]},
        {"lines": [{**OAK, "quantity": "1"}]},
        {"lines": [{**OAK, "unit_price": 1e13}]},
        {"lines": [{"quantity": 1}]},
        {"currency": "Euro"},
        {"ordered_on": "2026-02-30"},
        {"status": "lost"},
        {"number": ""},
        {"colour": "red"},
    ],
)
async def test_a_body_that_cannot_be_kept_says_what_is_wrong(client: httpx.AsyncClient, wrong: object) -> None:
    answer = await client.post(PATH, json={**ORDER, **wrong})  # type: ignore[dict-item]
    assert_error(answer, 400, "invalid_request_error", "invalid_body")


@pytest.mark.parametrize("wrong", [{"number": "--"}, {"vendor": "."}, {"lines": [{**OAK, "position": 2}] * 2}])
async def test_what_no_schema_says_is_an_invalid_parameter(client: httpx.AsyncClient, wrong: object) -> None:
    answer = await client.post(PATH, json={**ORDER, **wrong})  # type: ignore[dict-item]
    assert_error(answer, 400, "invalid_request_error", "invalid_parameter")
