"""`/v1/chart`, and `/v1/invoices/{id}/coding`."""

from decimal import Decimal
from typing import Any

import httpx
import pytest

from serve_app.domain.account import Account, Plan, Scope
from serve_app.domain.event import EventType
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Extraction, LineItem
from serve_app.store.base import Store
from tests.api.checks import assert_error
from tests.api.conftest import MakeKey
from tests.support import NOON, newest_events
from tests.support.mails import complete_invoice

DIMENSIONS = [
    {
        "key": "account",
        "name": "Accounts",
        "codes": [
            {"code": "4930", "name": "Office supplies"},
            {"code": "4920", "name": "Telephone"},
            {"code": "4000", "name": "Old", "active": False},
        ],
    },
    {"key": "cost_center", "name": "Cost centres", "codes": [{"code": "10"}, {"code": "20"}]},
]
READ = Extraction(
    vendor_name="Acme Ltd",
    amount=Decimal("119.00"),
    line_items=[
        LineItem(description="Paper", quantity=None, unit_price=None, confidence=None, total=Decimal("100.00")),
        LineItem(description="Pens", quantity=Decimal(3), unit_price=Decimal("0.33"), confidence=None),
    ],
)


async def put_chart(client: httpx.AsyncClient, revision: int = 0, **more: Any) -> httpx.Response:
    return await client.put("/v1/chart", json={"revision": revision, "dimensions": DIMENSIONS, **more})


@pytest.fixture
async def path(client: httpx.AsyncClient, store: Store, account: Account) -> str:
    """The coding of a complete invoice, of an account with a chart."""
    assert (await put_chart(client)).status_code == 200
    invoice = await complete_invoice(store, account.id, READ)
    return f"/v1/invoices/{invoice.id}/coding"


def posting(line: int | None, account: str | None = "4930", **more: Any) -> dict[str, Any]:
    return {"line": line, "codes": {"account": account}, **more}


async def code(client: httpx.AsyncClient, path: str, *postings: dict[str, Any]) -> httpx.Response:
    return await client.put(path, json={"postings": list(postings)})


async def test_a_chart_is_replaced_and_read(client: httpx.AsyncClient) -> None:
    assert (await client.get("/v1/chart")).json() == {
        **{"object": "chart", "revision": 0},
        **{"dimensions": [], "rules": []},
    }
    put = (await put_chart(client)).json()
    assert put["revision"] == 1
    assert put["dimensions"][1]["codes"] == [
        {"code": "10", "name": "", "active": True},
        {"code": "20", "name": "", "active": True},
    ]
    assert (await client.get("/v1/chart")).json() == put


async def test_a_chart_of_another_revision_is_409(client: httpx.AsyncClient) -> None:
    await put_chart(client)
    for revision in (0, 2):
        answer = await put_chart(client, revision)
        assert_error(answer, 409, "invalid_request_error", "chart_changed")


@pytest.mark.parametrize(
    ("rule", "param"),
    [
        ({"codes": {"account": "4930"}}, "rules.0"),
        ({"contains": " ", "codes": {"account": "4930"}}, "rules.0"),
        ({"contains": "paper", "codes": {"account": "4000"}}, "rules.0.codes.account"),
        ({"contains": "paper", "codes": {"project": "1"}}, "rules.0.codes.project"),
    ],
)
async def test_a_rule_needs_words_and_codes_of_the_chart(
    client: httpx.AsyncClient, rule: dict[str, Any], param: str
) -> None:
    answer = await put_chart(client, rules=[rule])
    assert_error(answer, 400, "invalid_request_error", "invalid_parameter")
    assert answer.json()["error"]["param"] == param


async def test_a_code_is_there_once(client: httpx.AsyncClient) -> None:
    twice = {"key": "account", "name": "Accounts", "codes": [{"code": "1"}, {"code": " 1"}]}
    answer = await client.put("/v1/chart", json={"revision": 0, "dimensions": [twice]})
    assert answer.json()["error"]["message"] == "codes.1: the code is there twice."


async def test_a_coding_is_confirmed_and_answered_with_the_invoice(
    client: httpx.AsyncClient, path: str, store: Store, account: Account
) -> None:
    answer = await code(client, path, posting(1), posting(2, "4920"))
    coding = answer.json()["coding"]
    assert (coding["status"], coding["by"], coding["auto_coded"]) == ("confirmed", "till", False)
    assert [(each["line"], each["share"], each["amount"]) for each in coding["postings"]] == [
        (1, 100.0, 100.0),
        (2, 100.0, 0.99),
    ]
    assert coding["postings"][1]["codes"] == {
        "account": {"value": "4920", "confidence": None, "score": None, "reason": None}
    }
    assert (await client.get(path.removesuffix("/coding"))).json() == answer.json()
    await newest_events(store, account.id)
    (event,) = (await client.get("/v1/events", params={"type": EventType.UPDATED})).json()["data"]
    assert event["data"]["invoice"]["coding"] == coding
    assert (await store.audit.page(account.id, 1)).items[0].action == "invoice.coded"
    taken_back = await client.put(path, json={"postings": None})
    assert taken_back.json()["coding"] is None


async def test_the_amounts_of_a_split_line_add_up(client: httpx.AsyncClient, path: str) -> None:
    shares = [posting(2, share=share) for share in ("33.3333", "33.3333", "33.3333")]
    postings = (await code(client, path, posting(1), *shares)).json()["coding"]["postings"]
    assert [each["amount"] for each in postings[1:]] == [0.33, 0.33, 0.33]
    amounts = [posting(1, amount="33.34"), posting(1, "4920", amount="66.66")]
    postings = (await code(client, path, *amounts)).json()["coding"]["postings"]
    assert [(each["share"], each["amount"]) for each in postings] == [(33.34, 33.34), (66.66, 66.66)]


async def test_the_whole_invoice_is_booked_at_once(client: httpx.AsyncClient, path: str) -> None:
    (whole,) = (await code(client, path, posting(None))).json()["coding"]["postings"]
    assert (whole["line"], whole["amount"]) == (None, 119.0)


@pytest.mark.parametrize(
    ("postings", "param"),
    [
        ([posting(3)], "postings.0.line"),
        ([posting(1), posting(None)], "postings"),
        ([posting(1, "4000")], "postings.0.codes.account"),
        ([posting(1, "4931")], "postings.0.codes.account"),
        ([{"line": 1, "codes": {"project": None}}], "postings.0.codes.project"),
        ([posting(1, share="40"), posting(1, share="50")], "postings.0"),
        ([posting(1, share="40"), posting(1)], "postings.0"),
        ([posting(1, amount="40"), posting(1, amount="50")], "postings.0.amount"),
        ([posting(1, share="40", amount="40"), posting(1, share="60")], "postings.0"),
    ],
)
async def test_what_does_not_fit_is_400_and_changes_nothing(
    client: httpx.AsyncClient, path: str, postings: list[dict[str, Any]], param: str
) -> None:
    answer = await code(client, path, *postings)
    assert_error(answer, 400, "invalid_request_error", "invalid_parameter")
    assert answer.json()["error"]["param"] == param
    assert (await client.get(path.removesuffix("/coding"))).json()["coding"] is None


async def test_another_accounts_invoice_is_404(
    anyone: httpx.AsyncClient, path: str, make_key: MakeKey, store: Store
) -> None:
    other = Account(new_id(), Plan.FREE, NOON)
    await store.accounts.add(other)
    headers = await make_key(Scope.FULL, other)
    answer = await anyone.put(path, json={"postings": None}, headers=headers)
    assert_error(answer, 404, "not_found", "invoice_not_found")
    assert (await anyone.get("/v1/chart", headers=headers)).json()["dimensions"] == []
