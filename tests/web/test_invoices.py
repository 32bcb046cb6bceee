"""The list of invoices, and what can be done from it."""

import re
from datetime import date
from decimal import Decimal
from uuid import UUID

import httpx
import pytest

from serve_app.domain.account import Account
from serve_app.domain.invoice import Invoice
from serve_app.domain.person import Role
from serve_app.domain.query import InvoiceQuery
from serve_app.store.base import Store
from tests.support import queue_new
from tests.support.mails import READ, complete_invoice
from tests.support.suppliers import alert
from tests.web.conftest import Browse

OVERDUE = READ.model_copy(update={"vendor_name": "Café <b>", "invoice_number": "R-99", "due_at": date(2020, 1, 1)})


@pytest.fixture
async def invoices(store: Store, account: Account) -> list[Invoice]:
    """Two of ACME, the second of which repeats the first, and one that is overdue and verified, oldest first."""
    verified = OVERDUE.model_copy(update={"auto_verified": True, "amount": Decimal("10.25")})
    odd = READ.model_copy(update={"checks": [alert()]})
    return [await complete_invoice(store, account.id, read) for read in (odd, READ, verified)]


def ids_in(answer: httpx.Response) -> list[str]:
    assert answer.status_code == 200, answer.text
    return re.findall(r'name="id" value="([0-9a-f-]{36})"', answer.text)


@pytest.mark.parametrize(
    ("state", "places"),
    [
        ("", [2, 1, 0]),
        ("vendor=CAFE&number=", [2]),
        ("number=-17", [1, 0]),
        ("duplicate=true", [1]),
        ("to_check=true&paid=false", [1, 0]),
        ("has_alerts=true", [0]),
        ("overdue=true", [2, 1, 0]),
        ("due_before=2020-01-02", [2]),
        ("min_amount=10%2C26", [1, 0]),
        ("max_amount=10.25", [2]),
        ("created_after=2026-05-17", []),
        ("created_after=2026-05-16&created_before=2026-05-18", [2, 1, 0]),
        ("created_before=2026-05-17", []),
        ("status=failed", []),
        ("vendor_id=00000000-0000-7000-8000-000000000000", []),
    ],
)
async def test_the_address_says_which_invoices_are_listed(
    browse: Browse, invoices: list[Invoice], state: str, places: list[int]
) -> None:
    answer = await browse().get(f"/app/invoices?{state}")
    assert ids_in(answer) == [str(invoices[place].id) for place in places]


async def test_a_filter_that_makes_no_sense_is_left_out_and_says_so(browse: Browse, invoices: list[Invoice]) -> None:
    answer = await browse().get("/app/invoices?min_amount=much&status=lost&vendor=acme")
    assert len(ids_in(answer)) == 2
    assert answer.text.count("Filter not applied:") == 2
    assert 'value="much"' in answer.text


@pytest.mark.parametrize(
    ("language", "typed", "places"),
    [
        ("de-DE", "1.190", [1, 0]),
        ("de-DE", "1.190,50", [1, 0]),
        ("de-DE", "1,190", [2, 1, 0]),
        ("en-GB", "1.190", [2, 1, 0]),
        ("en-GB", "1,190", [1, 0]),
        ("fr-FR", "1 190,5 €", [1, 0]),
        ("de-CH", "1’190.50", [1, 0]),
    ],
)
async def test_amounts_are_read_in_the_persons_language(
    browse: Browse, invoices: list[Invoice], language: str, typed: str, places: list[int]
) -> None:
    answer = await browse().get(
        "/app/invoices", params={"min_amount": typed}, headers={"Accept-Language": language, "HX-Request": "true"}
    )
    assert ids_in(answer) == [str(invoices[place].id) for place in places]
    # Whoever gets the address reads the same list, in whichever language.
    for other in ("en-US", "de-DE", "fr-FR", "ar-EG"):
        again = await browse().get(answer.headers["HX-Push-Url"], headers={"Accept-Language": other})
        assert ids_in(again) == ids_in(answer)


async def test_an_amount_that_the_language_does_not_decide_is_not_used(browse: Browse, invoices: list[Invoice]) -> None:
    answer = await browse().get("/app/invoices?min_amount=1.190", headers={"Accept-Language": "fr-FR"})
    assert len(ids_in(answer)) == 3
    assert "Enter it as 1\u202f234,5" in answer.text


async def test_the_form_shows_amounts_as_the_list_does(browse: Browse, invoices: list[Invoice]) -> None:
    answer = await browse().get("/app/invoices?max_amount=1190.50", headers={"Accept-Language": "de-DE"})
    assert 'value="1.190,5"' in answer.text


async def test_totals_and_money_are_written_as_the_reader_does(browse: Browse, invoices: list[Invoice]) -> None:
    answer = await browse().get("/app/invoices", headers={"Accept-Language": "de-DE"})
    assert "2.391,25 EUR" in answer.text
    assert "1.190,50 EUR" in answer.text


async def test_names_from_documents_are_never_markup(browse: Browse, invoices: list[Invoice]) -> None:
    text = (await browse().get("/app/invoices")).text
    assert "Café &lt;b&gt;" in text
    assert "Café <b>" not in text


async def test_a_script_gets_the_results_alone_and_a_clean_address(browse: Browse, invoices: list[Invoice]) -> None:
    answer = await browse().get("/app/invoices?vendor=acme&number=&status=", headers={"HX-Request": "true"})
    assert answer.text.strip().startswith('<section id="results"')
    assert answer.headers["hx-push-url"] == "/app/invoices?vendor=acme"


async def test_a_list_with_documents_to_be_read_asks_for_itself_again(
    browse: Browse, store: Store, account: Account, invoices: list[Invoice]
) -> None:
    browser = browse()
    assert "data-poll-idle" not in (await browser.get("/app/invoices")).text
    await queue_new(store, account.id)
    (asked,) = re.findall(r'data-poll="([^"]+)" data-poll-idle', (await browser.get("/app/invoices?show=file")).text)
    assert asked == "/app/invoices?show=file"
    # What only refreshes is no step to go back to.
    here = {"HX-Request": "true", "HX-Current-URL": f"https://service{asked}"}
    assert "hx-push-url" not in (await browser.get(asked, headers=here)).headers


async def test_the_same_list_as_an_api_call(browse: Browse, invoices: list[Invoice]) -> None:
    text = (await browse().get("/app/invoices?vendor=acme&paid=false&created_after=2026-05-16")).text
    assert "/v1/invoices?vendor=acme&amp;paid=false&amp;created_after=2026-05-16T23%3A59%3A59.999999Z" in text
    assert "https://service/v1/invoices" in text or "http://127.0.0.1" in text
    assert "/app/v1" not in text


async def test_columns_are_chosen_in_the_address(browse: Browse, invoices: list[Invoice]) -> None:
    text = (await browse().get("/app/invoices?show=file&show=amount")).text
    assert re.findall(r'<th data-column="\w+"(?: class="number")?>(?:<a[^>]+>)?([^<]+)<', text) == [
        "Vendor",
        "Amount",
        "File",
    ]


async def test_lists_go_on_where_a_page_ends(browse: Browse, store: Store, account: Account) -> None:
    made = [await complete_invoice(store, account.id) for _ in range(53)]
    browser = browse()
    first = await browser.get("/app/invoices?vendor=acme")
    (onwards,) = re.findall(r'rel="next" href="([^"]+)"', first.text)
    second = await browser.get(onwards.replace("&amp;", "&"))
    assert ids_in(first) + ids_in(second) == [str(invoice.id) for invoice in reversed(made)]
    assert "Newest" in second.text
    assert 'rel="next"' not in second.text


@pytest.mark.parametrize(("state", "title"), [("", "No invoices yet"), ("?vendor=x", "No invoice matches")])
async def test_an_empty_list_says_what_to_do(browse: Browse, state: str, title: str) -> None:
    assert title in (await browse().get(f"/app/invoices{state}")).text


async def test_selected_invoices_are_marked_as_paid_and_the_list_stays(
    browse: Browse, invoices: list[Invoice], store: Store, account: Account
) -> None:
    browser = browse(Role.REVIEWER)
    form = {"act": "paid", "state": "vendor=acme", "id": [str(invoices[0].id), str(invoices[2].id), "nonsense"]}
    answer = await browser.post("/app/invoices/act", data=form)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/app/invoices?vendor=acme"
    paid = [(await store.invoices.get(account.id, invoice.id)) for invoice in invoices]
    assert [invoice is not None and invoice.paid for invoice in paid] == [True, False, True]
    trail = (await store.audit.page(account.id, 9)).items
    assert {(entry.action, entry.target) for entry in trail} == {
        ("invoice.paid", str(invoices[0].id)),
        ("invoice.paid", str(invoices[2].id)),
    }
    assert "2 invoices marked as paid." in (await browser.get(answer.headers["location"])).text


async def test_an_act_on_all_that_match_reaches_them_and_no_others(
    browse: Browse, invoices: list[Invoice], store: Store, account: Account
) -> None:
    # Enter in the field of the tag presses no button.
    form = {"act": "", "tag": " north ", "state": "vendor=acme", "all": "1", "id": [str(invoices[2].id)]}
    await browse().post("/app/invoices/act", data=form)
    tags = [invoice.entity_tag for invoice in (await store.invoices.page(account.id, InvoiceQuery(), 9)).items]
    assert tags == [None, "north", "north"]


def plan_in(answer: httpx.Response) -> str:
    (plan,) = re.findall(r'name="plan" value="([^"]+)"', answer.text)
    return str(plan)


async def test_deleting_waits_and_can_be_undone_from_any_page_that_shows_it(
    browse: Browse, invoices: list[Invoice], store: Store, account: Account
) -> None:
    browser = browse(Role.REVIEWER)
    asked = await browser.post("/app/invoices/act", data={"act": "delete", "state": "vendor=acme", "all": "1"})
    assert asked.headers["location"] == "/app/invoices?vendor=acme"
    for path in ("/app/invoices", f"/app/invoices/{invoices[0].id}"):
        assert "2 invoices are deleted permanently" in (await browser.get(path)).text
    assert "2 invoices are" not in (await browser.get(f"/app/invoices/{invoices[2].id}")).text
    shown = await browser.get("/app/invoices")
    assert shown.text.count("Being deleted") == 2
    plan = plan_in(shown)
    viewer = browse(Role.VIEWER)
    assert "Undo" not in (await viewer.get("/app/invoices")).text
    assert (await viewer.post("/app/invoices/undo", data={"plan": plan})).status_code == 403
    browser = browse(Role.OWNER)
    undone = await browser.post("/app/invoices/undo", data={"plan": plan, "state": "vendor=acme", "from": ""})
    assert undone.headers["location"] == "/app/invoices?vendor=acme"
    assert "Nothing was deleted." in (await browser.get("/app/invoices")).text
    assert len((await store.invoices.page(account.id, InvoiceQuery(), 9)).items) == 3


async def test_undoing_too_late_says_so(
    browse: Browse, invoices: list[Invoice], store: Store, account: Account
) -> None:
    browser = browse()
    await browser.post("/app/invoices/act", data={"act": "delete", "id": str(invoices[0].id)})
    plan = plan_in(await browser.get("/app/invoices"))
    assert await store.deletions.begin(UUID(plan))
    await browser.post("/app/invoices/undo", data={"plan": plan})
    assert "The invoices are already deleted" in (await browser.get("/app/invoices")).text


async def test_a_page_is_loaded_again_once_nothing_can_be_undone_any_more(
    browse: Browse, invoices: list[Invoice], store: Store, account: Account
) -> None:
    browser, path = browse(), f"/app/invoices/deletions?invoice={invoices[0].id}"
    assert (await browser.get(path)).headers["hx-refresh"] == "true"
    await browser.post("/app/invoices/act", data={"act": "delete", "id": str(invoices[0].id)})
    assert "hx-refresh" not in (await browser.get(path)).headers
    (plan,) = await store.deletions.open(account.id)
    record = await store.invoices.find_record(account.id, invoices[0].id)
    assert record is not None
    await store.erasure.invoice(record, record.invoice.created_at)
    await store.deletions.end(plan.id)
    assert (await browser.get(path)).headers["hx-redirect"] == "/app/invoices"


@pytest.mark.parametrize(
    ("state", "places"),
    [
        ("sort=amount", [2, 0, 1]),
        ("sort=-amount", [1, 0, 2]),
        ("sort=-vendor", [2, 1, 0]),
        ("sort=nonsense", [2, 1, 0]),
        ("sort=due&vendor=acme", [0, 1]),
        ("level=high&vendor=acme", [1, 0]),
        ("level=low", []),
        ("models=a+b", []),
        ("sort=amount&after=00000000-0000-7000-8000-000000000000&at=much", [2, 0, 1]),
        ("sort=amount&after=00000000-0000-7000-8000-000000000000&at=11", [0, 1]),
    ],
)
async def test_lists_are_sorted_and_filtered_by_what_only_the_application_asks_for(
    browse: Browse, invoices: list[Invoice], state: str, places: list[int]
) -> None:
    answer = await browse().get(f"/app/invoices?{state}")
    assert ids_in(answer) == [str(invoices[place].id) for place in places]
    assert ("As API call" in answer.text) == (state == "sort=nonsense")


async def test_a_sorted_list_goes_on_where_a_page_ends(browse: Browse, store: Store, account: Account) -> None:
    amounts = [Decimal(number % 7) for number in range(53)]
    made = [await complete_invoice(store, account.id, READ.model_copy(update={"amount": each})) for each in amounts]
    browser = browse()
    first = await browser.get("/app/invoices?sort=-amount")
    (onwards,) = re.findall(r'rel="next" href="([^"]+)"', first.text)
    second = await browser.get(onwards.replace("&amp;", "&"))
    wanted = sorted(made, key=lambda invoice: (invoice.amount, invoice.id), reverse=True)
    assert ids_in(first) + ids_in(second) == [str(invoice.id) for invoice in wanted]
    page = await browser.get(f"/app/invoices/{wanted[0].id}?sort=-amount")
    assert f'rel="next" href="/app/invoices/{wanted[1].id}?sort=-amount"' in page.text


@pytest.mark.parametrize(
    ("form", "notice"),
    [
        ({"act": "approval", "approval": "not an address"}, "Enter the e-mail address"),
        ({"act": "tag", "tag": "x" * 61}, "at most 60 characters"),
        ({"act": "burn"}, "Choose an action"),
        ({"act": ""}, "Choose an action"),
        ({"act": "read"}, "1 invoice queued to be read again."),
    ],
)
async def test_what_happened_is_said_in_words(
    browse: Browse, invoices: list[Invoice], form: dict[str, str], notice: str
) -> None:
    browser = browse()
    await browser.post("/app/invoices/act", data={**form, "id": str(invoices[0].id)})
    assert notice in (await browser.get("/app/invoices")).text


async def test_a_viewer_looks_and_changes_nothing(browse: Browse, invoices: list[Invoice]) -> None:
    viewer = browse(Role.VIEWER)
    assert 'name="act"' not in (await viewer.get("/app/invoices")).text
    answer = await viewer.post("/app/invoices/act", data={"act": "paid", "id": str(invoices[0].id)})
    assert answer.status_code == 403


async def test_invoices_of_other_accounts_are_out_of_reach(
    browse: Browse, store: Store, account: Account, invoices: list[Invoice]
) -> None:
    other = Account(UUID(int=7), account.plan, account.created_at)
    await store.accounts.add(other)
    foreign = await complete_invoice(store, other.id)
    browser = browse()
    assert str(foreign.id) not in (await browser.get("/app/invoices")).text
    await browser.post("/app/invoices/act", data={"act": "paid", "id": str(foreign.id)})
    untouched = await store.invoices.get(other.id, foreign.id)
    assert untouched is not None
    assert not untouched.paid


async def test_of_many_currencies_the_most_frequent_are_shown_and_the_others_are_opened(
    browse: Browse, store: Store, account: Account
) -> None:
    for currency in ("EUR", "EUR", "USD", "USD", "GBP", "GBP", "CHF", "SEK"):
        await complete_invoice(
            store, account.id, READ.model_copy(update={"currency": currency, "vendor_name": currency})
        )
    text = (await browse().get("/app/invoices")).text
    summary = re.findall(r'<div class="summary">(.*?)</div>', text, re.DOTALL)[0]
    shown, _, rest = summary.partition("<details")
    assert [shown.count(currency) for currency in ("EUR", "USD", "GBP", "CHF", "SEK")] == [1, 1, 1, 0, 0]
    assert "and 2 more" in rest
    assert rest.count("1,190.50") == 2
    vendors = (await browse().get("/app/vendors")).text
    assert "and" not in re.findall(r'data-label="Spend"[^>]*>(.*?)</td>', vendors, re.DOTALL)[0]
    start = (await browse().get("/app/")).text
    assert "and 2 more" in start
