"""What people have decided about an invoice is told wherever the invoice is shown."""

import re
from datetime import date
from decimal import Decimal

import httpx
import pytest

from serve_app.domain.account import Account
from serve_app.domain.audit import Actor, ActorKind
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Invoice
from serve_app.services.bundle import Services
from serve_app.services.review.change import FieldChange, ReviewChange
from serve_app.store.base import Files, Store
from tests.support import NOON, newest_events
from tests.support.mails import READ, complete_invoice
from tests.support.reviews import add_doubtful
from tests.web.conftest import Browse

CLERK = Actor(ActorKind.PERSON, new_id(), "cleo@example.com")
LATE = date(2020, 1, 1)


@pytest.fixture
async def invoices(store: Store, services: Services, account: Account) -> list[Invoice]:
    """One to check, one that was confirmed and one that was rejected; all are overdue."""
    numbers = [{"invoice_number": f"D-{number}", "due_at": LATE, "amount": Decimal(1 + number)} for number in range(3)]
    made = [await complete_invoice(store, account.id, READ.model_copy(update=each)) for each in numbers]
    await services.reviews.confirm(account.id, made[1].id, 0, CLERK)
    await services.reviews.reject(account.id, made[2].id, 0, "Not ours", CLERK)
    return made


def rows_in(answer: httpx.Response) -> dict[str, str]:
    """The text of each row of a list, by the invoice's id."""
    assert answer.status_code == 200, answer.text
    rows = re.findall(r"<tr.*?</tr>", answer.text.partition("<tbody>")[2], flags=re.DOTALL)
    named = ((re.search(r"/app/invoices/([0-9a-f-]{36})", row), row) for row in rows)
    return {found[1]: plain(row) for found, row in named if found}


def plain(markup: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", markup))


async def test_the_list_shows_who_has_decided(browse: Browse, invoices: list[Invoice]) -> None:
    to_check, confirmed, rejected = [rows_in(await browse().get("/app/invoices"))[str(each.id)] for each in invoices]
    assert "To check" in to_check
    assert "Overdue" in to_check
    assert "Confirmed by cleo@example.com" in confirmed
    assert "To check" not in confirmed + rejected
    assert "Rejected by cleo@example.com" in rejected
    assert "Overdue" not in rejected


async def test_a_rejected_invoice_is_not_asked_to_be_paid(browse: Browse, invoices: list[Invoice]) -> None:
    browser, rejected = browse(), str(invoices[2].id)
    page = (await browser.get("/app/invoices")).text
    tabs = dict(
        re.findall(r'<a href="([^"]+)"[^>]*>([^<]+)</a>', page.partition('id="tabs"')[2].partition("</nav>")[0])
    )
    paths = {name: path.replace("&amp;", "&") for path, name in tabs.items()}
    kept = [str(invoices[1].id), str(invoices[0].id)]
    assert list(rows_in(await browser.get(paths["Unpaid"]))) == kept
    assert list(rows_in(await browser.get(paths["Overdue"]))) == kept
    assert list(rows_in(await browser.get(paths["Rejected"]))) == [rejected]
    assert list(rows_in(await browser.get(paths["Confirmed"]))) == [str(invoices[1].id)]
    text = (await browser.get(f"/app/invoices/{rejected}")).text
    assert 'value="paid"' not in text
    assert "Rejected by cleo@example.com" in plain(text)
    assert "Not ours" in text
    assert 'value="paid"' in (await browser.get(f"/app/invoices/{invoices[1].id}")).text
    start = (await browser.get("/app/")).text
    overdue = re.search(r'href="(/app/invoices\?overdue=true[^"]*)">\s*<span class="figure">2<', start)
    assert overdue is not None
    assert list(rows_in(await browser.get(overdue[1].replace("&amp;", "&")))) == kept


async def test_a_paid_invoice_that_was_rejected_can_be_marked_as_unpaid(
    browse: Browse, services: Services, account: Account, invoices: list[Invoice]
) -> None:
    browser, paid = browse(), str(invoices[1].id)
    await browser.post("/app/invoices/act", data={"act": "paid", "id": paid})
    await services.reviews.reject(account.id, invoices[1].id, 1, "Paid twice", CLERK)
    text = (await browser.get(f"/app/invoices/{paid}")).text
    assert 'value="unpaid"' in text
    assert "Paid" in rows_in(await browser.get("/app/invoices"))[paid]


async def test_files_and_the_api_call_have_the_decisions(browse: Browse, invoices: list[Invoice]) -> None:
    browser = browse()
    lines = (await browser.get("/app/export/file?review=rejected")).text.splitlines()
    assert len(lines) == 2
    (row,) = [dict(zip(lines[0].split(","), lines[1].split(","), strict=True))]
    said = row["review_status"], row["review_by"], row["review_reason"]
    assert said == ("rejected", "cleo@example.com", "Not ours")
    assert row["review_at"].startswith(f"{NOON:%Y-%m-%d}")
    listed = (await browser.get("/app/invoices?review=not_rejected&paid=false")).text
    assert "/v1/invoices?review=not_rejected&amp;paid=false" in listed


async def history_in(browser: httpx.AsyncClient, invoice: Invoice) -> list[str]:
    text = (await browser.get(f"/app/invoices/{invoice.id}")).text.partition('id="h-history"')[2]
    lines = re.findall(r"<li>.*?<p>(.*?)</p>", text.partition("</ol>")[0], flags=re.DOTALL)
    return [plain(line).strip() for line in lines]


async def test_history_shows_decisions_as_such(
    browse: Browse, store: Store, account: Account, invoices: list[Invoice]
) -> None:
    await newest_events(store, account.id)
    browser = browse()
    assert (await history_in(browser, invoices[1]))[0] == "Confirmed by cleo@example.com"
    assert (await history_in(browser, invoices[2]))[0] == "Rejected by cleo@example.com: Not ours"
    lines = [line for each in invoices for line in await history_in(browser, each)]
    assert not any("failed" in line for line in lines)


async def test_history_shows_what_was_corrected_and_what_was_only_looked_at(
    browse: Browse, store: Store, files: Files, services: Services, account: Account
) -> None:
    invoice = await add_doubtful(store, files, account, NOON)
    review = await services.reviews.get(account.id, invoice.id)
    for revision, (name, value) in enumerate(
        (("vendor", review.fields["vendor"].value), ("amount", review.fields["amount"].value))
    ):
        await services.reviews.change(account.id, invoice.id, revision, ReviewChange({name: FieldChange(value)}), CLERK)
    browser = browse()
    assert (await history_in(browser, invoice))[0] == "Checked vendor, amount by cleo@example.com"
    change = ReviewChange({"amount": FieldChange("380.34"), "due_at": FieldChange(None)})
    await services.reviews.change(account.id, invoice.id, 2, change, CLERK)
    assert (await history_in(browser, invoice))[0] == "Corrected amount by cleo@example.com"
    await services.reviews.undo(account.id, invoice.id, 3, CLERK)
    assert (await history_in(browser, invoice))[0] == "Change of amount undone by cleo@example.com"
