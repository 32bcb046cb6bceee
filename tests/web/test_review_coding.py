"""The codes of an invoice on the review screen."""

from decimal import Decimal
from typing import Any

import httpx
import pytest

from serve_app.domain.account import Account
from serve_app.domain.chart import Chart, ChartCode, Dimension
from serve_app.domain.coding import CodingStatus
from serve_app.domain.invoice import Extraction, Invoice, LineItem
from serve_app.store.base import Store
from tests.support.mails import complete_invoice
from tests.web.conftest import Browse

CHART = Chart(
    dimensions=[
        Dimension(key="account", name="Accounts", codes=[ChartCode(code="4930", name="Office <supplies>")]),
        Dimension(key="cost_center", name="Cost centres", codes=[ChartCode(code="10"), ChartCode(code="20")]),
    ]
)
LINES = [
    LineItem(description=text, quantity=None, unit_price=None, confidence=None, total=Decimal(50))
    for text in ("Copy paper", "Pens")
]


@pytest.fixture
async def invoice(store: Store, account: Account) -> Invoice:
    await store.charts.put(account.id, CHART, 0)
    return await complete_invoice(store, account.id, Extraction(amount=Decimal(119), line_items=LINES))


def form(**more: str) -> dict[str, str]:
    rows = {
        f"coding-{n}-{name}": value
        for n in range(2)
        for name, value in (("line", str(n + 1)), ("share", ""), ("code-account", "4930"), ("code-cost_center", ""))
    }
    return {"revision": "0", **rows, **more}


async def coding_of(store: Store, invoice: Invoice, account: Account) -> list[tuple[int | None, str | None]] | None:
    """Line and account of each posting, once somebody has decided."""
    found = await store.invoices.get(account.id, invoice.id)
    assert found is not None
    if found.coding is None or found.coding.status is not CodingStatus.CONFIRMED:
        return None
    return [(each.line, each.codes["account"].value) for each in found.coding.postings]


async def put(browser: httpx.AsyncClient, invoice: Invoice, **body: Any) -> httpx.Response:
    return await browser.put(f"/app/review/{invoice.id}/data", json={"revision": 0, **body})


async def test_each_line_has_its_codes_and_what_can_be_entered(browse: Browse, invoice: Invoice) -> None:
    text = (await browse().get(f"/app/review/{invoice.id}")).text
    assert 'name="coding-1-code-cost_center"' in text
    assert "Office &lt;supplies&gt;" in text
    assert "Copy paper" in text


async def test_without_a_chart_there_is_no_coding(browse: Browse, store: Store, account: Account) -> None:
    invoice = await complete_invoice(store, account.id)
    assert 'id="coding"' not in (await browse().get(f"/app/review/{invoice.id}")).text


async def test_a_form_saves_the_coding_alone_or_with_the_confirmation(
    browse: Browse, invoice: Invoice, store: Store, account: Account
) -> None:
    browser, path = browse(), f"/app/review/{invoice.id}"
    assert (await browser.post(path, data=form())).status_code == 303
    assert await coding_of(store, invoice, account) is None
    assert (await browser.post(path, data=form(code="1"))).status_code == 303
    assert await coding_of(store, invoice, account) == [(1, "4930"), (2, "4930")]
    assert "Confirmed by ada@example.com." in (await browser.get(path)).text
    more = {"coding-0-code-account": "", "revision": "1", "status": "confirmed"}
    assert (await browser.post(path, data=form(**more))).status_code == 303
    assert await coding_of(store, invoice, account) == [(1, None), (2, "4930")]


async def test_what_does_not_fit_is_shown_again(
    browse: Browse, invoice: Invoice, store: Store, account: Account
) -> None:
    wrong = {"coding-0-code-account": "1", "code": "1"}
    answer = await browse().post(f"/app/review/{invoice.id}", data=form(**wrong))
    assert answer.status_code == 422
    assert "Accounts have no active code 1." in answer.text
    assert await coding_of(store, invoice, account) is None


async def test_no_code_at_all_is_no_decision(browse: Browse, invoice: Invoice, store: Store, account: Account) -> None:
    empty = {f"coding-{n}-code-account": "" for n in range(2)}
    await browse().post(f"/app/review/{invoice.id}", data=form(**empty, status="confirmed"))
    assert await coding_of(store, invoice, account) is None


async def test_the_screens_scripts_confirm_both_at_once(
    browse: Browse, invoice: Invoice, store: Store, account: Account
) -> None:
    postings = [
        {"line": 1, "codes": {"account": "4930", "cost_center": "10"}},
        {"line": 2, "share": "50", "codes": {"account": "4930", "cost_center": "10"}},
        {"line": 2, "share": "50", "codes": {"account": "4930", "cost_center": "20"}},
    ]
    answer = await put(browse(), invoice, status="confirmed", postings=postings)
    assert (answer.status_code, answer.json()["status"]) == (200, "confirmed")
    assert await coding_of(store, invoice, account) == [(1, "4930"), (2, "4930"), (2, "4930")]
    refused = await put(browse(), invoice, revision=1, postings=postings[:2])
    assert refused.status_code == 400
