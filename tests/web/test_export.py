"""Downloads of lists of invoices."""

import csv
import io
import re
import zipfile
from decimal import Decimal
from html import unescape

import pytest

from serve_app.domain.account import Account, Plan
from serve_app.domain.errors import StoreUnreachable
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Details
from serve_app.domain.person import Role
from serve_app.services.csv.export import INCOMPLETE
from serve_app.store.base import Store
from tests.support import NOON
from tests.support.mails import READ, complete_invoice
from tests.web.conftest import Browse

OTHER = READ.model_copy(update={"vendor_name": "=cmd()", "invoice_number": "R-99", "currency": "USD"})
PRINTED = Details(subtotal=Decimal(1000), iban="=DE89", vendor_tax_id="@SUM(A1)")
CHOSEN: list[dict[str, object]] = [
    {"invoice_number": "R-1", "details": PRINTED},
    {"invoice_number": "R-2", "tax": Decimal(190)},
]


@pytest.fixture(autouse=True)
async def invoices(store: Store, account: Account) -> None:
    for extraction in (READ, OTHER):
        await complete_invoice(store, account.id, extraction)


async def test_the_page_says_what_will_be_in_the_file(browse: Browse) -> None:
    page = unescape((await browse(Role.VIEWER).get("/app/export?currency=USD&vendor=<b>")).text)
    assert "0 invoices" in page
    assert "<b>USD</b>" in page
    assert '<input type="hidden" name="currency" value="USD">' in page
    assert "2 invoices" in (await browse(Role.VIEWER).get("/app/export")).text


async def test_the_file_has_what_the_list_has(browse: Browse) -> None:
    answer = await browse(Role.VIEWER).get("/app/export/file?form=csv&currency=USD")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert 'filename="invoices-' in answer.headers["content-disposition"]
    lines = answer.text.splitlines()
    assert len(lines) == 2
    assert "'=cmd()" in lines[1]
    assert len((await browse().get("/app/export/file?form=csv&rows=line_items")).text.splitlines()) == 1


async def test_a_workbook_is_sent(browse: Browse) -> None:
    answer = await browse().get("/app/export/file?form=xlsx")
    assert answer.headers["content-disposition"].endswith('.xlsx"')
    with zipfile.ZipFile(io.BytesIO(answer.content)) as book:
        assert b"ACME GmbH" in book.read("xl/worksheets/sheet1.xml")


async def test_a_failure_in_the_middle_is_seen_at_the_end_of_the_file(
    browse: Browse, store: Store, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(100):
        await complete_invoice(store, account.id)
    page, calls = store.invoices.page, []

    async def breaks(*values: object) -> object:
        calls.append(values)
        if len(calls) % 2 == 0:
            raise StoreUnreachable
        return await page(*values)  # type: ignore[arg-type]

    monkeypatch.setattr(store.invoices, "page", breaks)
    lines = (await browse().get("/app/export/file?form=csv")).text.splitlines()
    assert lines[-1].startswith(INCOMPLETE)
    assert len(lines) < 103
    assert INCOMPLETE.encode() in (await browse().get("/app/export/file?form=xlsx")).content[-200:]


async def test_an_export_is_in_the_audit_trail_without_what_was_searched(
    browse: Browse, store: Store, account: Account
) -> None:
    await browse().get("/app/export/file?form=csv&vendor=private")
    (entry,) = (await store.audit.page(account.id, 10)).items
    assert entry.action == "invoices.exported"
    assert "private" not in str(entry)


@pytest.mark.parametrize("query", ["form=pdf", "rows=all", "currency=euro"])
async def test_what_cannot_be_exported_is_reported(browse: Browse, query: str) -> None:
    assert (await browse().get(f"/app/export/file?{query}")).status_code == 400


async def test_another_accounts_invoices_are_not_exported(browse: Browse, store: Store) -> None:
    other = Account(new_id(), Plan.PRO, NOON)
    await store.accounts.add(other)
    theirs = await complete_invoice(store, other.id, READ.model_copy(update={"vendor_name": "Theirs"}))
    text = (await browse().get("/app/export/file?form=csv")).text
    assert "Theirs" not in text
    assert str(theirs.id) not in text


async def test_selected_invoices_are_exported_alone(browse: Browse, store: Store, account: Account) -> None:
    chosen = [await complete_invoice(store, account.id, READ.model_copy(update=each)) for each in CHOSEN]
    other = Account(new_id(), Plan.FREE, NOON)
    await store.accounts.add(other)
    foreign = await complete_invoice(store, other.id)
    browser = browse(Role.REVIEWER)
    form = {"act": "export", "state": "vendor=acme", "id": [*(str(each.id) for each in chosen), str(foreign.id), "x"]}
    asked = await browser.post("/app/invoices/act", data=form, follow_redirects=True)
    assert "selected only" in asked.text
    for kind in ("csv", "xlsx"):
        query = [("form", kind), *(("id", id) for id in re.findall(r'name="id" value="([^"]+)"', asked.text))]
        answer = await browser.get("/app/export/file", params=query)
        if kind == "csv":
            found = list(csv.DictReader(io.StringIO(answer.text.removeprefix("\ufeff"))))
            assert [row["id"] for row in found] == [str(each.id) for each in reversed(chosen)]
            assert [(row["net"], row["iban"], row["vendor_tax_id"]) for row in found] == [
                ("1000.5", "", ""),
                ("1000", "'=DE89", "'@SUM(A1)"),
            ]
            assert [row["review_status"] for row in found] == ["open", "open"]
        else:
            with zipfile.ZipFile(io.BytesIO(answer.content)) as book:
                sheet = book.read("xl/worksheets/sheet1.xml").decode()
            assert sheet.count("<row") == 3
            assert "@SUM(A1)" in sheet
            assert "<f>" not in sheet


async def test_all_that_match_are_exported_by_their_filters(browse: Browse) -> None:
    form = {"act": "export", "state": "vendor=acme&paid=false", "all": "1", "id": str(new_id())}
    answer = await browse(Role.REVIEWER).post("/app/invoices/act", data=form)
    assert answer.headers["location"] == "/app/export?vendor=acme&paid=false"
