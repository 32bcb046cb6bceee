"""GET /v1/invoices."""

from datetime import date, timedelta
from decimal import Decimal
from urllib.parse import quote

import httpx
import pytest

from serve_app.domain.account import Account, Plan, Scope
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Citation, Detail, Details, Extraction, Field
from serve_app.domain.record import Amendment
from serve_app.store.base import Store
from tests.api.checks import assert_error
from tests.api.conftest import MakeKey
from tests.api.invoices import complete_one, fail_one
from tests.support import NOON, UNKNOWN_ID, queue_new
from tests.support.suppliers import alert

PATH = "/v1/invoices"
_PLACE = Citation(page=1, box=(0.1, 0.1, 0.2, 0.2), text="10.10")


@pytest.fixture
async def three(store: Store, account: Account) -> list[str]:
    """Ids of a complete, a failed and a queued invoice, newest first."""
    acme = Extraction(
        vendor_name="ACME GmbH",
        amount=Decimal("10.10"),
        invoice_number="A/1 & 2",
        currency="EUR",
        issued_at=date(2026, 5, 2),
        checks=[alert()],
        citations={Field.AMOUNT: _PLACE},
        details=Details(subtotal=Decimal("10.10"), citations={Detail.SUBTOTAL: _PLACE}),
    )
    first = await complete_one(store, account, acme)
    second = await fail_one(store, account, NOON + timedelta(minutes=1))
    third = await queue_new(store, account.id, NOON + timedelta(minutes=2))
    await store.invoices.request_approval(account.id, first.id, "boss@example.com", "hash", NOON)
    await store.invoices.amend(account.id, second.id, Amendment(sets_tag=True, entity_tag="north"), NOON)
    return [str(third.invoice.id), str(second.id), str(first.id)]


async def test_the_newest_come_first_as_they_are_read_alone(client: httpx.AsyncClient, three: list[str]) -> None:
    body = (await client.get(PATH)).json()
    assert (body["object"], body["has_more"]) == ("list", False)
    assert [invoice["id"] for invoice in body["data"]] == three
    assert body["data"] == [(await client.get(f"{PATH}/{id}")).json() for id in three]


async def test_those_asked_for_by_id_come_in_the_order_of_the_list(client: httpx.AsyncClient, three: list[str]) -> None:
    wanted = ",".join([three[2], UNKNOWN_ID, three[0]])
    body = (await client.get(PATH, params={"ids": wanted})).json()
    assert ([invoice["id"] for invoice in body["data"]], body["has_more"]) == ([three[0], three[2]], False)
    one_by_one = await client.get(PATH, params=[("ids", three[2]), ("ids", three[0])])
    assert one_by_one.json() == body
    body = (await client.get(PATH, params={"ids": wanted, "limit": 1})).json()
    assert ([invoice["id"] for invoice in body["data"]], body["has_more"]) == ([three[0]], True)
    assert not (await client.get(PATH, params={"ids": three[0], "status": "failed"})).json()["data"]


async def test_a_hundred_ids_can_be_asked_for(client: httpx.AsyncClient, three: list[str]) -> None:
    wanted = [*three, *(str(new_id()) for _ in range(98))]
    answer = await client.get(PATH, params={"ids": ",".join(wanted[:100])})
    assert [invoice["id"] for invoice in answer.json()["data"]] == three
    for bad in (",".join(wanted), "", "x", f"{three[0]},", f"{three[0]}, {three[1]}"):
        refused = assert_error(
            await client.get(PATH, params={"ids": bad}), 400, "invalid_request_error", "invalid_parameter"
        )
        assert refused.startswith("ids: must be")


async def test_pages_follow_each_other(client: httpx.AsyncClient, three: list[str]) -> None:
    first = (await client.get(PATH, params={"limit": 2})).json()
    assert ([invoice["id"] for invoice in first["data"]], first["has_more"]) == (three[:2], True)
    rest = (await client.get(PATH, params={"limit": 2, "starting_after": three[1]})).json()
    assert ([invoice["id"] for invoice in rest["data"]], rest["has_more"]) == (three[2:], False)


@pytest.mark.parametrize(
    ("params", "found"),
    [
        ("status=failed", [1]),
        ("source=api", [0, 1, 2]),
        ("source=email", []),
        ("vendor=acme", [2]),
        ("paid=false", [0, 1, 2]),
        ("paid=True", []),
        ("overdue=true", []),
        ("overdue=false", [0, 1, 2]),
        ("min_amount=10.1&max_amount=10.10", [2]),
        ("min_amount=1e1", [2]),
        ("due_after=2026-01-01", []),
        (f"created_after={quote(NOON.isoformat())}", [0, 1]),
        ("created_after=2026-05-17T14:00:07.123456%2B02:00", [0, 1]),
        ("created_after=2026-05-17T14:00:07.123456+02:00", [0, 1]),
        ("created_before=2026-05-17T12:01:00", [2]),
        ("colour=red", [0, 1, 2]),
        ("vendor=", [2]),
        ("invoice_number=A/1%20%26%202", [2]),
        ("invoice_number=A", []),
        ("currency=EUR", [2]),
        ("currency=USD", []),
        ("entity_tag=north", [1]),
        ("entity_tag=nor", []),
        ("approval_status=requested", [2]),
        ("approval_status=approved", []),
        ("duplicate=false", [0, 1, 2]),
        ("duplicate=true", []),
        (f"vendor_id={UNKNOWN_ID}", []),
        (f"batch={UNKNOWN_ID}", []),
        ("issued_after=2026-05-01&issued_before=2026-05-03", [2]),
        ("issued_after=2026-05-02", []),
        ("issued_before=2026-05-02", []),
        ("issued_before=2026-05-03&currency=EUR&approval_status=requested&duplicate=false", [2]),
        ("has_alerts=true", [2]),
        ("has_alerts=false", [0, 1]),
        ("review=open", [0, 1, 2]),
        ("review=confirmed", []),
        ("review=rejected", []),
        ("review=not_rejected&vendor=acme", [2]),
    ],
)
async def test_what_is_asked_for_is_found(
    client: httpx.AsyncClient, three: list[str], params: str, found: list[int]
) -> None:
    answer = await client.get(f"{PATH}?{params}")
    assert [invoice["id"] for invoice in answer.json()["data"]] == [three[i] for i in found]


async def test_a_vendor_is_found_by_the_id_that_its_invoices_show(client: httpx.AsyncClient, three: list[str]) -> None:
    vendor = (await client.get(f"{PATH}/{three[2]}")).json()["vendor_id"]
    found = (await client.get(PATH, params={"vendor_id": vendor})).json()["data"]
    assert [invoice["id"] for invoice in found] == three[2:]


async def test_without_citations_a_list_is_smaller_and_otherwise_the_same(
    client: httpx.AsyncClient, three: list[str]
) -> None:
    whole, short = await client.get(PATH), await client.get(PATH, params={"exclude": "citations"})
    assert len(short.content) < len(whole.content)
    assert whole.json()["data"][2]["citations"] is not None
    expected = [
        invoice | {"citations": None, "details": invoice["details"] and invoice["details"] | {"citations": None}}
        for invoice in whole.json()["data"]
    ]
    assert any(invoice["details"] for invoice in expected)
    assert short.json() == whole.json() | {"data": expected}


@pytest.mark.parametrize(
    "params",
    [
        *("vendor_id=7", "batch=7", "batch=", "currency=eur", "currency=", "currency=EURO", "approval_status=maybe"),
        *(
            "duplicate=1",
            "issued_after=2026-13-01",
            "issued_before=today",
            "exclude=line_items",
            "exclude=",
            "review=maybe",
            "has_alerts=1",
        ),
        *(f"entity_tag={'x' * 61}", f"invoice_number={'x' * 256}"),
        *("limit=0", "limit=101", "limit=ten", "limit=", "status=done", "status=", "source=fax", "paid=maybe", "paid="),
        *(
            "overdue=1",
            "min_amount=ten",
            "min_amount=NaN",
            "max_amount=Infinity",
            "min_amount=1e999",
            "max_amount=-1e999",
            f"min_amount={'9' * 400}",
            "due_before=01.02.2026",
            "due_after=1",
        ),
        *("due_before=2026-02-30", "created_after=yesterday", "created_after=1700000000", "created_before=2026-01-01"),
        *("starting_after=7", "starting_after=", f"starting_after={UNKNOWN_ID}"),
    ],
)
async def test_a_bad_value_is_400(client: httpx.AsyncClient, params: str) -> None:
    message = assert_error(await client.get(f"{PATH}?{params}"), 400, "invalid_request_error", "invalid_parameter")
    assert message.startswith(params.partition("=")[0])


async def test_the_cursor_of_another_account_is_400(client: httpx.AsyncClient, store: Store) -> None:
    other = Account(new_id(), Plan.PRO, NOON)
    await store.accounts.add(other)
    record = await queue_new(store, other.id)
    answer = await client.get(PATH, params={"starting_after": str(record.invoice.id)})
    assert_error(answer, 400, "invalid_request_error", "invalid_parameter")


@pytest.mark.usefixtures("three")
async def test_another_account_sees_none_and_a_read_key_may_look(
    anyone: httpx.AsyncClient, make_key: MakeKey, store: Store
) -> None:
    other = Account(new_id(), Plan.PRO, NOON)
    await store.accounts.add(other)
    answer = await anyone.get(PATH, headers=await make_key(Scope.READ, other))
    assert answer.json() == {"object": "list", "data": [], "has_more": False}
