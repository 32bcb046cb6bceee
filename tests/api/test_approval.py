"""Asking for approval, and the pages that the mail leads to."""

import re
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from fastapi import FastAPI

from serve_app.domain.account import Account, Scope
from serve_app.domain.errors import StoreUnreachable
from serve_app.domain.invoice import ApprovalStatus, Invoice
from serve_app.settings import Settings
from serve_app.store.base import Store
from tests.api.checks import assert_error
from tests.api.conftest import MakeKey
from tests.support import UNKNOWN_ID, Clock, queue_new
from tests.support.mails import READ, complete_invoice, links_in

EMAIL = {"email": "boss@example.com"}


@pytest.fixture
def mail_folder(tmp_path: Path) -> Path:
    return tmp_path / "mail"


@pytest.fixture
def settings(settings: Settings, mail_folder: Path) -> Settings:
    return settings.model_copy(update={"mail_folder": str(mail_folder), "public_url": "http://service"})


@pytest.fixture
async def invoice(store: Store, account: Account) -> Invoice:
    return await complete_invoice(store, account.id)


def mails_in(folder: Path) -> list[EmailMessage]:
    """Oldest first; none where no mail was ever written."""
    files = sorted(folder.glob("*.eml"))
    return [message_from_bytes(path.read_bytes(), policy=default) for path in files]


def newest_mail(folder: Path) -> EmailMessage:
    return mails_in(folder)[-1]


@pytest.fixture
async def page(client: httpx.AsyncClient, invoice: Invoice, mail_folder: Path) -> str:
    """The address that approves the invoice."""
    answer = await client.post(f"/v1/invoices/{invoice.id}/approval", json=EMAIL)
    assert answer.status_code == 200, answer.text
    return links_in(newest_mail(mail_folder))[0]


def assert_page(answer: httpx.Response, status: int, heading: str) -> str:
    """The answer is a page that keeps to itself; returns its text."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    policy = answer.headers["content-security-policy"]
    assert all(part in policy for part in ("default-src 'none'", "form-action 'self'", "frame-ancestors 'none'"))
    assert "script" not in policy
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-robots-tag"] == "noindex"
    assert f"<h1>{heading}" in answer.text
    assert "<script" not in answer.text
    return unescape(answer.text)


def form_of(answer: httpx.Response, choice: str) -> dict[str, str]:
    """What the browser sends when the button is pressed."""
    assert '<form method="post">' in answer.text
    assert re.search(f'<button name="answer" value="{choice}"', answer.text)
    (seen,) = re.findall(r'<input type="hidden" name="seen" value="([^"]+)">', answer.text)
    return {"seen": seen, "answer": choice}


async def status_of(store: Store, account: Account, invoice: Invoice) -> ApprovalStatus | None:
    kept = await store.invoices.get(account.id, invoice.id)
    assert kept is not None
    return kept.approval_status


async def test_a_request_is_answered_with_what_was_asked(
    client: httpx.AsyncClient, invoice: Invoice, mail_folder: Path
) -> None:
    answer = await client.post(f"/v1/invoices/{invoice.id}/approval", json=EMAIL)
    assert (answer.status_code, answer.json()) == (
        200,
        {"id": str(invoice.id), "approval_status": "requested", "approval_email": "boss@example.com"},
    )
    mail = newest_mail(mail_folder)
    assert (mail["To"], "till" in str(mail.get_body(("plain",)))) == ("boss@example.com", True)
    shown = (await client.get(f"/v1/invoices/{invoice.id}")).json()
    assert (shown["approval_status"], shown["approval_email"]) == ("requested", "boss@example.com")


async def test_an_address_may_have_a_host_beyond_ascii(
    client: httpx.AsyncClient, invoice: Invoice, mail_folder: Path
) -> None:
    path = f"/v1/invoices/{invoice.id}/approval"
    answer = await client.post(path, json={"email": "boss@bücher.example"})
    assert (answer.status_code, answer.json()["approval_email"]) == (200, "boss@bücher.example")
    assert newest_mail(mail_folder)["To"] == "boss@xn--bcher-kva.example"
    shown = (await client.get(f"/v1/invoices/{invoice.id}")).json()
    assert shown["approval_email"] == "boss@bücher.example"
    refused = await client.post(path, json={"email": "böss@bücher.example"})
    assert "only its host" in assert_error(refused, 400, "invalid_request_error", "invalid_body")


@pytest.mark.parametrize(("choice", "heading"), [("approve", "You have approved"), ("reject", "You have rejected")])
async def test_a_person_opens_the_link_and_confirms(
    anyone: httpx.AsyncClient, page: str, store: Store, account: Account, invoice: Invoice, choice: str, heading: str
) -> None:
    anyone.headers.clear()
    question = await anyone.get(page)
    text = assert_page(question, 200, "Do you approve invoice 2026-17 from ACME GmbH?")
    assert "1\u00a0190.50 EUR" in text
    assert_page(await anyone.post(page, data=form_of(question, choice)), 200, heading)
    expected = ApprovalStatus.APPROVED if choice == "approve" else ApprovalStatus.REJECTED
    assert await status_of(store, account, invoice) is expected


async def test_following_the_links_decides_nothing(
    anyone: httpx.AsyncClient, page: str, store: Store, account: Account, invoice: Invoice
) -> None:
    for method in ("GET", "HEAD"):
        for link in (page, page.replace("=approve", "=reject")):
            assert (await anyone.request(method, link)).status_code == 200
    assert await status_of(store, account, invoice) is ApprovalStatus.REQUESTED


async def test_the_link_decides_which_button_comes_first(anyone: httpx.AsyncClient, page: str) -> None:
    for link, first in ((page, "approve"), (page.replace("=approve", "=reject"), "reject")):
        found = re.findall(
            r'<button name="answer" value="(\w+)" class="(\w+)( chosen)?"', (await anyone.get(link)).text
        )
        assert found[0] == (first, first, " chosen")
        assert [chosen for *_, chosen in found].count(" chosen") == 1


async def test_a_used_link_says_so_and_shows_nothing(
    anyone: httpx.AsyncClient, page: str, store: Store, account: Account, invoice: Invoice
) -> None:
    form = form_of(await anyone.get(page), "approve")
    await anyone.post(page, data=form)
    for answer in (await anyone.get(page), await anyone.post(page, data={**form, "answer": "reject"})):
        assert "ACME" not in assert_page(answer, 410, "This request has been answered")
    assert await status_of(store, account, invoice) is ApprovalStatus.APPROVED


async def test_the_link_of_an_older_request_says_so_and_shows_nothing(
    client: httpx.AsyncClient, page: str, invoice: Invoice
) -> None:
    form = form_of(await client.get(page), "approve")
    await client.post(f"/v1/invoices/{invoice.id}/approval", json={"email": "other@example.com"})
    for answer in (await client.get(page), await client.post(page, data=form)):
        assert "ACME" not in assert_page(answer, 410, "This link is no longer valid")


async def test_an_expired_link_says_so_and_shows_nothing(anyone: httpx.AsyncClient, page: str, clock: Clock) -> None:
    clock.advance(14 * 24 * 3600 + 2)
    for answer in (await anyone.get(page), await anyone.post(page, data={"answer": "approve"})):
        assert "ACME" not in assert_page(answer, 403, "This link has expired")


@pytest.mark.parametrize("path", ["/approvals/nonsense", "/approvals/a.b.c", "/approvals/%00", "/approvals/<script>"])
async def test_a_made_up_link_is_refused(anyone: httpx.AsyncClient, path: str) -> None:
    for answer in (await anyone.get(path), await anyone.post(path, data={"answer": "approve"})):
        assert_page(answer, 403, "This link is not valid")


async def test_a_download_link_is_no_approval_link(client: httpx.AsyncClient, invoice: Invoice) -> None:
    url = (await client.get(f"/v1/invoices/{invoice.id}/file")).json()["url"]
    assert_page(await client.get(f"/approvals/{urlsplit(url).path.rpartition('/')[2]}"), 403, "This link is not valid")


@pytest.mark.parametrize(
    "body", [b"", b"answer=maybe", b"answer=", b"{}", b"\xff\xfe", b"answer=approve&" + b"x" * 2000]
)
async def test_a_form_without_an_answer_decides_nothing(
    anyone: httpx.AsyncClient, page: str, store: Store, account: Account, invoice: Invoice, body: bytes
) -> None:
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    assert_page(await anyone.post(page, content=body, headers=headers), 400, "Nothing was decided")
    assert await status_of(store, account, invoice) is ApprovalStatus.REQUESTED


async def test_an_answer_to_other_facts_decides_nothing(
    anyone: httpx.AsyncClient, page: str, store: Store, account: Account, invoice: Invoice
) -> None:
    answer = await anyone.post(page, data={"answer": "approve", "seen": "other"})
    assert_page(answer, 409, "The invoice has changed")
    assert await status_of(store, account, invoice) is ApprovalStatus.REQUESTED


async def test_a_hostile_document_writes_nothing_into_the_page(
    client: httpx.AsyncClient, store: Store, account: Account, mail_folder: Path
) -> None:
    hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)>{{ 7*7 }}'
    invoice = await complete_invoice(store, account.id, READ.model_copy(update={"vendor_name": hostile}))
    await client.post(f"/v1/invoices/{invoice.id}/approval", json=EMAIL)
    answer = await client.get(links_in(newest_mail(mail_folder))[0])
    assert answer.status_code == 200
    assert "<script" not in answer.text
    assert "<img" not in answer.text
    assert "{{ 7*7 }}" in answer.text


async def test_errors_are_shown_on_a_page_too(
    anyone: httpx.AsyncClient, page: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def lost(*_: object) -> None:
        raise StoreUnreachable

    async def broken(*_: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(store.invoices, "find_approval", lost)
    answer = await anyone.get(page)
    assert_page(answer, 503, "That did not work")
    assert "Retry-After" in answer.headers
    monkeypatch.setattr(store.invoices, "find_approval", broken)
    assert "secret" not in assert_page(await anyone.get(page), 500, "That did not work")


@pytest.fixture
def no_folder(mail_folder: Path) -> None:
    mail_folder.write_text("in the way")


@pytest.mark.usefixtures("no_folder")
async def test_mail_that_cannot_be_sent_is_502_and_changes_nothing(
    client: httpx.AsyncClient, invoice: Invoice, store: Store, account: Account
) -> None:
    answer = await client.post(f"/v1/invoices/{invoice.id}/approval", json=EMAIL)
    assert_error(answer, 502, "api_error", "email_delivery_failed")
    assert await store.invoices.get(account.id, invoice.id) == invoice


async def test_mail_that_cannot_be_composed_is_502_and_changes_nothing(
    client: httpx.AsyncClient, invoice: Invoice, store: Store, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> bytes:
        raise IndexError("over a text of the document")

    monkeypatch.setattr(EmailMessage, "as_bytes", fails)
    answer = await client.post(f"/v1/invoices/{invoice.id}/approval", json=EMAIL)
    assert_error(answer, 502, "api_error", "email_delivery_failed")
    assert await store.invoices.get(account.id, invoice.id) == invoice


@pytest.mark.parametrize(
    "body",
    [
        "",
        "{",
        "[]",
        "{}",
        '{"email": null}',
        '{"email": 7}',
        '{"email": ""}',
        '{"email": "nobody"}',
        '{"email": "Boss <boss@example.com>"}',
        '{"email": "a@example.com,b@example.com"}',
        '{"email": "=?utf-8?q?a?=@x.de"}',
        '{"email": "a@example.com\\r\\nBcc: b@example.com"}',
        '{"email": "a@example.com", "cc": "b@example.com"}',
    ],
)
async def test_a_body_without_one_address_is_400(
    client: httpx.AsyncClient, invoice: Invoice, body: str, mail_folder: Path
) -> None:
    headers = {"Content-Type": "application/json"}
    answer = await client.post(f"/v1/invoices/{invoice.id}/approval", content=body, headers=headers)
    assert_error(answer, 400, "invalid_request_error", "invalid_body")
    assert mails_in(mail_folder) == []


async def test_an_invoice_that_is_not_complete_is_400(
    client: httpx.AsyncClient, store: Store, account: Account, mail_folder: Path
) -> None:
    record = await queue_new(store, account.id)
    answer = await client.post(f"/v1/invoices/{record.invoice.id}/approval", json=EMAIL)
    assert_error(answer, 400, "invalid_request_error", "invoice_not_complete")
    assert mails_in(mail_folder) == []


@pytest.mark.parametrize("wanted", [UNKNOWN_ID, "nonsense"])
async def test_an_unknown_invoice_is_404(client: httpx.AsyncClient, wanted: str) -> None:
    answer = await client.post(f"/v1/invoices/{wanted}/approval", json=EMAIL)
    assert_error(answer, 404, "not_found", "invoice_not_found")


async def test_a_key_that_may_only_read_may_not_ask(
    anyone: httpx.AsyncClient, make_key: MakeKey, invoice: Invoice
) -> None:
    path = f"/v1/invoices/{invoice.id}/approval"
    answer = await anyone.post(path, json=EMAIL, headers=await make_key(Scope.READ))
    assert_error(answer, 403, "authentication_error", "insufficient_scope")
    assert_error(await anyone.post(path, content=b"{"), 401, "authentication_error", "missing_api_key")


def test_the_description_is_about_the_endpoint_and_not_of_the_pages(app: FastAPI) -> None:
    described = app.openapi()["paths"]
    post = described["/v1/invoices/{id}/approval"]["post"]
    schema = post["requestBody"]["content"]["application/json"]["schema"]
    assert schema["properties"]["email"]["format"] == "email"
    assert not any(path.startswith("/approvals") for path in described)
