"""Comments on an invoice, and whom they notify."""

from pathlib import Path

import httpx
import pytest

from serve_app.domain.account import Account
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Invoice
from serve_app.domain.person import Person, Role
from serve_app.services.comments.service import find_mentions
from serve_app.settings import Settings
from serve_app.store.base import Store
from tests.support import NOON, UNKNOWN_ID
from tests.support.mails import complete_invoice
from tests.support.people import add_member
from tests.web.conftest import SignedIn

BOB, BOBBY = (Person(new_id(), f"{name.lower()}@example.com", name, NOON) for name in ("Bob", "Bobby"))


@pytest.fixture
async def invoice(store: Store, account: Account) -> Invoice:
    return await complete_invoice(store, account.id)


async def say(browser: httpx.AsyncClient, invoice: Invoice, text: str) -> str:
    path = f"/app/invoices/{invoice.id}"
    await browser.post(f"{path}/comments", data={"text": text})
    return (await browser.get(path)).text


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Ask @bob.", [BOB]),
        ("@Bobby, @bob@example.com: look", [BOB, BOBBY]),
        ("(@BOB)", [BOB]),
        ("bob, write to x@bob or to @bobo", []),
        ("@bob@example.org", []),
        ("@bob-", [BOB]),
    ],
)
def test_people_are_named_by_their_name_or_address(text: str, named: list[Person]) -> None:
    assert find_mentions(text, [BOB, BOBBY]) == named


async def test_whoever_is_named_gets_a_mail_and_sees_it_on_the_start_page(
    signed_in: SignedIn, store: Store, account: Account, invoice: Invoice, settings: Settings
) -> None:
    await add_member(store, account, "bob@example.com", Role.VIEWER)
    ann = await signed_in(Role.REVIEWER)
    page = await say(ann, invoice, "  <b>Pay</b> this?\r\n@bob ")
    assert "&lt;b&gt;Pay&lt;/b&gt; this?\n@bob" in page
    assert "Commented" in page
    assert "because there is no mail server" in page
    (mail,) = Path(settings.mail_folder).glob("*.eml")  # noqa: ASYNC240 - a few files
    assert b"bob@example.com" in mail.read_bytes()
    assert f"/app/invoices/{invoice.id}".encode() in mail.read_bytes()
    bob = await signed_in(Role.VIEWER, "bob@example.com")
    start = (await bob.get("/app/")).text
    assert "Comments that mention you" in start
    assert f"/app/invoices/{invoice.id}#comments" in start
    assert "Comments that mention you" not in (await ann.get("/app/")).text
    assert "this?" not in str((await store.audit.page(account.id, 9)).items)


async def test_a_viewer_reads_and_does_not_write(signed_in: SignedIn, invoice: Invoice) -> None:
    await say(await signed_in(Role.REVIEWER), invoice, "Not ours?")
    viewer = await signed_in(Role.VIEWER, "eve@example.com")
    page = (await viewer.get(f"/app/invoices/{invoice.id}")).text
    assert "Not ours?" in page
    assert "Add a comment" not in page
    answer = await viewer.post(f"/app/invoices/{invoice.id}/comments", data={"text": "x"})
    assert answer.status_code == 403


async def test_what_is_no_comment_is_reported(signed_in: SignedIn, invoice: Invoice) -> None:
    browser = await signed_in(Role.OWNER)
    assert "Enter a comment." in await say(browser, invoice, " \n ")
    assert "A comment has at most 2,000 characters." in await say(browser, invoice, "x" * 2001)
    for id in (UNKNOWN_ID, "x"):
        assert (await browser.post(f"/app/invoices/{id}/comments", data={"text": "x"})).status_code == 404
