"""The first page, and what the command palette finds."""

import re
from datetime import date
from decimal import Decimal
from uuid import UUID

import pytest

from serve_app.domain.account import Account, AccountLimits
from serve_app.domain.invoice import Failure, FailureCode
from serve_app.domain.person import Role
from serve_app.domain.usage import Usage
from serve_app.settings import Settings
from serve_app.store.base import Store
from tests.support import NOON, claim_next, queue_new
from tests.support.mails import READ, complete_invoice
from tests.support.suppliers import alert
from tests.web.conftest import Browse, SignedIn


async def test_a_new_account_is_shown_the_first_steps(browse: Browse) -> None:
    text = (await browse().get("/app/")).text
    assert "Try the sample" in text
    assert 'href="/app/quick-start"' in text
    viewer = (await browse(Role.VIEWER).get("/app/")).text
    assert "Try the sample" not in viewer
    assert "An owner of the account can create keys." in viewer


async def test_what_waits_is_counted_and_leads_to_its_list(browse: Browse, store: Store, account: Account) -> None:
    await complete_invoice(store, account.id, READ.model_copy(update={"due_at": date(2020, 1, 1), "checks": [alert()]}))
    await complete_invoice(store, account.id, READ.model_copy(update={"auto_verified": True, "due_at": None}))
    await queue_new(store, account.id)
    failure = Failure(code=FailureCode.NO_TEXT_FOUND, message="-")
    await store.queue.fail(await claim_next(store), failure, NOON)
    await queue_new(store, account.id)
    browser = browse()
    text = (await browser.get("/app/")).text
    figures = dict(re.findall(r'href="([^"]+)">\s*<span class="figure">([^<]+)', text))
    assert figures == {
        "/app/review": "1",
        "/app/invoices?status=failed": "1",
        "/app/invoices?overdue=true&amp;review=not_rejected": "1",
        "/app/invoices?has_alerts=true&amp;paid=false&amp;review=not_rejected": "1",
        "/app/invoices?status=queued": "1",
    }
    assert "1,190.50 EUR" in text
    assert 'data-poll="/app/"' in text
    part = await browser.get("/app/", headers={"HX-Request": "true"})
    assert part.text.strip().startswith('<div id="figures"')


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"price_page": Decimal(10)})


async def test_everybody_sees_what_is_used_of_the_budget(signed_in: SignedIn, store: Store, account: Account) -> None:
    browser = await signed_in(Role.VIEWER)
    assert "budget" not in (await browser.get("/app/")).text
    await store.accounts.set_limits(account.id, AccountLimits(budget_per_month=Decimal(40)))
    text = (await browser.get("/app/")).text
    assert "<b>0.00 EUR</b> of 40.00 EUR budget." in text
    usage = Usage(pages=4, ocr_pages=0, cpu_ms=0, gpu_ms=None)
    await complete_invoice(store, account.id, READ.model_copy(update={"usage": usage}))
    text = (await browser.get("/app/")).text
    assert "<b>40.00 EUR</b> of 40.00 EUR budget. It is used up until next month." in text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("acm", [("Vendor", "ACME GmbH"), ("Invoice", "ACME GmbH")]),
        ("26-17", [("Invoice", "ACME GmbH")]),
        ("keys", [("Page", "Keys")]),
        ("upload", [("Page", "Send documents")]),
        ("nothing at all", []),
    ],
)
async def test_the_palette_finds_by_number_vendor_and_name(
    browse: Browse, store: Store, account: Account, text: str, expected: list[tuple[str, str]]
) -> None:
    await complete_invoice(store, account.id)
    browser = browse()
    found = (await browser.get("/app/find", params={"q": text})).json()["results"]
    assert [(each["kind"], each["name"]) for each in found] == expected
    for each in found:
        if each["kind"] == "Invoice":
            assert (await browser.get(each["path"])).status_code == 200


async def test_the_palette_offers_only_what_the_role_allows(browse: Browse, store: Store, account: Account) -> None:
    other = Account(UUID(int=7), account.plan, account.created_at)
    await store.accounts.add(other)
    await complete_invoice(store, other.id)
    viewer = browse(Role.VIEWER)
    names = {each["name"] for each in (await viewer.get("/app/find")).json()["results"]}
    assert "Invoices" in names
    assert not names & {"Keys", "Send documents", "Deployment"}
    assert (await viewer.get("/app/find", params={"q": "acme"})).json()["results"] == []
