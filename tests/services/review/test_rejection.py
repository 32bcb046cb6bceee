"""The sender of a mail is told that the invoice in it was rejected."""

from dataclasses import replace
from email.headerregistry import Address
from typing import Any

import pytest

from serve_app.domain.account import Account
from serve_app.domain.errors import InvalidParameter, InvoiceNotFound, MailNotSent
from serve_app.domain.ids import new_id
from serve_app.domain.inbound_mail import Heading, MailPart, MailState, Outcome, Verdict
from serve_app.domain.invoice import ReviewStatus
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.review import Verdict as Decided
from serve_app.mail.rejection import ComposeRejection
from serve_app.services.people.audit import AuditTrail
from serve_app.services.review.rejection import RejectionMails
from serve_app.store.base import Store
from tests.store.test_reviews import read_new, say
from tests.support import NOON, Clock
from tests.support.inbound import add_address, add_mail
from tests.support.mails import FakeMailer, text_of
from tests.support.people import COMMAND_LINE

ANNA = Heading(sender="Anna@example.com", subject="Our invoice", message_id="<7@example.com>")
PROVED = Verdict(identities=("anna@example.com", "example.com"))


@pytest.fixture
def mailer() -> FakeMailer:
    return FakeMailer()


@pytest.fixture
def rejections(store: Store, mailer: FakeMailer, clock: Clock) -> RejectionMails:
    compose = ComposeRejection(Address("Invoices", addr_spec="invoices@example.net"))
    audit = AuditTrail(store.audit, clock)
    return RejectionMails(store.invoices, store.mails, store.automatic_mails, mailer, compose, audit, clock)


async def mailed(store: Store, account: Account, **changes: Any) -> InvoiceRecord:
    """An invoice that came by mail."""
    record = await read_new(store, account)
    part = MailPart("1", Outcome.INVOICE, invoice_id=record.invoice.id)
    address = await add_address(store, account.id)
    fields = {"state": MailState.DONE, "due_at": None, "heading": ANNA, "verdict": PROVED, "parts": (part,), **changes}
    await add_mail(store, address, **fields)
    return record


async def rejected(store: Store, record: InvoiceRecord) -> InvoiceRecord:
    verdict = Decided(status=ReviewStatus.REJECTED, by="Bob", at=NOON, reason="The order number is missing.")
    return await say(store, record, record.review.changed({}, verdict))


async def test_the_sender_learns_the_reason(
    rejections: RejectionMails, store: Store, account: Account, mailer: FakeMailer
) -> None:
    record = await rejected(store, await mailed(store, account))
    ids = account.id, record.invoice.id
    assert await rejections.addressee(*ids) == "Anna@example.com"
    assert await rejections.send(*ids, COMMAND_LINE) == "Anna@example.com"
    (message,) = mailer.messages
    assert (message["To"], message["In-Reply-To"]) == ("Anna@example.com", "<7@example.com>")
    assert message["Subject"] == "Invoice rejected: Our invoice"
    assert message["Auto-Submitted"] == "auto-generated"
    for kind in ("plain", "html"):
        assert "The order number is missing." in text_of(message, kind)
        assert "A-1" in text_of(message, kind)
    (entry, *_) = await AuditTrail(store.audit).of_target(account.id, str(record.invoice.id), 1)
    assert (entry.action, entry.details["to"]) == ("invoice.sender_told", "Anna@example.com")


@pytest.mark.parametrize(
    "changes",
    [
        {"verdict": None},
        {"verdict": Verdict(identities=("mallory@example.org",))},
        {"heading": replace(ANNA, is_automatic=True)},
        {"heading": Heading()},
    ],
)
async def test_nobody_is_written_to_who_did_not_prove_the_address(
    rejections: RejectionMails, store: Store, account: Account, mailer: FakeMailer, changes: Any
) -> None:
    record = await rejected(store, await mailed(store, account, **changes))
    assert await rejections.addressee(account.id, record.invoice.id) is None
    with pytest.raises(InvalidParameter):
        await rejections.send(account.id, record.invoice.id, COMMAND_LINE)
    assert mailer.messages == []


async def test_the_sender_is_notified_of_a_rejected_invoice_only(
    rejections: RejectionMails, store: Store, account: Account, mailer: FakeMailer
) -> None:
    record = await mailed(store, account)
    with pytest.raises(InvalidParameter):
        await rejections.send(account.id, record.invoice.id, COMMAND_LINE)
    with pytest.raises(InvoiceNotFound):
        await rejections.send(account.id, new_id(), COMMAND_LINE)
    assert mailer.messages == []


async def test_one_address_gets_only_so_many_a_day(
    rejections: RejectionMails, store: Store, account: Account, mailer: FakeMailer
) -> None:
    record = await rejected(store, await mailed(store, account))
    for _ in range(20):
        await rejections.send(account.id, record.invoice.id, COMMAND_LINE)
    with pytest.raises(InvalidParameter):
        await rejections.send(account.id, record.invoice.id, COMMAND_LINE)
    assert len(mailer.messages) == 20


async def test_mail_that_cannot_be_sent_is_reported(
    rejections: RejectionMails, store: Store, account: Account, mailer: FakeMailer
) -> None:
    mailer.refuses = True
    record = await rejected(store, await mailed(store, account))
    with pytest.raises(MailNotSent):
        await rejections.send(account.id, record.invoice.id, COMMAND_LINE)
