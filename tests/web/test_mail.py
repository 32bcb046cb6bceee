"""The screens of mails that came in."""

from typing import Any
from uuid import UUID

import httpx
import pytest

from serve_app.domain.account import Account, Plan
from serve_app.domain.errors import FileUrlUnreachable
from serve_app.domain.ids import new_id
from serve_app.domain.inbound_mail import (
    Heading,
    HeldFor,
    InboundMail,
    MailPart,
    MailState,
    Outcome,
    Verdict,
)
from serve_app.domain.invoice import Failure, FailureCode, Invoice, Source
from serve_app.domain.mail_address import MailAddress
from serve_app.domain.person import Role
from serve_app.services.intake.file_urls import FileUrls
from serve_app.services.intake.submit import Upload
from serve_app.store.base import Files, Store
from tests.support import NOON, PDF_BYTES, UNKNOWN_ID, claim_next, inbound, queue_new
from tests.support.inbound import PLAIN, add_address, add_mail
from tests.web.conftest import Browse
from tests.web.mails import actions, present

EVIL = Heading("anna@shop.test", "Anna <b>", "Invoice <script>x</script>")
PROVED = Verdict(("anna@shop.test", "shop.test"), ("DKIM: pass for shop.test", "DMARC: pass for shop.test"))
HELD: dict[str, Any] = {**inbound.HELD, "heading": EVIL}
DONE: dict[str, Any] = {**inbound.DONE, "heading": EVIL}


class TestMail:
    async def test_its_parts_are_a_tree_with_outcomes_and_links(
        self, browse: Browse, store: Store, address: MailAddress
    ) -> None:
        invoice = new_id()
        parts = (
            MailPart("1", Outcome.IGNORED, "It is the text of the e-mail.", mime_type="text/plain", size=12),
            MailPart("2", Outcome.UNPACKED, "A mail.", "forwarded.eml", "message/rfc822"),
            MailPart("2.1.1", Outcome.INVOICE, "", "bill <1>.pdf", "application/pdf", 1000, invoice_id=invoice),
            MailPart("2.10", Outcome.LINKS, "Only links.", links=("https://shop.test/<x>",)),
            MailPart("2.2", Outcome.ENCRYPTED_MAIL, "It is encrypted."),
        )
        mail = await add_mail(store, address, "1", **DONE, parts=parts, verdict=PROVED)
        page = (await browse(Role.VIEWER).get(f"/app/mail/{mail.id}")).text
        assert f'<a href="/app/invoices/{invoice}">bill &lt;1&gt;.pdf</a>' in page
        inner = page[page.index("forwarded.eml") :]
        assert inner.index('<ul class="mail-parts">') < inner.index("bill &lt;1&gt;") < inner.index("It is encrypted.")
        assert inner.index("It is encrypted.") < inner.index("https://shop.test/&lt;x&gt;")
        assert 'href="https://shop.test' not in page
        assert "Authenticated" in page
        assert "DKIM: pass for shop.test" in page

    @pytest.mark.parametrize(
        ("verdict", "words"),
        [
            (Verdict(("forwarder.test",), ("DKIM: pass for forwarder.test",)), "Confirmed by forwarder.test"),
            (Verdict((), ("SPF: fail for shop.test",)), "Not authenticated"),
        ],
    )
    async def test_the_verdict_is_in_words(
        self, browse: Browse, store: Store, address: MailAddress, verdict: Verdict, words: str
    ) -> None:
        mail = await add_mail(store, address, "1", **DONE, verdict=verdict)
        assert words in (await browse().get(f"/app/mail/{mail.id}")).text

    async def test_it_is_followed_until_it_is_read(self, browse: Browse, store: Store, address: MailAddress) -> None:
        mail = await add_mail(store, address, "1", heading=EVIL)
        browser = browse()
        assert f'data-poll="/app/mail/{mail.id}"' in (await browser.get(f"/app/mail/{mail.id}")).text
        browser.headers["HX-Request"] = "true"
        part = (await browser.get(f"/app/mail/{mail.id}")).text
        assert "<html" not in part
        assert "The e-mail has not been unpacked yet" in part

    async def test_it_can_be_downloaded_and_is_never_shown(
        self, browse: Browse, store: Store, files: Files, address: MailAddress
    ) -> None:
        mail = await add_mail(store, address, "1", **DONE)
        await files.write(mail.file_key, PLAIN)
        answer = await browse(Role.VIEWER).get(f"/app/mail/{mail.id}/raw")
        assert answer.content == PLAIN
        assert answer.headers["content-disposition"].startswith("attachment")
        assert answer.headers["content-security-policy"] == "sandbox; default-src 'none'"
        await files.delete(mail.file_key)
        assert (await browse().get(f"/app/mail/{mail.id}/raw")).status_code == 404

    async def test_it_is_read_again(self, browse: Browse, store: Store, account: Account, address: MailAddress) -> None:
        mail = await add_mail(store, address, "1", **DONE)
        await browse(Role.REVIEWER).post(f"/app/mail/{mail.id}/again")
        assert (await present(store, mail)).state is MailState.QUEUED
        assert await actions(store, account) == ["mail.read_again"]

    async def test_a_part_that_was_left_out_is_read(
        self, browse: Browse, store: Store, account: Account, address: MailAddress
    ) -> None:
        part = MailPart("1", Outcome.SAME_FILE, "Known.", "a.pdf", "application/pdf", invoice_id=new_id())
        mail = await add_mail(store, address, "1", **DONE, parts=(part,))
        browser = browse(Role.REVIEWER)
        assert "Read it anyway" in (await browser.get(f"/app/mail/{mail.id}")).text
        await browser.post(f"/app/mail/{mail.id}/parts/1/read")
        (changed,) = (await present(store, mail)).parts
        assert changed.is_wanted
        assert await actions(store, account) == ["mail.part_read"]

    async def test_a_picture_is_left_out_from_now_on(
        self, browse: Browse, store: Store, account: Account, address: MailAddress
    ) -> None:
        part = MailPart("1", Outcome.INVOICE, "", "logo.png", "image/png", 900, "ab" * 32, new_id())
        mail = await add_mail(store, address, "1", **DONE, parts=(part,))
        browser = browse(Role.REVIEWER)
        assert "Always ignore this picture" in (await browser.get(f"/app/mail/{mail.id}")).text
        for _ in range(2):
            await browser.post(f"/app/mail/{mail.id}/parts/1/ignore")
        changed = await store.mail_addresses.get(account.id, address.id)
        assert changed is not None
        assert changed.ignored_pictures == ("ab" * 32,)


class TestLinks:
    """Links are listed, and opened when a person says so."""

    LINK = "https://portal.test/bill?id=1"

    @pytest.fixture
    async def mail(self, store: Store, address: MailAddress) -> InboundMail:
        part = MailPart("1", Outcome.LINKS, "Only links.", links=(self.LINK,))
        return await add_mail(store, address, "1", **DONE, parts=(part,), entity_tag="berlin")

    @pytest.fixture
    def asked(self, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        urls: list[str] = []

        async def fetch(_: FileUrls, url: str, name: str | None) -> Upload:
            urls.append(url)
            return Upload(PDF_BYTES, "bill.pdf", Source.API)

        monkeypatch.setattr(FileUrls, "fetch", fetch)
        return urls

    async def test_a_document_is_fetched(
        self, browse: Browse, store: Store, account: Account, mail: InboundMail, asked: list[str]
    ) -> None:
        browser = browse(Role.REVIEWER)
        assert "Fetch the document" in (await browser.get(f"/app/mail/{mail.id}")).text
        assert asked == []
        answer = await browser.post(f"/app/mail/{mail.id}/parts/1/fetch", data={"link": self.LINK})
        assert asked == [self.LINK]
        id = answer.headers["location"].rpartition("/")[2]
        invoice = await store.invoices.get(account.id, UUID(id))
        assert invoice is not None
        assert (invoice.source, invoice.entity_tag, invoice.file.name) == (Source.EMAIL, "berlin", "bill.pdf")
        assert await actions(store, account) == ["mail.link_fetched"]
        # It stands in the tree, and goes with the mail.
        page = (await browser.get(f"/app/mail/{mail.id}")).text
        assert page.index(self.LINK) < page.index(f'<a href="/app/invoices/{id}">bill.pdf</a>')
        assert "Fetched from a link." in page
        assert [found.id for found in await store.mails.of_invoice(account.id, UUID(id))] == [mail.id]

    @pytest.mark.parametrize("link", ["", "https://else.test/", "file:///etc/passwd"])
    async def test_only_what_stands_in_the_mail_is_fetched(
        self, browse: Browse, mail: InboundMail, asked: list[str], link: str
    ) -> None:
        answer = await browse().post(f"/app/mail/{mail.id}/parts/1/fetch", data={"link": link})
        assert answer.status_code == 404
        assert asked == []

    async def test_a_link_that_leads_nowhere_is_reported(
        self, browse: Browse, mail: InboundMail, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def fail(*_: object) -> None:
            raise FileUrlUnreachable("`file_url` could not be fetched: the server answered with status 403.")

        monkeypatch.setattr(FileUrls, "fetch", fail)
        browser = browse()
        answer = await browser.post(f"/app/mail/{mail.id}/parts/1/fetch", data={"link": self.LINK})
        assert "The link could not be fetched" in (await browser.get(answer.headers["location"])).text

    async def test_viewers_fetch_nothing(self, browse: Browse, mail: InboundMail, asked: list[str]) -> None:
        answer = await browse(Role.VIEWER).post(f"/app/mail/{mail.id}/parts/1/fetch", data={"link": self.LINK})
        assert answer.status_code == 403
        assert asked == []


class TestLocked:
    @pytest.fixture
    async def invoice(self, store: Store, files: Files, account: Account) -> Invoice:
        record = await queue_new(store, account.id)
        await files.write(record.file_key, b"%PDF locked")
        failure = Failure(code=FailureCode.DOCUMENT_ENCRYPTED, message="The PDF is protected with a password.")
        failed = await store.queue.fail(await claim_next(store), failure, NOON)
        assert failed is not None
        return failed

    async def test_the_page_asks_for_the_password_until_it_is_known(
        self, browse: Browse, store: Store, address: MailAddress, invoice: Invoice
    ) -> None:
        part = MailPart("2", Outcome.INVOICE, name="bill.pdf", invoice_id=invoice.id, is_locked=True)
        mail = await add_mail(store, address, "1", **DONE, parts=(part,))
        path, unlock = f"/app/mail/{mail.id}", f"/app/review/{invoice.id}/cut/unlock"
        assert unlock not in (await browse(Role.VIEWER).get(path)).text
        browser = browse(Role.REVIEWER)
        page = (await browser.get(path)).text
        assert "Needs a password" in page
        assert f'action="{unlock}"' in page
        await browser.post(unlock, data={"password": "secret"})
        page = (await browser.get(path)).text
        assert unlock not in page
        assert f'href="/app/invoices/{invoice.id}"' in page

    async def test_an_invoice_that_was_deleted_asks_for_nothing(
        self, browse: Browse, store: Store, address: MailAddress
    ) -> None:
        part = MailPart("2", Outcome.INVOICE, name="bill.pdf", invoice_id=new_id(), is_locked=True)
        mail = await add_mail(store, address, "1", **DONE, parts=(part,))
        assert "/cut/unlock" not in (await browse().get(f"/app/mail/{mail.id}")).text


class TestHeld:
    async def test_once(self, browse: Browse, store: Store, account: Account, address: MailAddress) -> None:
        mail = await add_mail(store, address, "1", **HELD, verdict=PROVED)
        await browse(Role.REVIEWER).post(f"/app/mail/{mail.id}/admit")
        changed = await present(store, mail)
        assert (changed.state, changed.is_admitted) == (MailState.QUEUED, True)
        assert await actions(store, account) == ["mail.admitted"]
        unchanged = await store.mail_addresses.get(account.id, address.id)
        assert unchanged is not None
        assert unchanged.allowed == ()

    async def test_always(self, browse: Browse, store: Store, account: Account, address: MailAddress) -> None:
        mail = await add_mail(store, address, "1", **HELD, verdict=PROVED)
        browser = browse(Role.REVIEWER)
        page = (await browser.get(f"/app/mail/{mail.id}")).text
        assert "<option>anna@shop.test</option><option>shop.test</option>" in page
        await browser.post(f"/app/mail/{mail.id}/admit", data={"sender": "shop.test"})
        changed = await store.mail_addresses.get(account.id, address.id)
        assert changed is not None
        assert changed.allowed == ("shop.test",)
        assert (await present(store, mail)).state is MailState.QUEUED

    async def test_a_sender_that_was_not_proved_cannot_be_listed(
        self, browse: Browse, store: Store, account: Account, address: MailAddress
    ) -> None:
        mail = await add_mail(store, address, "1", **HELD, verdict=Verdict())
        browser = browse()
        assert "The sender of this e-mail is not authenticated" in (await browser.get(f"/app/mail/{mail.id}")).text
        answer = await browser.post(f"/app/mail/{mail.id}/admit", data={"sender": "anna@shop.test"})
        assert answer.status_code == 400
        assert (await present(store, mail)).state is MailState.HELD

    async def test_discard(self, browse: Browse, store: Store, address: MailAddress) -> None:
        mail, other = [await add_mail(store, address, each, **HELD) for each in "12"]
        await browse(Role.REVIEWER).post(f"/app/mail/{mail.id}/discard")
        assert (await present(store, mail)).state is MailState.DISCARDED
        assert (await present(store, other)).state is MailState.HELD

    async def test_discard_all_of_the_sender(
        self, browse: Browse, store: Store, account: Account, address: MailAddress
    ) -> None:
        mail, other = [await add_mail(store, address, each, **HELD) for each in "12"]
        third = await add_mail(store, address, "3", **HELD | {"heading": Heading("bob@else.test")})
        answer = await browse(Role.REVIEWER).post(f"/app/mail/{mail.id}/discard", data={"all": "1"})
        assert answer.status_code == 303
        states = [(await present(store, each)).state for each in (mail, other, third)]
        assert states == [MailState.DISCARDED, MailState.DISCARDED, MailState.HELD]
        changed = await store.mail_addresses.get(account.id, address.id)
        assert changed is not None
        assert changed.denied == ("anna@shop.test",)

    async def test_what_waits_for_the_quota_needs_nobody(
        self, browse: Browse, store: Store, address: MailAddress
    ) -> None:
        mail = await add_mail(store, address, "1", **HELD | {"held_for": HeldFor.QUOTA})
        page = (await browse().get(f"/app/mail/{mail.id}")).text
        assert "The monthly quota or budget is used up" in page
        assert "Discard" not in page


ACTS = ("admit", "discard", "again", "parts/1/read", "parts/1/ignore")


async def refused(browser: httpx.AsyncClient, id: object, status: int) -> None:
    for act in ACTS:
        assert (await browser.post(f"/app/mail/{id}/{act}")).status_code == status, act


async def test_viewers_look_and_decide_nothing(browse: Browse, store: Store, address: MailAddress) -> None:
    mail = await add_mail(store, address, "1", **HELD)
    browser = browse(Role.VIEWER)
    page = (await browser.get(f"/app/mail/{mail.id}")).text
    assert "An owner or a reviewer can decide" in page
    assert address.local not in page
    await refused(browser, mail.id, 403)
    assert await present(store, mail) == mail


async def test_another_accounts_mail_is_not_there(browse: Browse, store: Store) -> None:
    outsider = Account(new_id(), Plan.PRO, NOON)
    await store.accounts.add(outsider)
    theirs = await add_mail(store, await add_address(store, outsider.id), "1", **HELD)
    browser = browse()
    for id in (theirs.id, UNKNOWN_ID, "nonsense"):
        await refused(browser, id, 404)
        for path in ("", "/raw"):
            assert (await browser.get(f"/app/mail/{id}{path}")).status_code == 404
