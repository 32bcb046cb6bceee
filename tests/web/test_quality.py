"""What the levels are worth, as a page."""

import re

import httpx
import pytest

from serve_app.domain.account import Account
from serve_app.domain.invoice import Invoice
from serve_app.domain.person import Role
from serve_app.domain.target_precision import TargetPrecision
from serve_app.services.bundle import Services
from serve_app.store.base import Files, Store
from tests.support import NOON
from tests.support.mails import READ, complete_invoice
from tests.support.reviews import add_checked, add_pile
from tests.web.conftest import Browse


async def confirm(browser: httpx.AsyncClient, invoice: Invoice, **fields: str) -> None:
    body = {
        "revision": 0,
        "fields": {name: {"value": value} for name, value in fields.items()},
        "status": "confirmed",
    }
    answer = await browser.put(f"/app/review/{invoice.id}/data", json=body)
    assert answer.status_code == 200, answer.text


async def test_an_account_without_decisions_learns_what_the_page_is_for(browse: Browse) -> None:
    text = (await browse().get("/app/quality")).text
    assert "No reviews yet" in text
    assert "/v1/quality" in text


async def test_precision_follows_the_decisions(browse: Browse, store: Store, files: Files, account: Account) -> None:
    browser = browse()
    for number, invoice in enumerate(await add_pile(store, files, account, NOON, 3)):
        await browser.post(f"/app/review/{invoice.id}/lease", json={"window": "one"})
        await confirm(browser, invoice, amount="380.34", **({"tax": "30"} if number == 0 else {}))
    assert "saved in the last" not in (await browser.get("/app/quality")).text
    await complete_invoice(store, account.id, READ.model_copy(update={"auto_verified": True}))
    text = (await browser.get("/app/quality")).text
    amount = text.partition(">Amount<")[2].partition("</tr>")[0]
    assert "0 %" in amount
    assert "3 seen" in amount
    tax = text.partition(">Tax<")[2].partition("</tr>")[0]
    assert "66.7 %" in tax
    assert "as calibrated" in tax
    assert "3</span><p>invoices confirmed or rejected" in text
    assert "0 min</span><p>saved in the last 30 days: 1 invoice needed no review; " in text
    assert (await browser.get("/app/quality/time.csv")).text.startswith("measured,seconds,")
    table = await browser.get("/app/quality/table.csv")
    assert table.headers["content-disposition"] == 'attachment; filename="quality.csv"'
    assert "amount,low,3,0," in table.text


async def test_targets_are_compared_on_what_people_have_checked(
    browse: Browse, store: Store, files: Files, account: Account
) -> None:
    await add_checked(store, files, account, NOON, 0.97)
    await add_checked(store, files, account, NOON, 0.92, amount="7.00")
    text = (await browse().get("/app/quality")).text
    table = text.partition('aria-label="Target precisions compared"')[2].partition("</table>")[0]
    plain = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", table))
    assert "99 % (yours) 2 invoices 99.5 % 2 invoices 99.9 % 2 invoices" in plain
    assert "Invoices verified automatically 100 % 1 of 2 wrong 50 % 0 of 1 wrong 0 % none" in plain
    assert "All header fields 100 % 1 of 10 wrong 50 % 0 of 5 wrong 0 % none" in plain
    assert "Amount 100 % 1 of 2 wrong 50 % 0 of 1 wrong 0 % none" in plain


async def test_without_evidence_of_thresholds_there_is_nothing_to_compare(
    browse: Browse, store: Store, files: Files, account: Account
) -> None:
    browser = browse()
    (invoice,) = await add_pile(store, files, account, NOON, 1)
    await confirm(browser, invoice)
    text = (await browser.get("/app/quality")).text
    assert "invoices confirmed or rejected" in text
    assert "Target precisions compared" not in text


async def test_the_promise_is_that_of_the_target(
    browse: Browse,
    services: Services,
    store: Store,
    files: Files,
    account: Account,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await add_checked(store, files, account, NOON, 0.97)
    browser = browse()
    assert "guarantees that 98 % are right" in (await browser.get("/app/quality")).text
    monkeypatch.setattr(services.targets, "usual", TargetPrecision.HIGHEST)
    assert "guarantees that 99.8 % are right" in (await browser.get("/app/quality")).text


@pytest.mark.parametrize(("role", "status"), [(Role.OWNER, 303), (Role.REVIEWER, 403)])
async def test_a_threshold_is_reset_by_owners(browse: Browse, role: Role, status: int) -> None:
    browser = browse(role)
    assert (await browser.post("/app/quality/reset", data={"field": "amount"})).status_code == status
    assert (await browser.post("/app/quality/reset", data={"field": "none"})).status_code in (400, 403)
