"""The list of mails."""

from datetime import timedelta
from typing import Any

from serve_app.domain.account import Account
from serve_app.domain.clock import utc_now
from serve_app.domain.inbound_mail import (
    Confirmation,
    Heading,
    MailPart,
    MailState,
    Outcome,
    Verdict,
)
from serve_app.domain.invoice import Extraction, Failure, FailureCode
from serve_app.domain.mail_address import MailAddress
from serve_app.domain.person import Role
from serve_app.store.base import Store
from tests.support import NOON, claim_next, inbound, queue_new
from tests.support.inbound import add_address, add_mail
from tests.web.conftest import Browse
from tests.web.mails import actions, present

EVIL = Heading("anna@shop.test", "Anna <b>", "Invoice <script>x</script>")
PROVED = Verdict(("anna@shop.test", "shop.test"), ("DKIM: pass for shop.test", "DMARC: pass for shop.test"))
HELD: dict[str, Any] = {**inbound.HELD, "heading": EVIL}
DONE: dict[str, Any] = {**inbound.DONE, "heading": EVIL}


class TestList:
    async def test_an_account_without_addresses_learns_what_they_are_for(self, browse: Browse) -> None:
        assert "Create an address" in (await browse().get("/app/mail")).text
        assert "An owner of the account can create addresses" in (await browse(Role.VIEWER).get("/app/mail")).text

    async def test_mails_are_listed_with_what_they_became(
        self, browse: Browse, store: Store, address: MailAddress
    ) -> None:
        read = [await queue_new(store, address.account_id) for _ in range(2)]
        for _ in read:
            await store.queue.save_result(await claim_next(store), Extraction(), NOON)
        parts = (
            *(
                MailPart(str(number), Outcome.INVOICE, invoice_id=record.invoice.id)
                for number, record in enumerate(read, 1)
            ),
            MailPart("3", Outcome.NEEDS_PASSWORD, "It is protected."),
        )
        await add_mail(store, address, "1", **DONE, parts=parts)
        page = (await browse(Role.VIEWER).get("/app/mail")).text
        for text in ("2 invoices, 1 problem", "With problems", "Acme", "Invoice &lt;script&gt;x", "Anna &lt;b&gt;"):
            assert text in page
        assert "<script>x" not in page

    async def test_a_document_that_could_not_be_read_is_no_success(
        self, browse: Browse, store: Store, address: MailAddress
    ) -> None:
        failed = await queue_new(store, address.account_id)
        await store.queue.fail(
            await claim_next(store), Failure(code=FailureCode.DOCUMENT_UNREADABLE, message="It is cut off."), NOON
        )
        parts = (MailPart("1", Outcome.INVOICE, name="cut.pdf", invoice_id=failed.invoice.id),)
        mail = await add_mail(store, address, "1", **DONE, parts=parts)
        browser = browse()
        page = (await browser.get("/app/mail")).text
        for text in ("Failed", "1 problem", "cut.pdf: It is cut off."):
            assert text in page
        assert "1 invoice" not in page
        page = (await browser.get(f"/app/mail/{mail.id}")).text
        assert "Cannot be read" in page
        assert "It is cut off." in page

    async def test_problems_come_first_until_they_are_settled(
        self, browse: Browse, store: Store, account: Account, address: MailAddress
    ) -> None:
        parts = (MailPart("1", Outcome.ATTACHMENT_MISSING, "No file came with it."),)
        troubled = await add_mail(store, address, "1", **DONE, parts=parts, problems=1)
        for number in range(60):
            await add_mail(store, address, f"fine {number}", **DONE)
        browser = browse()
        first = (await browser.get("/app/mail")).text
        assert first.index(f"/app/mail/{troubled.id}") < first.index("All e-mails</h2>")
        only = (await browser.get("/app/mail?state=problems")).text
        assert only.count('href="/app/mail/0') == 1
        await browser.post(f"/app/mail/{troubled.id}/settle")
        assert f"/app/mail/{troubled.id}" not in (await browser.get("/app/mail")).text
        assert "Resolved" in (await browser.get(f"/app/mail/{troubled.id}")).text
        assert "mail.settled" in await actions(store, account)

    async def test_a_mail_whose_invoices_are_finished_is_never_being_read(
        self, browse: Browse, store: Store, address: MailAddress
    ) -> None:
        record = await queue_new(store, address.account_id)
        parts = (MailPart("1", Outcome.INVOICE, invoice_id=record.invoice.id),)
        mail = await add_mail(store, address, "1", state=MailState.READING, heading=EVIL, parts=parts)
        browser = browse()
        assert "Being read" in (await browser.get(f"/app/mail/{mail.id}")).text
        await store.queue.save_result(await claim_next(store), Extraction(), NOON)
        page = (await browser.get(f"/app/mail/{mail.id}")).text
        assert "Being read" not in page
        assert "data-poll" not in page
        assert "Done" in page

    async def test_an_invoice_that_is_read_after_all_is_no_problem_any_more(
        self, browse: Browse, store: Store, address: MailAddress
    ) -> None:
        record = await queue_new(store, address.account_id)
        await store.queue.save_result(await claim_next(store), Extraction(), NOON)
        parts = (MailPart("1", Outcome.INVOICE, invoice_id=record.invoice.id),)
        mail = await add_mail(store, address, "1", **DONE, parts=parts, problems=1)
        await browse().get("/app/mail")
        assert (await present(store, mail)).problems == 0

    async def test_mails_are_found_by_subject_sender_and_file(
        self, browse: Browse, store: Store, address: MailAddress
    ) -> None:
        heading = Heading("anna@shop.test", "Änne Berg", "Größere Bestellung")
        found = await add_mail(
            store,
            address,
            "1",
            **{**DONE, "heading": heading},
            parts=(MailPart("1", Outcome.IGNORED, name="Scan_17.PDF"),),
        )
        other = await add_mail(store, address, "2", **DONE)
        browser = browse()
        for words in ("GRÖSSERE", "anne berg", "SHOP.test", "scan_17"):
            page = (await browser.get("/app/mail", params={"q": words})).text
            assert f"/app/mail/{found.id}" in page, words
            assert (f"/app/mail/{other.id}" in page) is (words == "SHOP.test"), words
        assert "No e-mail matches" in (await browser.get("/app/mail", params={"q": "%"})).text

    async def test_filters_are_in_the_address(
        self, browse: Browse, store: Store, account: Account, address: MailAddress
    ) -> None:
        other = await add_address(store, account.id)
        held = await add_mail(store, address, "1", **HELD)
        done = await add_mail(store, other, "2", **DONE)
        browser = browse()
        for query, shown, hidden in (
            ("state=held", held, done),
            ("state=done", done, held),
            (f"address={address.id}", held, done),
            (f"address={other.id}&state=done", done, held),
        ):
            page = (await browser.get(f"/app/mail?{query}")).text
            assert f"/app/mail/{shown.id}" in page, query
            assert f"/app/mail/{hidden.id}" not in page, query
        assert "No e-mail matches" in (await browser.get("/app/mail?state=discarded")).text
        assert (await browser.get("/app/mail?state=nonsense")).status_code == 400

    async def test_a_long_list_has_pages(self, browse: Browse, store: Store, address: MailAddress) -> None:
        for number in range(51):
            await add_mail(store, address, str(number), **DONE)
        first = (await browse().get("/app/mail")).text
        assert first.count('href="/app/mail/0') == 50
        assert "Older" in first

    async def test_held_mails_are_announced(self, browse: Browse, store: Store, address: MailAddress) -> None:
        await add_mail(store, address, "1", **HELD)
        for path in ("/app/mail", "/app/"):
            assert "1 e-mail is held" in " ".join((await browse().get(path)).text.split())

    async def test_a_question_about_forwarding_is_shown_at_once(
        self, browse: Browse, store: Store, address: MailAddress
    ) -> None:
        link = "https://mail-settings.google.com/mail/vf-1?a=1&b=2"
        question = Confirmation("Gmail", "123456789", link)
        mail = await add_mail(store, address, "1", **HELD, confirmation=question, received_at=utc_now())
        for path in ("/app/mail", f"/app/mail/{mail.id}"):
            page = (await browse().get(path)).text
            assert "Gmail asks you to confirm forwarding" in page
            assert "123456789" in page
            assert 'href="https://mail-settings.google.com/mail/vf-1?a=1&amp;b=2" target="_blank"' in page

    async def test_nobody_is_asked_about_forwarding_for_ever(
        self, browse: Browse, store: Store, address: MailAddress
    ) -> None:
        asked_at = utc_now() - timedelta(days=8)
        await add_mail(store, address, "1", confirmation=Confirmation("Gmail", "123456789"), received_at=asked_at)
        assert "123456789" not in (await browse().get("/app/mail")).text
