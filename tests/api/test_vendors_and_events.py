"""GET /v1/vendors and GET /v1/events."""

import json
from datetime import date, timedelta
from decimal import Decimal

import httpx
import pytest

from serve_app.domain.account import Account, Plan, Scope
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Details, Extraction
from serve_app.store.base import Store
from tests.api.checks import assert_error
from tests.api.conftest import MakeKey
from tests.api.invoices import complete_one, fail_one
from tests.support import NOON, UNKNOWN_ID, newest_events

BAD = "invalid_request_error"


def bill(vendor: str, amount: str) -> Extraction:
    return Extraction(vendor_name=vendor, amount=Decimal(amount))


async def test_vendors_come_by_spend(client: httpx.AsyncClient, store: Store, account: Account) -> None:
    for vendor, amount in (("Small", "1.50"), ("Large", "99"), ("Small Ltd", "2")):
        await complete_one(store, account, bill(vendor, amount))
    body = (await client.get("/v1/vendors")).json()
    assert set(body) == {"object", "data"}
    assert [(item["name"], item["total_billed"], item["invoice_count"]) for item in body["data"]] == [
        ("Large", 99.0, 1),
        ("Small Ltd", 3.5, 2),
    ]
    assert set(body["data"][0]) == {
        *("id", "object", "name", "invoice_count", "total_billed", "last_seen_at", "website", "email", "phone"),
        *("totals", "identifiers"),
    }
    assert (await client.get("/v1/vendors", params={"limit": 1})).json()["data"] == body["data"][:1]


async def test_merged_vendors_are_the_kept_one(client: httpx.AsyncClient, store: Store, account: Account) -> None:
    large, small = [await complete_one(store, account, bill(*each)) for each in (("Large", "99"), ("Small", "1.50"))]
    assert large.vendor_id is not None
    assert small.vendor_id is not None
    assert await store.vendors.merge(account.id, large.vendor_id, small.vendor_id)
    later = await complete_one(store, account, bill("Small", "2"))
    (vendor,) = (await client.get("/v1/vendors")).json()["data"]
    assert (vendor["id"], vendor["total_billed"], vendor["invoice_count"]) == (str(large.vendor_id), 102.5, 3)
    shown = (await client.get(f"/v1/invoices/{small.id}")).json()
    assert (shown["vendor_id"], shown["vendor_name"]) == (str(large.vendor_id), "Small")
    # The id of the merged vendor finds what it found before, and the rest of the kept one.
    for id in (large.vendor_id, small.vendor_id):
        found = (await client.get("/v1/invoices", params={"vendor_id": str(id)})).json()["data"]
        assert [item["id"] for item in found] == [str(later.id), str(small.id), str(large.id)]


async def test_vendors_are_paged_by_the_last_one(client: httpx.AsyncClient, store: Store, account: Account) -> None:
    for number in range(5):
        await complete_one(store, account, bill(f"Vendor {number}", str(number // 2)))
    whole = (await client.get("/v1/vendors")).json()["data"]
    walked = (await client.get("/v1/vendors", params={"limit": 2})).json()["data"]
    has_more = True
    while has_more:
        page = (await client.get("/v1/vendors", params={"limit": 2, "starting_after": walked[-1]["id"]})).json()
        walked, has_more = walked + page["data"], page["has_more"]
    assert walked == whole
    assert len(whole) == 5
    answer = await client.get("/v1/vendors", params={"starting_after": UNKNOWN_ID})
    assert_error(answer, 400, BAD, "invalid_parameter")


async def test_vendors_have_sums_by_currency_if_asked_for(
    client: httpx.AsyncClient, store: Store, account: Account
) -> None:
    for number, (currency, amount) in enumerate((("EUR", "0.10"), ("USD", "5"), ("EUR", "0.20"), (None, "1"))):
        read = Extraction(vendor_name="Mixed", amount=Decimal(amount), currency=currency, invoice_number=f"M-{number}")
        await complete_one(store, account, read)
    (plain,) = (await client.get("/v1/vendors")).json()["data"]
    (vendor,) = (await client.get("/v1/vendors", params={"include": "totals"})).json()["data"]
    assert vendor["totals"] == [
        {"currency": "USD", "amount": 5.0},
        {"currency": None, "amount": 1.0},
        {"currency": "EUR", "amount": 0.3},
    ]
    assert plain == vendor | {"totals": None}


async def test_vendors_have_their_identifiers_if_asked_for(
    client: httpx.AsyncClient, store: Store, account: Account
) -> None:
    details = Details(iban="DE89370400440532013000")
    read = Extraction(vendor_name="Small", issued_at=date(2026, 5, 2), details=details)
    await complete_one(store, account, read)
    (vendor,) = (await client.get("/v1/vendors", params={"include": "identifiers"})).json()["data"]
    assert vendor["totals"] is None
    assert vendor["identifiers"] == [
        {
            **{"kind": "iban", "value": "DE89370400440532013000", "invoices": 1},
            **{"first_seen_at": "2026-05-02", "last_seen_at": "2026-05-02"},
        }
    ]


@pytest.mark.parametrize("limit", ["0", "101", "x", ""])
@pytest.mark.parametrize("path", ["/v1/vendors", "/v1/events"])
async def test_a_bad_limit_is_400(client: httpx.AsyncClient, path: str, limit: str) -> None:
    assert_error(await client.get(path, params={"limit": limit}), 400, BAD, "invalid_parameter")


async def test_one_event_is_read_as_its_list_shows_it(
    client: httpx.AsyncClient, store: Store, account: Account
) -> None:
    await complete_one(store, account)
    await fail_one(store, account)
    for event in await newest_events(store, account.id):
        answer = await client.get(f"/v1/events/{event.id}")
        stored = await store.events.get(account.id, event.id)
        assert stored is not None
        assert (answer.status_code, answer.text) == (200, stored.payload)


@pytest.mark.parametrize("id", [f"evt_{UNKNOWN_ID}", UNKNOWN_ID, "7", "%00", "e" * 5000])
async def test_an_unknown_event_is_404(client: httpx.AsyncClient, id: str) -> None:
    assert_error(await client.get(f"/v1/events/{id}"), 404, "not_found", "event_not_found")


async def test_another_accounts_event_is_404(
    anyone: httpx.AsyncClient, make_key: MakeKey, store: Store, account: Account
) -> None:
    await complete_one(store, account)
    (event,) = await newest_events(store, account.id)
    other = Account(new_id(), Plan.PRO, NOON)
    await store.accounts.add(other)
    answer = await anyone.get(f"/v1/events/{event.id}", headers=await make_key(Scope.READ, other))
    assert_error(answer, 404, "not_found", "event_not_found")


async def test_events_are_the_payloads_newest_first(client: httpx.AsyncClient, store: Store, account: Account) -> None:
    await complete_one(store, account)
    await fail_one(store, account)
    events = await newest_events(store, account.id)
    body = (await client.get("/v1/events")).json()
    assert (body["object"], body["has_more"]) == ("list", False)
    assert body["data"] == [json.loads(event.model_dump_json()) for event in events]
    assert body["data"][1]["data"]["invoice"] == (await client.get(f"/v1/invoices/{events[1].data.invoice.id}")).json()


async def test_events_are_filtered_and_paged(client: httpx.AsyncClient, store: Store, account: Account) -> None:
    for _ in range(2):
        await complete_one(store, account)
    await fail_one(store, account)
    ids = [event.id for event in await newest_events(store, account.id)]

    async def found(**params: str) -> list[str]:
        return [event["id"] for event in (await client.get("/v1/events", params=params)).json()["data"]]

    assert await found(type="invoice.failed") == ids[:1]
    assert await found(limit="1", starting_after=ids[0]) == ids[1:2]
    assert await found(created_after=NOON.isoformat()) == []
    assert await found(created_before=(NOON + timedelta(seconds=1)).isoformat()) == ids


@pytest.mark.parametrize(
    "params",
    ["type=invoice.read", "created_after=x", "starting_after=7", "starting_after=", f"starting_after=evt_{UNKNOWN_ID}"],
)
async def test_a_bad_value_is_400(client: httpx.AsyncClient, params: str) -> None:
    assert_error(await client.get(f"/v1/events?{params}"), 400, BAD, "invalid_parameter")


async def test_another_account_sees_neither(
    anyone: httpx.AsyncClient, make_key: MakeKey, store: Store, account: Account
) -> None:
    await complete_one(store, account, bill("ACME", "1"))
    (event,) = await newest_events(store, account.id)
    other = Account(new_id(), Plan.PRO, NOON)
    await store.accounts.add(other)
    key = await make_key(Scope.READ, other)
    assert (await anyone.get("/v1/vendors", headers=key)).json()["data"] == []
    assert (await anyone.get("/v1/events", headers=key)).json()["data"] == []
    answer = await anyone.get("/v1/events", params={"starting_after": event.id}, headers=key)
    assert_error(answer, 400, BAD, "invalid_parameter")
