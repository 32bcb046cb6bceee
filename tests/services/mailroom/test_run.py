"""Documents of mails become invoices, each once, whatever happens meanwhile."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from serve_app.domain.account import Account, AccountLimits, Plan
from serve_app.domain.clock import month_start
from serve_app.domain.errors import DocumentError, StoreUnreachable, Unavailable
from serve_app.domain.inbound_mail import (
    Confirmation,
    Decision,
    HeldFor,
    InboundMail,
    MailState,
    Outcome,
    SenderDecision,
    Verdict,
    invoice_id_of,
)
from serve_app.domain.invoice import Failure, FailureCode, Source, Status
from serve_app.domain.usage import UsageSums
from serve_app.services.invoices.erase import InvoiceEraser
from serve_app.services.mailroom.mails import MailService
from serve_app.services.mailroom.run import MOST_CLAIMS
from serve_app.store.base import Files, Store
from tests.services.mailroom.conftest import PAGE, DirectOpener, Gate, Scene
from tests.support import LEASE, NOON, Clock
from tests.support.databases import KINDS
from tests.support.mail_corpus import html_mail, locked_pdf, mail, pdf, picture, two_pdfs, with_file


@pytest.fixture(params=KINDS)
def store_kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def outcomes(found: InboundMail) -> list[tuple[str, str]]:
    return [(part.path, str(part.outcome)) for part in found.parts]


async def test_a_document_becomes_an_invoice(scene: Scene) -> None:
    scene.envelope = replace(scene.envelope, recipient=f"{scene.address.local}+Berlin@x.example")
    found = await scene.received(with_file(pdf(), name="../a/Rechnung.pdf"))
    (invoice,) = await scene.invoices()
    assert (invoice.source, invoice.entity_tag, invoice.status) == (Source.EMAIL, "Berlin", Status.QUEUED)
    assert invoice.file is not None
    assert (invoice.file.name, invoice.file.mime_type) == ("Rechnung.pdf", "application/pdf")
    assert invoice.id == invoice_id_of(found.id, "2", NOON)
    assert invoice.id.version == 7
    assert invoice.id.int >> 80 == int(NOON.timestamp() * 1000)
    assert found.state is MailState.READING
    assert found.part("2") == replace(found.parts[1], outcome=Outcome.INVOICE, invoice_id=invoice.id)
    assert (found.heading.sender, found.heading.subject) == ("anna@example.com", "Invoice")
    assert found.verdict == Verdict(("example.com",))
    await scene.finish()
    assert (await scene.mail(found.id)).state is MailState.DONE


async def test_the_mail_is_done_when_its_last_invoice_is(scene: Scene) -> None:
    found = await scene.received(two_pdfs())
    first = await scene.store.queue.claim_due_invoice(LEASE)
    assert first is not None
    scene.clock.advance(10)
    await scene.work()
    waiting = await scene.mail(found.id)
    assert waiting.state is MailState.READING
    assert waiting.due_at is not None
    assert waiting.due_at > scene.clock()
    scene.clock.advance(3600)
    await scene.work()
    await scene.finish()
    assert len(await scene.invoices()) == 2
    scene.clock.advance(3600)
    assert await scene.store.queue.repair()
    await scene.finish()
    assert (await scene.mail(found.id)).state is MailState.DONE


@pytest.mark.parametrize("lost_after", ["submit", "save"])
async def test_a_crash_repeats_nothing(scene: Scene, lost_after: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mail_id = await scene.receive(two_pdfs())
    claim = await scene.store.mails.claim_due(LEASE)
    assert claim is not None
    with monkeypatch.context() as patch:
        save = scene.store.mails.save

        async def lost(changed: InboundMail) -> InboundMail | None:
            if lost_after == "save":
                await save(changed)
            raise KeyboardInterrupt

        patch.setattr(scene.store.mails, "save", lost)
        with pytest.raises(KeyboardInterrupt):
            await scene.run.run(claim)
    assert len(await scene.invoices()) == 2
    scene.clock.advance(31)
    await scene.work()
    assert len(await scene.invoices()) == 2
    found = await scene.mail(mail_id)
    assert outcomes(found) == [("1", "ignored"), ("2", "invoice"), ("3", "invoice")]
    assert await scene.store.quotas.used(scene.account.id, month_start(NOON)) == 2


async def test_a_locked_pdf_becomes_an_invoice_that_waits_for_its_password(scene: Scene) -> None:
    found = await scene.received(with_file(locked_pdf()))
    (invoice,) = await scene.invoices()
    assert found.parts[1].is_locked
    assert (found.parts[1].outcome, found.parts[1].invoice_id) == (Outcome.INVOICE, invoice.id)
    await scene.finish(Failure(code=FailureCode.DOCUMENT_ENCRYPTED, message="The PDF is protected with a password."))
    assert (await scene.mail(found.id)).state is MailState.DONE


async def test_the_same_file_is_read_once(scene: Scene, mails: MailService) -> None:
    first = await scene.received(with_file(pdf()))
    copy = await scene.received(with_file(pdf(), text="Please find it attached once more."))
    invoice_id = first.parts[1].invoice_id
    assert (copy.parts[1].outcome, copy.parts[1].invoice_id) == (Outcome.SAME_FILE, invoice_id)
    assert "2026-05-17" in copy.parts[1].reason
    assert len(await scene.invoices()) == 1
    assert await scene.store.quotas.used(scene.account.id, month_start(NOON)) == 1
    # Unless a person wants it.
    await mails.read_anyway(scene.account.id, copy.id, "2")
    await scene.work()
    again = await scene.mail(copy.id)
    assert again.parts[1].outcome is Outcome.INVOICE
    assert len(await scene.invoices()) == 2
    await mails.read_anyway(scene.account.id, copy.id, "1")
    await scene.work()
    assert [str(part.outcome) for part in (await scene.mail(copy.id)).parts] == ["invoice", "invoice"]


@pytest.mark.parametrize("source", [Source.API, Source.APP])
async def test_a_file_that_came_another_way_is_not_read_again(scene: Scene, mails: MailService, source: Source) -> None:
    first = await scene.submit(pdf(), source)
    scene.clock.advance(timedelta(days=89).total_seconds())
    found = await scene.received(with_file(pdf()))
    assert (found.parts[1].outcome, found.parts[1].invoice_id) == (Outcome.SAME_FILE, first.id)
    assert "2026-05-17" in found.parts[1].reason
    month = month_start(scene.clock())
    assert await scene.store.quotas.used(scene.account.id, month) == 0
    await mails.read_anyway(scene.account.id, found.id, "2")
    await scene.work()
    assert (await scene.mail(found.id)).parts[1].outcome is Outcome.INVOICE
    assert await scene.store.quotas.used(scene.account.id, month) == 1


async def test_a_file_of_another_way_is_read_again_after_90_days_or_once_it_was_deleted(
    scene: Scene, store: Store, files: Files, clock: Clock
) -> None:
    first = await scene.submit(pdf("a"), Source.API)
    await scene.submit(pdf("b"), Source.API)
    await InvoiceEraser(store, files, clock).erase(scene.account.id, first.id)
    assert (await scene.received(with_file(pdf("a")))).parts[1].outcome is Outcome.INVOICE
    clock.advance(timedelta(days=90, seconds=1).total_seconds())
    assert (await scene.received(with_file(pdf("b")))).parts[1].outcome is Outcome.INVOICE


async def test_a_picture_in_three_mails_of_a_sender_is_a_logo(
    scene: Scene, store: Store, files: Files, clock: Clock, mails: MailService
) -> None:
    logo = picture(900, 700)

    def with_picture(number: int, sender: str = "anna") -> bytes:
        raw = with_file(logo, "image/jpeg", "logo.jpg", text=f"Mail {number}")
        return raw.replace(b"anna@", f"{sender}@".encode())

    for number in range(2):
        found = await scene.received(with_picture(number))
        assert found.parts[1].outcome is Outcome.INVOICE
        # Whoever sees that it is a logo deletes the invoice, and would have to do so with each mail.
        await InvoiceEraser(store, files, clock).erase(scene.account.id, (await scene.invoices())[0].id)
    third = await scene.received(with_picture(3))
    assert third.parts[1].outcome is Outcome.IGNORED
    assert "3 e-mails of this sender" in third.parts[1].reason
    other = await scene.received(with_picture(4, "ben"))
    assert other.parts[1].outcome is Outcome.INVOICE
    await mails.read_anyway(scene.account.id, third.id, "2")
    await scene.work()
    assert (await scene.mail(third.id)).parts[1].outcome is Outcome.INVOICE


async def test_a_file_that_is_no_picture_is_never_a_logo(scene: Scene) -> None:
    found = [await scene.received(with_file(pdf(), text=f"Mail {number}")) for number in range(4)]
    assert {mail.parts[1].outcome for mail in found[1:]} == {Outcome.SAME_FILE}


async def test_the_same_file_is_read_again_after_90_days(scene: Scene) -> None:
    await scene.received(with_file(pdf()))
    scene.clock.advance(timedelta(days=90, seconds=1).total_seconds())
    late = await scene.received(with_file(pdf(), text="Reminder"))
    assert late.parts[1].outcome is Outcome.INVOICE


async def test_the_same_file_twice_in_a_mail_is_one_invoice(scene: Scene) -> None:
    message = mail()
    for name in ("a.pdf", "b.pdf"):
        message.add_attachment(pdf(), maintype="application", subtype="pdf", filename=name)
    found = await scene.received(message.as_bytes())
    assert [str(part.outcome) for part in found.parts] == ["ignored", "invoice", "same_file"]
    assert found.parts[2].invoice_id == found.parts[1].invoice_id


async def test_a_mail_waits_for_the_quota_and_goes_on_by_itself(
    scene: Scene, store: Store, clock: Clock, opener: DirectOpener
) -> None:
    limit = Plan.FREE.monthly_limit
    assert limit is not None
    for number in range(limit - 1):
        await scene.received(with_file(pdf(f"x{number}"), text=str(number)))
    found = await scene.received(two_pdfs())
    assert (found.state, found.held_for) == (MailState.HELD, HeldFor.QUOTA)
    assert outcomes(found) == [("1", "ignored"), ("2", "invoice"), ("3", "waiting")]
    calls = opener.calls
    clock.advance(3600)
    await scene.work()
    assert (await scene.mail(found.id)).held_for is HeldFor.QUOTA
    # It costs nothing to look.
    assert opener.calls == calls
    clock.now = month_start(NOON + timedelta(days=31)) + timedelta(seconds=1)
    await scene.work()
    released = await scene.mail(found.id)
    assert (released.state, released.held_for) == (MailState.READING, None)
    assert outcomes(released) == [("1", "ignored"), ("2", "invoice"), ("3", "invoice")]
    assert len(await scene.invoices()) == limit + 1


async def test_a_larger_plan_releases_it_within_the_hour(scene: Scene, store: Store, clock: Clock) -> None:
    for number in range(11):
        found = await scene.received(with_file(pdf(f"x{number}"), text=str(number)))
    assert found.held_for is HeldFor.QUOTA
    await store.accounts.set_plan(scene.account.id, Plan.PRO)
    clock.advance(3600)
    await scene.work()
    assert (await scene.mail(found.id)).state is MailState.READING


async def test_a_mail_waits_for_the_budget_and_goes_on_when_it_is_larger(
    scene: Scene, store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def spent(account_id: UUID, month: datetime) -> dict[datetime, UsageSums]:
        return {month: UsageSums(pages=1)}

    monkeypatch.setattr(store.quotas, "usage_by_month", spent)
    await store.accounts.set_limits(scene.account.id, AccountLimits(budget_per_month=PAGE))
    found = await scene.received(with_file(pdf()))
    assert (found.state, found.held_for) == (MailState.HELD, HeldFor.QUOTA)
    clock.advance(3600)
    await scene.work()
    assert (await scene.mail(found.id)).state is MailState.HELD
    await store.accounts.set_limits(scene.account.id, AccountLimits(budget_per_month=2 * PAGE))
    clock.advance(3600)
    await scene.work()
    assert (await scene.mail(found.id)).state is MailState.READING


async def test_a_mail_of_somebody_unknown_is_held_until_a_person_decides(
    scene: Scene, gate: Gate, mails: MailService
) -> None:
    gate.sender = SenderDecision(Decision.HOLD, Verdict((), ("Nothing proved.",)), Confirmation("Gmail", "123"))
    held = await scene.received(with_file(pdf()))
    assert (held.state, held.held_for, held.due_at) == (MailState.HELD, HeldFor.SENDER, None)
    assert outcomes(held) == [("1", "ignored"), ("2", "waiting")]
    assert held.confirmation == Confirmation("Gmail", "123")
    assert await scene.invoices() == []
    other = await scene.received(with_file(pdf("other")))
    await mails.discard(scene.account.id, other.id)
    await mails.admit(scene.account.id, held.id)
    await scene.work()
    assert (await scene.mail(held.id)).state is MailState.READING
    assert (await scene.mail(other.id)).state is MailState.DISCARDED
    assert len(await scene.invoices()) == 1
    # A decision is made once.
    assert (await mails.discard(scene.account.id, held.id)).state is MailState.READING
    assert (await mails.admit(scene.account.id, other.id)).state is MailState.DISCARDED


async def test_a_mail_of_a_denied_sender_is_discarded_and_can_be_read_all_the_same(
    scene: Scene, gate: Gate, mails: MailService
) -> None:
    gate.sender = SenderDecision(Decision.DISCARD)
    found = await scene.received(with_file(pdf()))
    assert found.state is MailState.DISCARDED
    await mails.read_again(scene.account.id, found.id)
    await scene.work()
    assert outcomes(await scene.mail(found.id))[1] == ("2", "invoice")


async def test_a_mail_that_cannot_be_taken_apart_is_shown_as_such(scene: Scene, opener: DirectOpener) -> None:
    opener.error = DocumentError(FailureCode.DOCUMENT_UNREADABLE, "it crashed the reader")
    found = await scene.received(with_file(pdf()))
    assert outcomes(found) == [("1", "unreadable")]
    scene.clock.advance(2)
    await scene.work()
    assert (await scene.mail(found.id)).state is MailState.DONE


async def test_what_is_out_of_reach_is_tried_again(scene: Scene, opener: DirectOpener) -> None:
    opener.error = StoreUnreachable()
    mail_id = await scene.receive(with_file(pdf()))
    with pytest.raises(Unavailable):
        await scene.work()
    assert (await scene.mail(mail_id)).state is MailState.QUEUED
    opener.error = None
    scene.clock.advance(31)
    await scene.work()
    assert outcomes(await scene.mail(mail_id))[1] == ("2", "invoice")


async def test_a_mail_that_costs_too_many_workers_is_given_up(scene: Scene, opener: DirectOpener) -> None:
    mail_id = await scene.receive(with_file(pdf()))
    for _ in range(MOST_CLAIMS):
        assert await scene.store.mails.claim_due(LEASE) is not None
        scene.clock.advance(31)
    await scene.work()
    assert opener.calls == 0
    assert outcomes(await scene.mail(mail_id)) == [("1", "unreadable")]


async def test_what_was_fetched_from_a_link_stays_when_the_mail_is_read_again(scene: Scene, mails: MailService) -> None:
    link = "<a href='https://shop.example/bill'>Your bill</a>"
    found = await scene.received(html_mail(link))
    (path,) = (part.path for part in found.parts if part.outcome is Outcome.LINKS)
    invoices = [await scene.submit(pdf(name), Source.EMAIL) for name in "ab"]
    for invoice in invoices:
        await mails.note_fetched(scene.account.id, found.id, path, invoice)
    await mails.read_again(scene.account.id, found.id)
    await scene.work()
    fetched = [part for part in (await scene.mail(found.id)).parts if part.is_fetched]
    assert [(part.path, part.invoice_id) for part in fetched] == [
        (f"{path}.1", invoices[0].id),
        (f"{path}.2", invoices[1].id),
    ]


async def test_an_invoice_that_was_deleted_is_not_made_again(
    scene: Scene, store: Store, files: Files, clock: Clock, mails: MailService
) -> None:
    found = await scene.received(two_pdfs())
    first, second = await scene.invoices()
    await InvoiceEraser(store, files, clock).erase(scene.account.id, first.id)
    await scene.finish()
    done = await scene.mail(found.id)
    assert (done.state, done.has_raw) == (MailState.DONE, False)
    assert sorted(str(part.outcome) for part in done.parts) == ["erased", "ignored", "invoice"]
    assert await mails.read_again(scene.account.id, found.id) == done
    with pytest.raises(LookupError, match="removed"):
        await mails.raw(scene.account.id, found.id)
    assert [invoice.id for invoice in await scene.invoices()] == [second.id]


async def test_an_invoice_deleted_before_its_mail_was_done_takes_the_bytes_with_it(
    scene: Scene, store: Store, files: Files, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    mail_id = await scene.receive(with_file(pdf()))
    claim = await store.mails.claim_due(LEASE)
    assert claim is not None

    async def lost(changed: InboundMail) -> None:
        return None

    with monkeypatch.context() as patch:
        patch.setattr(store.mails, "save", lost)
        await scene.run.run(claim)
    (invoice,) = await scene.invoices()
    await InvoiceEraser(store, files, clock).erase(scene.account.id, invoice.id)
    clock.advance(31)
    await scene.work()
    assert outcomes(await scene.mail(mail_id))[1] == ("2", "erased")
    assert await files.keys_in("mails") == []
    assert await scene.invoices() == []


async def test_a_mail_of_an_account_that_is_gone_is_removed(
    scene: Scene, store: Store, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    await scene.receive(with_file(pdf()))

    async def nobody(*_: Any) -> Account | None:
        return None

    monkeypatch.setattr(store.accounts, "get", nobody)
    await scene.work()
    assert await store.mails.of_account(scene.account.id, 1) == []
    assert await files.keys_in("mails") == []
