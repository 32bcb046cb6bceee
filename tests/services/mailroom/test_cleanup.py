"""What is kept of a mail, and for how long; and what goes with an invoice or an account."""

from dataclasses import replace
from datetime import timedelta

import pytest

from serve_app.domain.account import Account
from serve_app.domain.ids import new_id
from serve_app.domain.inbound_mail import (
    PEER_LIFE,
    Confirmation,
    Heading,
    HeldFor,
    InboundMail,
    MailDocument,
    MailPart,
    MailState,
    Outcome,
    Verdict,
)
from serve_app.domain.mail_address import MailAddress
from serve_app.services.accounts.erase import AccountEraser
from serve_app.services.invoices.erase import InvoiceEraser
from serve_app.services.mailroom.cleanup import MailCleanup
from serve_app.store.base import Files, Store
from tests.services.mailroom.conftest import RAW_LIFE
from tests.support import NOON, Clock, queue_new
from tests.support.inbound import PLAIN, add_mail

HEADING = Heading("anna@example.com", "Anna", "The secret subject", "<1@example.com>", "today", True, "c@example.com")
PARTS = (
    MailPart("1", Outcome.LINKS, "A text.", None, "text/plain", 9, "00", links=("https://example.com/secret",)),
    MailPart("2", Outcome.INVOICE, "", "secret.pdf", "application/pdf", 7, "11"),
)


@pytest.fixture
def cleanup(store: Store, files: Files, clock: Clock) -> MailCleanup:
    return MailCleanup(store.mails, files, RAW_LIFE, clock)


async def kept_mail(store: Store, files: Files, address: MailAddress, **changes: object) -> InboundMail:
    changes = {
        "state": MailState.DONE, "due_at": None, "heading": HEADING, "verdict": Verdict(("example.com",), ("Passed.",)),
        "confirmation": Confirmation("Gmail", "1"), "parts": PARTS, "care_at": NOON + PEER_LIFE,
    } | changes  # fmt: skip
    mail = await add_mail(store, address, str(new_id()), **changes)
    await files.write(mail.file_key, PLAIN)
    return mail


async def test_the_senders_address_goes_first_and_then_the_texts(
    store: Store, files: Files, account: Account, address: MailAddress, cleanup: MailCleanup, clock: Clock
) -> None:
    mail = await kept_mail(store, files, address)
    clock.now = NOON + PEER_LIFE
    assert await cleanup.run_round() == 1
    after_a_week = await store.mails.get(account.id, mail.id)
    assert after_a_week is not None
    assert (after_a_week.envelope.peer, after_a_week.envelope.sender) == (None, "anna@example.com")
    assert after_a_week.heading == HEADING
    assert await cleanup.run_round() == 0
    clock.now = NOON + RAW_LIFE
    assert await cleanup.run_round() == 1
    left = await store.mails.get(account.id, mail.id)
    assert left is not None
    assert "secret" not in repr(left)
    assert "anna" not in repr(left)
    assert [(part.outcome, part.sha256) for part in left.parts] == [(Outcome.LINKS, "00"), (Outcome.INVOICE, "11")]
    assert (left.state, left.has_raw, left.care_at) == (MailState.DONE, False, None)
    assert await files.keys_in("mails") == []


@pytest.mark.parametrize(
    ("state", "held_for", "is_kept"),
    [
        (MailState.QUEUED, None, True),
        (MailState.READING, None, True),
        (MailState.HELD, HeldFor.QUOTA, True),
        (MailState.HELD, HeldFor.SENDER, False),
        (MailState.DISCARDED, None, False),
    ],
)
async def test_a_mail_with_work_before_it_keeps_its_bytes(
    store: Store,
    files: Files,
    account: Account,
    address: MailAddress,
    cleanup: MailCleanup,
    clock: Clock,
    state: MailState,
    held_for: HeldFor | None,
    is_kept: bool,
) -> None:
    mail = await kept_mail(store, files, address, state=state, held_for=held_for)
    clock.now = NOON + RAW_LIFE
    await cleanup.run_round()
    assert bool(await files.keys_in("mails")) is is_kept
    left = await store.mails.get(account.id, mail.id)
    assert left is not None
    assert left.state is (state if is_kept else MailState.DISCARDED)


async def test_a_deleted_invoice_takes_the_bytes_of_its_mails_with_it(
    store: Store, files: Files, account: Account, address: MailAddress, clock: Clock
) -> None:
    record = await queue_new(store, account.id)
    invoice_id = record.invoice.id
    parts = (PARTS[0], replace(PARTS[1], invoice_id=invoice_id))
    mail = await kept_mail(store, files, address, parts=parts)
    copy = await kept_mail(store, files, address, parts=(replace(parts[1], outcome=Outcome.SAME_FILE),))
    other = await kept_mail(store, files, address)
    note = MailDocument(account.id, "11", mail.id, "2", invoice_id, NOON)
    await store.mail_documents.claim(note, NOON)
    await InvoiceEraser(store, files, clock).erase(account.id, invoice_id)
    assert await files.keys_in("mails") == [other.file_key]
    for each in (mail, copy):
        left = await store.mails.get(account.id, each.id)
        assert left is not None
        assert "secret" not in repr(left)
        assert not left.has_raw
        assert left.parts[-1] == MailPart(left.parts[-1].path, Outcome.ERASED, "", None, "application/pdf", 7)
    later = replace(note, mail_id=other.id)
    assert await store.mail_documents.claim(later, NOON) == later


async def test_an_account_takes_its_mails_with_it_whatever_their_state(
    store: Store, files: Files, account: Account, address: MailAddress, clock: Clock
) -> None:
    for state in MailState:
        await kept_mail(store, files, address, state=state)
    erased = await AccountEraser(store, files, clock).erase(account.id)
    assert erased.mails == len(MailState)
    assert await files.keys_in("mails") == []
    assert await store.mails.of_account(account.id, 1) == []
    assert await store.mail_addresses.find(address.local) is None


async def test_a_crash_while_an_account_is_erased_is_made_good(
    store: Store, files: Files, account: Account, address: MailAddress, cleanup: MailCleanup, clock: Clock
) -> None:
    mail = await kept_mail(store, files, address, state=MailState.PENDING_DELETION, care_at=NOON + timedelta(days=1))
    clock.now = NOON + timedelta(days=1)
    assert await cleanup.run_round() == 1
    assert await files.keys_in("mails") == []
    assert await store.mails.of_account(account.id, 1) == []
    assert not await store.mails.remove(mail)
