"""The pages of a file: shown, priced, cut after a question, and opened with a password."""

import re

import pytest

from serve_app.domain.account import Account
from serve_app.domain.batch import Section, records_of
from serve_app.domain.invoice import Extraction, Failure, FailureCode, Invoice, Status
from serve_app.domain.person import Role
from serve_app.domain.query import InvoiceQuery
from serve_app.store.base import Files, Store
from tests.support import NOON, claim_next, queue_new
from tests.web.conftest import Browse


@pytest.fixture
async def found(store: Store, files: Files, account: Account) -> Invoice:
    """The first of two invoices in a file of three pages: page 1, pages 2 and 3."""
    record = await queue_new(store, account.id)
    await files.write(record.file_key, b"%PDF of three pages")
    claim = await claim_next(store)
    sections = [Section(1, 1, Extraction(vendor_name="Northwind")), Section(2, 3, Extraction(vendor_name="Acme"))]
    extraction, others = records_of(claim, sections, NOON)
    saved = await store.queue.save_result(claim, extraction, NOON, others)
    assert saved is not None
    return saved


def hidden(text: str, name: str) -> str:
    match = re.search(f'name="{name}" value="([^"]*)"', text)
    assert match is not None
    return match[1]


async def test_pages_are_shown_with_what_they_are(browse: Browse, found: Invoice) -> None:
    text = (await browse().get(f"/app/review/{found.id}/cut")).text
    assert re.findall(r'data-page="(\d)" data-role="(\w+)"', text) == [
        ("1", "begins"),
        ("2", "begins"),
        ("3", "continues"),
    ]
    assert hidden(text, "parts") == "1|2 3"
    assert "units of this month are left" in text
    picture = await browse().get(f"/app/review/{found.id}/cut/pages/3.jpg")
    assert picture.content.startswith(b"\xff\xd8page 3")


async def test_the_price_is_shown_before(browse: Browse, found: Invoice) -> None:
    browser, path = browse(), f"/app/review/{found.id}/cut/price"

    async def words(parts: str) -> str:
        message = (await browser.get(path, params={"parts": parts})).json()["message"]
        assert isinstance(message, str)
        return message

    assert await words("1|2|3") == (
        "3 invoices: 2 will be read, 1 existing ones and their reviews will be replaced."
        " This costs 1 unit of the quota."
    )
    assert "This returns 1 unit of the quota." in await words("1 2 3")
    assert await words("1|2 3") == "Nothing changes."
    assert "one invoice only" in await words("1|1 2")
    assert "is not valid" in await words("one|two")


async def test_without_scripts_a_file_is_cut_after_a_question(
    browse: Browse, store: Store, account: Account, found: Invoice
) -> None:
    browser, path = browse(), f"/app/review/{found.id}/cut"
    page = (await browser.get(path)).text
    form = {name: hidden(page, name) for name in ("seen", "pages", "parts", "scripted")}
    form |= {"role-1": "begins", "role-2": "continues", "role-3": "none", "turn-2": "90"}
    question = (await browser.post(path, data=form)).text
    assert "This returns 1 unit of the quota." in question
    assert hidden(question, "parts") == "1 2r"
    assert len((await store.invoices.page(account.id, InvoiceQuery(), 10)).items) == 2
    sure = {name: hidden(question, name) for name in ("seen", "parts", "sure")}
    answer = await browser.post(path, data=sure)
    (cut,) = (await store.invoices.page(account.id, InvoiceQuery(), 10)).items
    assert cut.status is Status.QUEUED
    assert cut.batch is not None
    assert answer.headers["location"] == f"/app/invoices?batch={cut.batch.id}"
    entries = (await store.audit.page(account.id, 10)).items
    assert entries[0].action == "invoice.cut"
    # The first page's invoice is gone: the same question again leads nowhere.
    assert (await browser.post(path, data=sure)).status_code == 404


async def test_invoices_that_changed_meanwhile_are_not_cut(browse: Browse, found: Invoice) -> None:
    browser, path = browse(), f"/app/review/{found.id}/cut"
    answer = await browser.post(path, data={"parts": "1 2 3", "seen": f"{found.id}:1:2", "sure": "1"})
    assert answer.headers["location"] == path
    assert "were changed" in (await browser.get(path)).text


async def test_a_password_is_asked_for_where_it_is_missing(
    browse: Browse, store: Store, files: Files, account: Account
) -> None:
    record = await queue_new(store, account.id)
    await files.write(record.file_key, b"%PDF locked")
    failure = Failure(code=FailureCode.DOCUMENT_ENCRYPTED, message="The PDF is protected with a password.")
    await store.queue.fail(await claim_next(store), failure, NOON)
    browser, path = browse(), f"/app/invoices/{record.invoice.id}"
    assert "is not stored" in (await browser.get(path)).text
    wrong = await browser.post(f"/app/review/{record.invoice.id}/cut/unlock", data={"password": "guess"})
    assert "password is wrong" in (await browser.get(wrong.headers["location"])).text
    await browser.post(f"/app/review/{record.invoice.id}/cut/unlock", data={"password": "secret"})
    text = (await browser.get(path)).text
    assert "This document is waiting to be read." in text
    for entry in (await store.audit.page(account.id, 10)).items:
        assert "secret" not in str(entry)


async def test_a_viewer_cuts_nothing(browse: Browse, found: Invoice) -> None:
    browser = browse(Role.VIEWER)
    assert (await browser.get(f"/app/review/{found.id}/cut")).status_code == 403
    assert (await browser.post(f"/app/review/{found.id}/cut", data={})).status_code == 403
