"""Answers go to those who are known and proved, about what went wrong, and never in circles."""

from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes, policy

import pytest

from serve_app.domain.account import Account
from serve_app.domain.inbound_mail import Decision, HeldFor, MailState, SenderDecision, Verdict
from serve_app.domain.invoice import Failure, FailureCode
from serve_app.domain.mail_address import Answering
from serve_app.domain.mail_refusals import MailRefused, Refusal
from serve_app.domain.person import Role
from serve_app.mail.held_mails import ComposeHeld
from serve_app.mail.sender import parse_sender
from serve_app.services.mailroom.notices import HeldNotices
from serve_app.store.base import Store
from tests.services.mailroom.conftest import OURS, Gate, Scene
from tests.support import NOON, Clock
from tests.support.inbound import add_mail
from tests.support.mail_corpus import XRECHNUNG, locked_pdf, locked_zip, mail, pdf, with_file
from tests.support.mails import FakeMailer, text_of
from tests.support.people import add_member

LOCKED = with_file(locked_zip(), "application/zip", "i.zip")


@pytest.fixture
async def known(scene: Scene) -> Scene:
    """Where Anna's mail is answered."""
    await scene.store.mail_addresses.save(replace(scene.address, allowed=("example.com",)))
    return scene


async def through(scene: Scene, raw: bytes, failure: Failure | None = None) -> None:
    await scene.received(raw)
    scene.clock.advance(2)
    await scene.work()
    await scene.finish(failure)


async def test_a_failure_is_answered_with_what_to_do(known: Scene, outbox: FakeMailer) -> None:
    message = mail("Rechnung M\u00e4rz")
    message.add_attachment(locked_zip(), maintype="application", subtype="zip", filename="locked.zip")
    message.add_attachment(XRECHNUNG, maintype="application", subtype="xml", filename="good.xml")
    message.add_attachment(pdf(), maintype="application", subtype="pdf", filename="good.pdf")
    await through(known, message.as_bytes())
    (answer,) = outbox.messages
    text = answer.get_body(("plain",)).get_content()  # type: ignore[union-attr]
    assert (answer["To"], answer["From"], answer["Subject"]) == ("anna@example.com", OURS, "Re: Rechnung M\u00e4rz")
    assert (answer["Auto-Submitted"], answer["X-Loop"]) == ("auto-replied", OURS)
    assert answer["In-Reply-To"] == answer["References"] == "<1@example.com>"
    assert "1.pdf: protected with a password\n  The file in the ZIP archive is protected with a password." in text
    assert "good.pdf: read" in text
    assert "ignored: 2" in text
    (mail_row,) = (await known.store.mails.of_account(known.account.id, 10),)
    assert mail_row[0].answered_at is not None


async def test_an_invoice_that_cannot_be_read_is_answered_once_it_has_failed(known: Scene, outbox: FakeMailer) -> None:
    failure = Failure(code=FailureCode.NO_TEXT_FOUND, message="The document has no text.")
    await known.received(with_file(pdf()))
    known.clock.advance(2)
    await known.work()
    assert outbox.messages == []
    await known.finish(failure)
    assert "The document has no text." in outbox.messages[0].as_string()


async def test_a_document_that_waits_for_its_password_is_answered_as_such(known: Scene, outbox: FakeMailer) -> None:
    failure = Failure(code=FailureCode.DOCUMENT_ENCRYPTED, message="The PDF is protected with a password.")
    await through(known, with_file(locked_pdf()), failure)
    assert "invoice.pdf: protected with a password\n  The PDF is protected" in text_of(outbox.messages[0])


@pytest.mark.parametrize(
    ("answering", "raw", "is_answered"),
    [
        (Answering.FAILURES, with_file(pdf()), False), (Answering.FAILURES, LOCKED, True),
        (Answering.FAILURES, mail().as_bytes(), True), (Answering.ALWAYS, with_file(pdf()), True),
        (Answering.NEVER, LOCKED, False),
    ],
)  # fmt: skip
async def test_the_address_says_what_is_answered(
    known: Scene, outbox: FakeMailer, answering: Answering, raw: bytes, is_answered: bool
) -> None:
    address = await known.store.mail_addresses.find(known.address.local)
    assert address is not None
    await known.store.mail_addresses.save(replace(address, answering=answering))
    await through(known, raw)
    assert bool(outbox.messages) is is_answered


async def test_who_is_not_proved_is_never_answered(known: Scene, outbox: FakeMailer, gate: Gate) -> None:
    forged = [None, Verdict(), Verdict(("attacker.example",)), Verdict(("ann@example.com", "le.com"))]
    for number, verdict in enumerate(forged):
        gate.sender = SenderDecision(Decision.ADMIT, verdict)
        await through(known, LOCKED.replace(b"<1@", b"<%d@" % (number + 2)))
    assert outbox.messages == []
    gate.sender = SenderDecision(Decision.ADMIT, Verdict(("anna@example.com",)))
    await through(known, LOCKED)
    assert len(outbox.messages) == 1


async def test_an_unknown_sender_is_never_answered(scene: Scene, outbox: FakeMailer) -> None:
    await through(scene, LOCKED)
    assert outbox.messages == []


async def test_the_accounts_own_people_are_answered(scene: Scene, outbox: FakeMailer) -> None:
    await scene.store.accounts.set_email(scene.account.id, "Anna@Example.com")
    await through(scene, LOCKED)
    assert len(outbox.messages) == 1


@pytest.mark.parametrize(
    "header",
    ["Auto-Submitted: auto-generated", "Precedence: list", "List-Id: <x>", "X-Auto-Response-Suppress: All"],
)
async def test_robots_and_lists_are_never_answered(known: Scene, outbox: FakeMailer, header: str) -> None:
    await through(known, f"{header}\r\n".encode() + LOCKED)
    assert outbox.messages == []


async def test_a_bounce_is_never_answered(known: Scene, outbox: FakeMailer) -> None:
    known.envelope = replace(known.envelope, sender="")
    await through(known, LOCKED)
    assert outbox.messages == []


async def test_a_sender_gets_an_answer_an_hour(known: Scene, outbox: FakeMailer) -> None:
    for number in range(5):
        await through(known, LOCKED.replace(b"<1@", b"<%d@" % (number + 2)))
    assert len(outbox.messages) == 1
    for number in range(20):
        known.clock.advance(3600)
        await through(known, LOCKED.replace(b"<1@", b"<%d@" % (number + 10)))
    assert len(outbox.messages) == 10


def failing(number: int) -> bytes:
    message = mail(f"Bill {number}", text="Here it is.")
    message.add_attachment(locked_zip(), maintype="application", subtype="zip", filename=f"{number}.zip")
    return message.as_bytes().replace(b"<1@", b"<%d@" % (number + 2))


async def test_several_mails_that_fail_at_once_get_one_answer_that_names_all(known: Scene, outbox: FakeMailer) -> None:
    for number in range(4):
        await known.received(failing(number))
        known.clock.advance(2)
    assert outbox.messages == []
    await known.finish()
    (answer,) = outbox.messages
    text = text_of(answer)
    assert "Results of 4 of your e-mails:" in text
    assert all(f'"Bill {number}", 1.pdf: protected with a password' in text for number in range(4))
    mails = await known.store.mails.of_account(known.account.id, 10)
    assert all(one.answered_at is not None and one.due_at is None for one in mails)


async def test_mails_that_fail_within_the_hour_are_reported_together_after_it(known: Scene, outbox: FakeMailer) -> None:
    await through(known, failing(0))
    for number in (1, 2):
        await through(known, failing(number))
    assert len(outbox.messages) == 1
    for _ in range(7):
        known.clock.advance(600)
        await known.work()
    assert len(outbox.messages) == 2
    text = text_of(outbox.messages[1])
    assert '"Bill 1"' in text
    assert '"Bill 2"' in text
    assert '"Bill 0"' not in text


async def test_an_answer_that_comes_back_ends_the_circle(known: Scene, outbox: FakeMailer) -> None:
    await through(known, LOCKED)
    (answer,) = outbox.messages
    with pytest.raises(MailRefused) as refused:
        await known.receive(answer.as_bytes())
    assert refused.value.refusal is Refusal.LOOP
    # A vacation responder is a robot; one that hides it gets nothing within the hour.
    for header in ("Auto-Submitted: auto-replied\r\n", ""):
        reply = f"{header}From: anna@example.com\r\nMessage-ID: <{header[:3]}x@y>\r\n\r\nI am away.".encode()
        await through(known, reply)
    assert len(outbox.messages) == 1


async def test_who_sends_only_words_back_is_not_answered_again(known: Scene, outbox: FakeMailer) -> None:
    """A vacation responder that hides that it is one would get an answer every hour, and answer that."""
    await through(known, LOCKED)
    (answer,) = outbox.messages
    known.clock.advance(7200)
    head = f"From: anna@example.com\r\nIn-Reply-To: {answer['Message-ID']}\r\n"
    await through(known, f"{head}Message-ID: <2@x>\r\n\r\nI am away.".encode())
    assert len(outbox.messages) == 1
    # Who sends the document once more is told what became of it.
    await through(known, f"In-Reply-To: {answer['Message-ID']}\r\n".encode() + LOCKED.replace(b"<1@", b"<3@"))
    assert len(outbox.messages) == 2


async def test_a_mail_server_that_refuses_the_answer_stops_nothing(known: Scene, outbox: FakeMailer) -> None:
    outbox.refuses = True
    await through(known, LOCKED)
    (found,) = await known.store.mails.of_account(known.account.id, 10)
    assert (found.state, found.answered_at) == (MailState.DONE, None)


@pytest.mark.parametrize("message_id", ["<[1@x]>", "<1@x> <2@x>", "x", "<" + "a" * 300 + "@x>", "<a\u00e4@x>"])
async def test_a_strange_message_id_is_not_repeated(known: Scene, outbox: FakeMailer, message_id: str) -> None:
    await through(known, LOCKED.replace(b"<1@example.com>", message_id.encode()))
    (answer,) = outbox.messages
    assert "In-Reply-To" not in message_from_bytes(answer.as_bytes(), policy=policy.SMTP)


async def test_the_owner_is_notified_of_held_mails_once_a_day(
    store: Store, account: Account, scene: Scene, outbox: FakeMailer, clock: Clock
) -> None:
    notices = HeldNotices(store, outbox, ComposeHeld(parse_sender(OURS), "https://invoices.example.com/"), clock)

    async def hold(fingerprint: str) -> None:
        await add_mail(
            store, scene.address, fingerprint, state=MailState.HELD, held_for=HeldFor.SENDER, received_at=clock()
        )

    await hold("a")
    # There is nobody to tell.
    assert await notices.send() == 0
    await add_member(store, account, "viewer@example.com", Role.VIEWER)
    assert await notices.send() == 0
    await store.accounts.set_email(account.id, "owner@example.com")
    assert [await notices.send(), await notices.send()] == [1, 0]
    (notice,) = outbox.messages
    assert (notice["To"], notice["Subject"]) == ("owner@example.com", "1 e-mail is waiting for your decision")
    assert "https://invoices.example.com/app/mail" in notice.as_string()
    assert "anna" not in notice.as_string()
    clock.now = NOON + timedelta(days=1, hours=1)
    assert await notices.send() == 0
    await hold("b")
    assert await notices.send() == 1
    assert outbox.messages[1]["Subject"] == "2 e-mails are waiting for your decision"


async def test_the_owners_are_notified_where_there_is_no_address_for_notices(
    store: Store, account: Account, scene: Scene, outbox: FakeMailer, clock: Clock
) -> None:
    await add_member(store, account, "owner@example.com", Role.OWNER)
    await add_member(store, account, "reviewer@example.com", Role.REVIEWER)
    await add_mail(store, scene.address, "a", state=MailState.HELD, held_for=HeldFor.SENDER, received_at=clock())
    notices = HeldNotices(store, outbox, ComposeHeld(parse_sender(OURS), "https://invoices.example.com/"), clock)
    assert [await notices.send(), await notices.send()] == [1, 0]
    assert [message["To"] for message in outbox.messages] == ["owner@example.com"]
