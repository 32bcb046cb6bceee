"""The review screen as a page and a form, and the answers that its scripts ask for."""

import re
from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import httpx
import pytest

from serve_app.domain.account import Account
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Confidence, Details, Field, Invoice, LineItem, ReviewStatus
from serve_app.domain.person import Role
from serve_app.store.base import Files, Store
from tests.support import NOON, Clock, queue_new
from tests.support.mails import READ, complete_invoice
from tests.support.reviews import add_doubtful, add_pile
from tests.web.conftest import Browse, SignedIn


@pytest.fixture
async def invoice(store: Store, files: Files, account: Account) -> Invoice:
    return await add_doubtful(store, files, account, NOON)


def form_in(text: str) -> dict[str, str]:
    """What a browser would send of the form if nothing is entered."""
    form = re.sub(
        "<template>.*?</template>", "", text.partition("<form class=")[2].partition("</form>")[0], flags=re.DOTALL
    )
    inputs = dict(re.findall(r'<input[^>]*? name="([^"]+)" value="([^"]*)"', form))
    return {name: value.replace("&amp;", "&") for name, value in inputs.items()} | {"document_type": "invoice"}


async def test_doubtful_values_come_with_their_reason_and_readings(browse: Browse, invoice: Invoice) -> None:
    text = (await browse().get(f"/app/review/{invoice.id}")).text
    amount = text.partition('data-field="amount"')[2].partition('data-field="tax"')[0]
    assert "Two readings: Digital Benson Co. and Ewing &amp; Kennedy LLC." in text
    assert "Two readings: 24\N{NO-BREAK SPACE}Apr\N{NO-BREAK SPACE}2019 and 30" in text
    assert re.findall(r"data-candidate.*?<span>(.*?)</span>", amount) == ["349.34 USD", "380.34 USD"]
    assert 'aria-describedby="below-amount"' in amount
    assert text.count("entry is-doubtful") == 3
    assert 'viewBox="0 0 612.0 792.0"' in text
    assert f'href="/app/invoices/{invoice.id}/pages/1.jpg"' in text
    assert "style=" not in text


async def test_without_scripts_values_are_saved_and_the_invoice_confirmed(
    browse: Browse, store: Store, account: Account, invoice: Invoice
) -> None:
    browser, path = browse(), f"/app/review/{invoice.id}"
    form = form_in((await browser.get(path)).text)
    assert (form["amount"], form["line_items-0-total"]) == ("349.34", "19.20")
    assert form["tax_lines-0-amount"] == "31.00"
    form |= {"tax_lines-0-base": "349,30"}
    form |= {
        "amount": "380,34",
        "line_items-0-description": "Licence",
        "line_items-4-description": "",
        "status": "confirmed",
    }
    form |= {f"line_items-4-{name}": "" for name in ("quantity", "unit_price", "total")}
    answer = await browser.post(path, data=form)
    assert answer.status_code == 303, answer.text
    changed = await store.invoices.get(account.id, invoice.id)
    assert changed is not None
    assert (changed.amount, changed.review.status) == (Decimal("380.34"), ReviewStatus.CONFIRMED)
    assert sorted(changed.review.fields) == ["amount", "line_items", "tax_lines"]
    assert changed.details is not None
    assert changed.details.tax_lines[0].base == Decimal("349.30")
    assert changed.line_items[0].description == "Licence"
    assert len(changed.line_items) == 4
    text = (await browser.get(path)).text
    assert "Confirmed by ada@example.com" in text
    assert "Extracted: 349.34 USD" in text


async def test_a_reading_is_taken_by_its_button(
    browse: Browse, store: Store, account: Account, invoice: Invoice
) -> None:
    browser, path = browse(), f"/app/review/{invoice.id}"
    form = form_in((await browser.get(path)).text) | {"take": "issued_at:2"}
    assert (await browser.post(path, data=form)).headers["location"] == path
    changed = await store.invoices.get(account.id, invoice.id)
    assert changed is not None
    assert str(changed.issued_at) == "2019-04-30"
    assert await browser.post(path, data={"revision": "1", "undo": "1"})
    assert (await store.invoices.get(account.id, invoice.id) or changed).issued_at == invoice.issued_at


async def test_what_cannot_be_saved_stays_in_the_form(browse: Browse, invoice: Invoice) -> None:
    browser, path = browse(), f"/app/review/{invoice.id}"
    form = form_in((await browser.get(path)).text) | {"amount": "about 12", "vendor": "Typed Ltd"}
    answer = await browser.post(path, data=form)
    assert answer.status_code == 422
    assert "Amount: “about 12” is not a clear number. Enter it as 1,234.5." in answer.text
    assert 'value="about 12"' in answer.text
    assert 'value="Typed Ltd"' in answer.text
    stale = await browser.post(path, data=form | {"amount": "12", "revision": "7"})
    assert "Somebody changed the review" in stale.text


async def test_ambiguous_values_are_shown_as_understood_before_they_are_saved(
    browse: Browse, store: Store, account: Account, invoice: Invoice
) -> None:
    browser, path = browse(), f"/app/review/{invoice.id}"
    browser.headers["Accept-Language"] = "de"
    form = form_in((await browser.get(path)).text)
    assert (form["amount"], form["issued_at"], form["line_items-0-total"]) == ("349,34", "24.04.2019", "19,20")
    form |= {"amount": "1.234", "issued_at": "3/4/2019", "line_items-0-total": "1,234", "status": "confirmed"}
    answer = await browser.post(path, data=form)
    assert answer.status_code == 422
    assert "“3/4/2019” as 03.04.2019, “1.234” as 1.234,00. Then press" in answer.text
    assert (await store.invoices.get(account.id, invoice.id) or invoice).review.status is ReviewStatus.OPEN
    again = form_in(answer.text)
    assert (again["amount"], again["issued_at"]) == ("1.234,00", "03.04.2019")
    # The form is read in the language in which it was written.
    browser.headers["Accept-Language"] = "en"
    assert (await browser.post(path, data=again | {"status": "confirmed"})).status_code == 303
    changed = await store.invoices.get(account.id, invoice.id)
    assert changed is not None
    assert (changed.amount, str(changed.issued_at)) == (Decimal(1234), "2019-04-03")
    assert changed.line_items[0].total == Decimal("1.234")


async def test_scripts_save_what_is_typed_and_the_service_reads_it(browse: Browse, invoice: Invoice) -> None:
    browser = browse()
    browser.headers["Accept-Language"] = "de"
    fields = {"amount": {"value": "1.234,5 €"}, "issued_at": {"value": "3. Mai 2019"}, "tax": {"value": None}}
    lines = [{"description": "Tee", "quantity": "1.000", "unit_price": "0,125", "total": "125"}]
    saved = (await put(browser, invoice, revision=0, language="de", fields=fields, line_items=lines)).json()
    assert [saved["fields"][name]["value"] for name in fields] == ["1234.5", "2019-05-03", None]
    assert [saved["entries"]["fields"][name] for name in fields] == ["1.234,50", "03.05.2019", ""]
    (row,) = saved["line_items"]["value"]
    assert (row["quantity"], row["unit_price"]) == ("1000", "0.125")
    assert saved["entries"]["line_items"][0]["quantity"] == "1.000"
    wrong = await put(browser, invoice, revision=1, language="fr", fields={"amount": {"value": "1.234"}})
    assert (wrong.status_code, wrong.json()["message"]) == (
        400,
        "Amount: “1.234” is not a clear number. Enter it as 1\u202f234,5.",
    )
    cell = await put(browser, invoice, revision=1, language="de", line_items=[{"total": "x"}])
    assert "Total, line 1: “x” is not a clear number." in cell.json()["message"]


async def put(browser: httpx.AsyncClient, invoice: Invoice, **body: Any) -> httpx.Response:
    return await browser.put(f"/app/review/{invoice.id}/data", json=body)


async def test_scripts_save_one_field_at_a_time(browse: Browse, invoice: Invoice) -> None:
    browser = browse()
    place = {"page": 1, "box": [0.1, 0.1, 0.2, 0.2], "text": "USD380.34"}
    first = await put(browser, invoice, revision=0, fields={"amount": {"value": "380.34", "citation": place}})
    assert (first.status_code, first.json()["revision"]) == (200, 1)
    assert first.json()["fields"]["amount"]["citation"]["text"] == "USD380.34"
    stale = await put(browser, invoice, revision=0, fields={"tax": {"value": "1"}})
    assert stale.status_code == 409
    assert stale.json()["review"]["revision"] == 1
    wrong = await put(browser, invoice, revision=1, fields={"amount": {"value": "x"}})
    assert (wrong.status_code, wrong.json()["message"]) == (400, "amount: not a number such as 1234.50.")
    undone = await browser.post(f"/app/review/{invoice.id}/undo", json={"revision": 1})
    assert undone.json()["fields"]["amount"]["value"] == "349.34"
    redone = await browser.post(f"/app/review/{invoice.id}/redo", json={"revision": 2})
    assert redone.json()["fields"]["amount"]["value"] == "380.34"
    assert (await browser.get(f"/app/review/{invoice.id}/data")).json() == redone.json()


async def test_words_of_a_page_have_places(browse: Browse, invoice: Invoice) -> None:
    found = (await browse().get(f"/app/review/{invoice.id}/words/1")).json()
    total = next(word for word in found["words"] if word["text"] == "USD380.34")
    assert total["box"] == pytest.approx([0.7733, 0.6758, 0.8781, 0.6941], abs=0.001)
    assert (await browse().get(f"/app/review/{invoice.id}/words/2")).status_code == 404


async def test_what_earlier_invoices_teach_is_shown_and_can_be_forgotten(
    browse: Browse, store: Store, files: Files, account: Account
) -> None:
    first = await add_doubtful(store, files, account, NOON)
    browser = browse()
    assert (await put(browser, first, revision=0, status="confirmed")).status_code == 200
    second = await add_doubtful(store, files, account, NOON, earlier=[str(first.id)])
    text = (await browser.get(f"/app/review/{second.id}")).text
    assert "As on an earlier invoice:" in text
    assert f'href="/app/invoices/{first.id}"' in text
    assert f'formaction="/app/review/{second.id}/forget"' in text
    answer = await browser.post(f"/app/review/{second.id}/forget", data=form_in(text))
    assert "1 invoice was removed from the memory." in (await browser.get(answer.headers["location"])).text
    assert await store.memory.forget(account.id, [first.id]) == 0
    assert "Forget these invoices" not in (await browser.get(f"/app/review/{first.id}")).text


async def test_a_document_that_is_not_read_yet_is_shown_as_it_is(
    browse: Browse, store: Store, account: Account
) -> None:
    record = await queue_new(store, account.id)
    answer = await browse().get(f"/app/review/{record.invoice.id}")
    assert (answer.status_code, answer.headers["location"]) == (303, f"/app/invoices/{record.invoice.id}")


async def test_a_viewer_looks_and_changes_nothing(browse: Browse, invoice: Invoice) -> None:
    browser = browse(Role.VIEWER)
    text = (await browser.get(f"/app/review/{invoice.id}")).text
    assert '<fieldset class="decide" disabled>' in text
    assert '<script type="module" src="/app/static' in text
    assert "review.js" not in text
    assert (await put(browser, invoice, revision=0, status="confirmed")).status_code == 403
    assert (await browser.post(f"/app/review/{invoice.id}", data={"revision": "0"})).status_code == 403


async def test_invoices_without_reasons_are_judged_by_their_levels(
    browse: Browse, store: Store, account: Account
) -> None:
    read = READ.model_copy(update={"field_confidence": {Field.AMOUNT: Confidence.MID}})
    old = await complete_invoice(store, account.id, read)
    text = (await browse().get(f"/app/review/{old.id}")).text
    assert text.count("is-doubtful") == 1
    assert 'class="level' not in text.partition('<form class="fields"')[2]


@pytest.mark.parametrize("tail", ["", "/pages", "/data", "/words/1", "/cut"])
async def test_reviews_of_others_are_not_there(
    browse: Browse, store: Store, files: Files, account: Account, tail: str
) -> None:
    other = Account(UUID(int=7), account.plan, account.created_at)
    await store.accounts.add(other)
    foreign = await add_doubtful(store, files, other, NOON)
    for id in (foreign.id, new_id(), "nonsense"):
        assert (await browse().get(f"/app/review/{id}{tail}")).status_code == 404, id


async def keep_open(browser: httpx.AsyncClient, invoice: Invoice, window: str, **more: Any) -> dict[str, Any]:
    answer = await browser.post(f"/app/review/{invoice.id}/lease", json={"window": window, **more})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def test_an_opened_review_is_one_windows_until_it_is_given_back(browse: Browse, invoice: Invoice) -> None:
    browser = browse()
    assert (await keep_open(browser, invoice, "one"))["is_mine"]
    seen = await keep_open(browser, invoice, "two")
    assert (seen["is_mine"], seen["name"]) == (False, "Ada")
    assert (await keep_open(browser, invoice, "two", take_over=True))["is_mine"]
    assert not (await keep_open(browser, invoice, "one"))["is_mine"]
    assert (await browser.post(f"/app/review/{invoice.id}/lease/release", json={"window": "two"})).status_code == 204
    assert (await keep_open(browser, invoice, "one"))["is_mine"]


async def test_the_next_invoice_is_one_that_nobody_has_open_and_the_person_has_not_put_off(
    store: Store, files: Files, account: Account, signed_in: SignedIn, clock: Clock
) -> None:
    first, second, third, fourth = await add_pile(store, files, account, NOON, 4)
    browser = await signed_in(Role.OWNER, "ada@example.com")
    seen = await keep_open(browser, first, "one")
    assert seen["next"] == f"/app/review/{second.id}"
    assert seen["progress"] == "0 of 4 decided today"
    await keep_open(browser, second, "two")
    assert (await keep_open(browser, first, "one"))["next"] == f"/app/review/{third.id}"
    assert (await browser.post(f"/app/review/{third.id}/later", json={})).status_code == 200
    elsewhere = await signed_in(Role.OWNER, "ada@example.com")
    assert (await keep_open(elsewhere, first, "one"))["next"] == f"/app/review/{fourth.id}"
    bob = await signed_in(Role.REVIEWER, "bob@example.com")
    assert (await keep_open(bob, first, "three"))["next"] == f"/app/review/{third.id}"
    clock.advance(1)
    # Without scripts, by a button of the form. Of those that were put off, the one of longest ago comes first.
    path = f"/app/review/{fourth.id}"
    answer = await browser.post(path, data=form_in((await browser.get(path)).text) | {"later": "1", "tax": "30"})
    assert answer.headers["location"] == f"/app/review/{first.id}"
    assert (await store.invoices.get(account.id, fourth.id) or fourth).tax == Decimal(30)
    assert (await keep_open(browser, second, "one"))["next"] == f"/app/review/{first.id}"
    clock.advance(1)
    await browser.post(f"/app/review/{first.id}/later", json={})
    assert (await keep_open(browser, second, "one"))["next"] == f"/app/review/{third.id}"
    assert (await browser.post(f"/app/review/{new_id()}/later", json={})).status_code == 404


async def test_the_queue_is_ordered_filtered_and_shared_out(
    browse: Browse, store: Store, files: Files, account: Account, signed_in: SignedIn
) -> None:
    late, urgent = [
        await add_doubtful(store, files, account, NOON, due=NOON + timedelta(days=days)) for days in (30, 2)
    ]
    other = await complete_invoice(store, account.id, READ.model_copy(update={"auto_verified": False}))
    browser = await signed_in(Role.REVIEWER)
    (ann,) = [each.person for each in await store.memberships.of_account(account.id)]

    def listed(text: str) -> list[str]:
        return re.findall(r'class="first"><a href="/app/review/([0-9a-f-]+)', text)

    text = (await browser.get("/app/review")).text
    assert sorted(listed(text)) == sorted(str(each.id) for each in (late, urgent, other))
    assert listed(text).index(str(urgent.id)) < listed(text).index(str(late.id))
    assert listed((await browser.get("/app/review?vendor=benson&order=age")).text) == [str(late.id), str(urgent.id)]
    form = {"id": [str(late.id)], "person": str(ann.id), "order": "age", "whose": "", "vendor": ""}
    answer = await browser.post("/app/review/assign", data=form)
    assert answer.headers["location"] == "/app/review?order=age"
    text = (await browser.get("/app/review?whose=mine")).text
    assert listed(text) == [str(late.id)]
    assert f'href="/app/review/{late.id}?whose=mine"' in text
    assert str(late.id) not in listed((await browser.get("/app/review?whose=nobody")).text)
    wrong = await browser.post("/app/review/assign", data=form | {"person": str(new_id())})
    assert "Only an owner or a reviewer" in (await browser.get(wrong.headers["location"])).text
    await keep_open(browser, urgent, "elsewhere")
    assert "You have it open" in (await browser.get("/app/review")).text


async def test_an_invoice_is_rejected_with_a_reason(
    browse: Browse, store: Store, account: Account, invoice: Invoice
) -> None:
    browser, path = browse(), f"/app/review/{invoice.id}"
    form = form_in((await browser.get(path)).text) | {"status": "rejected", "reason": "", "tell": "1"}
    assert "enter the reason for the rejection" in (await browser.post(path, data=form)).text
    answer = await browser.post(path, data=form | {"reason": "Not ours"})
    text = (await browser.get(answer.headers["location"])).text
    # It did not come by mail.
    assert "The invoice was rejected. The sender was not notified. The sender of this invoice is not known." in text
    assert "Rejected by ada@example.com: Not ours" in text
    again = await browser.post(f"{path}/tell")
    assert again.json()["message"].startswith("The sender was not notified.")


async def test_an_invoice_of_the_sample_shows_no_levels_and_asks_about_every_value(
    browse: Browse, store: Store, account: Account
) -> None:
    levels = dict.fromkeys((Field.AMOUNT, Field.VENDOR), Confidence.HIGH)
    read = READ.model_copy(update={"auto_verified": True, "field_confidence": levels})
    drawn = await complete_invoice(store, account.id, read)
    text = (await browse().get(f"/app/review/{drawn.id}")).text
    assert text.count("Please check all values.") == 1
    assert text.count("entry is-doubtful") == 7
    assert 'class="level high"' not in text


async def test_what_documents_print_is_text_to_the_screen(browse: Browse, store: Store, account: Account) -> None:
    evil = "</script><img src=x onerror=alert(1)>\"'"
    lines = [LineItem(description=evil, quantity=None, unit_price=None, confidence=None)]
    read = READ.model_copy(update={"vendor_name": evil, "invoice_number": evil, "line_items": lines})
    hostile = await complete_invoice(store, account.id, read)
    for path in (f"/app/review/{hostile.id}", f"/app/review/{hostile.id}/pages", "/app/review"):
        text = (await browse().get(path)).text
        assert "<img src=x" not in text
    data = (await browse().get(f"/app/review/{hostile.id}/data")).json()
    assert data["fields"]["vendor"]["value"] == evil


async def test_a_field_says_what_speaks_for_its_value(browse: Browse, store: Store, account: Account) -> None:
    details = Details(subtotal=Decimal("1000.5"))
    invoice = await complete_invoice(store, account.id, READ.model_copy(update={"details": details}))
    text = (await browse(Role.REVIEWER).get(f"/app/review/{invoice.id}")).text
    assert text.count('<span class="evidence soft">Sums</span>') == 3

    sample = READ.model_copy(update={"details": details, "auto_verified": True, "invoice_number": "8"})
    drawn = await complete_invoice(store, account.id, sample)
    assert 'data-field="amount"' in (text := (await browse(Role.REVIEWER).get(f"/app/review/{drawn.id}")).text)
    assert text.count('<span class="evidence soft">Sums</span>') == 1
