"""A mail is accepted once it cannot be lost, and the same mail once only."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta

import pytest

from serve_app.domain.account import Account, Plan
from serve_app.domain.errors import OutcomeUnknown, QueueTooLong, StoreUnreachable, Unavailable
from serve_app.domain.ids import new_id
from serve_app.domain.inbound_mail import DayLimits, Envelope, InboundMail, MailQuery, MailState, mail_key_of
from serve_app.domain.mail_address import MailAddress
from serve_app.domain.mail_refusals import MailRefused, Refusal
from serve_app.services.mailroom.cleanup import MailCleanup
from serve_app.services.mailroom.mails import MailService
from serve_app.services.mailroom.reception import Receipt, Reception, ReceptionLimits
from serve_app.settings import Settings
from serve_app.store.base import Files, Mails, Store
from serve_app.wiring.mailroom import build_mailroom
from tests.services.mailroom.conftest import OURS, RAW_LIFE
from tests.support import NOON, Clock, queue_new
from tests.support.databases import KINDS
from tests.support.inbound import ABANDONED_AFTER, MANY, PLAIN, add_address


@pytest.fixture(params=KINDS)
def store_kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@dataclass
class Failing:
    """Mails or files whose call `name` fails with `error`, once, before or after it is done."""

    of: Mails | Files
    name: str
    error: Exception
    is_done: bool = False
    calls: list[str] = field(default_factory=list)

    def __getattr__(self, name: str) -> object:
        async def call(*values: object) -> object:
            self.calls.append(name)
            if name != self.name or self.calls.count(name) > 1:
                return await getattr(self.of, name)(*values)
            if self.is_done:
                await getattr(self.of, name)(*values)
            raise self.error

        return call


async def refusal(reception: Reception, raw: bytes, envelope: Envelope) -> Refusal:
    with pytest.raises(MailRefused) as raised:
        await reception.receive(raw, envelope)
    return raised.value.refusal


async def shown(store: Store, account: Account) -> list[InboundMail]:
    return list((await store.mails.page(account.id, MailQuery(), 100)).items)


async def test_an_accepted_mail_is_kept_with_its_bytes(
    store: Store, files: Files, account: Account, reception: Reception, envelope: Envelope, mails: MailService
) -> None:
    receipt = await reception.receive(PLAIN, envelope)
    (mail,) = await shown(store, account)
    assert receipt.is_new
    assert (mail.id, mail.state, mail.size, mail.due_at) == (receipt.mail_id, MailState.QUEUED, len(PLAIN), NOON)
    assert mail.envelope == envelope
    assert await mails.raw(account.id, mail.id) == PLAIN
    assert await files.keys_in("mails") == [mail_key_of(account.id, mail.id)]


async def test_a_mail_whose_documents_would_wait_too_long_stays_with_its_sender(
    store: Store, files: Files, account: Account, envelope: Envelope, clock: Clock, settings: Settings
) -> None:
    await queue_new(store, account.id)
    clock.advance(61)
    reception = build_mailroom(store, files, settings.model_copy(update={"max_wait_seconds": 60.0}), clock).reception
    for ask in (reception.expect(envelope.recipient), reception.receive(PLAIN, envelope)):
        with pytest.raises(QueueTooLong):
            await ask
    assert await shown(store, account) == []
    assert await files.keys_in("mails") == []
    outsider = Account(new_id(), Plan.FREE, NOON)
    await store.accounts.add(outsider)
    other = await add_address(store, outsider.id)
    await reception.receive(PLAIN, replace(envelope, recipient=f"{other.local}@in.example.com"))


async def test_the_same_mail_again_gets_the_same_receipt(
    store: Store, account: Account, reception: Reception, envelope: Envelope
) -> None:
    first = await reception.receive(PLAIN, envelope)
    hop = b"Received: from mx2.example.com\r\nX-Checked: yes\r\n"
    folded = PLAIN.replace(b"From: Anna ", b"From: Anna\r\n ")
    for again in (PLAIN, hop + PLAIN, folded):
        receipt = await reception.receive(again, replace(envelope, peer="192.0.2.2"))
        assert receipt == replace(first, is_new=False)
    others = [PLAIN + b"more", PLAIN.replace(b"<1@", b"<2@"), PLAIN.replace(b"Anna", b"Bert")]
    receipts = [await reception.receive(other, envelope) for other in others]
    assert all(receipt.is_new for receipt in receipts)
    assert len(await shown(store, account)) == 4


async def test_the_same_mail_at_two_processes_at_once_is_kept_once(
    store: Store,
    files: Files,
    account: Account,
    reception: Reception,
    envelope: Envelope,
    clock: Clock,
    open_again: Callable[[], Store],
) -> None:
    other = open_again()
    second = Reception(
        other.mail_addresses, other.mails, files, ReceptionLimits(10_000_000, MANY, ABANDONED_AFTER), OURS, clock
    )
    calls = (each.receive(PLAIN, envelope) for each in (reception, second) * 4)
    receipts = await asyncio.gather(*calls, return_exceptions=True)
    assert {type(receipt) for receipt in receipts} <= {Receipt, StoreUnreachable}
    ids = {receipt.mail_id for receipt in receipts if isinstance(receipt, Receipt)}
    assert ids == {mail.id for mail in await shown(store, account)}
    assert len(ids) == len(await files.keys_in("mails")) == 1


async def test_a_tag_becomes_the_entity_tag(
    store: Store, account: Account, reception: Reception, address: MailAddress, envelope: Envelope
) -> None:
    await store.mail_addresses.save(replace(address, entity_tag="default"))
    await reception.receive(PLAIN, envelope)
    tagged = replace(envelope, recipient=f"{address.local.upper()}+Berlin@elsewhere.example")
    await reception.receive(PLAIN + b"2", tagged)
    assert [mail.entity_tag for mail in await shown(store, account)] == ["Berlin", "default"]


@pytest.mark.parametrize("recipient", ["nobody@in.example.com", "", "@", "a@b@c", "+tag@in.example.com", "\u00e4"])
async def test_an_unknown_address_is_refused(reception: Reception, envelope: Envelope, recipient: str) -> None:
    assert await refusal(reception, PLAIN, replace(envelope, recipient=recipient)) is Refusal.UNKNOWN_ADDRESS


async def test_an_address_that_was_changed_says_so(
    store: Store, reception: Reception, address: MailAddress, envelope: Envelope, clock: Clock
) -> None:
    await store.mail_addresses.save(replace(address, ends_at=NOON + timedelta(days=30)))
    assert (await reception.receive(PLAIN, envelope)).is_new
    clock.advance(30 * 24 * 3600)
    assert await refusal(reception, PLAIN, envelope) is Refusal.ADDRESS_CHANGED


async def test_what_is_too_large_or_goes_in_circles_is_refused(
    store: Store, files: Files, account: Account, reception: Reception, envelope: Envelope
) -> None:
    small = Reception(
        store.mail_addresses, store.mails, files, ReceptionLimits(len(PLAIN), MANY, ABANDONED_AFTER), OURS
    )
    assert await refusal(small, PLAIN + b"x", envelope) is Refusal.TOO_LARGE
    hops = b"".join(b"received: from %d\r\n" % number for number in range(31))
    assert await refusal(reception, hops + PLAIN, envelope) is Refusal.LOOP
    assert await refusal(reception, b"X-Loop: " + OURS.upper().encode() + b"\r\n" + PLAIN, envelope) is Refusal.LOOP
    # In the body both are only text.
    assert (await reception.receive(PLAIN + hops + b"X-Loop: " + OURS.encode(), envelope)).is_new
    assert len(await shown(store, account)) == len(await files.keys_in("mails")) == 1


async def test_an_address_over_its_rate_takes_more_tomorrow(
    store: Store, files: Files, envelope: Envelope, clock: Clock
) -> None:
    limits = ReceptionLimits(10_000, DayLimits(2, 10**6), ABANDONED_AFTER)
    reception = Reception(store.mail_addresses, store.mails, files, limits, OURS, clock)
    for number in range(2):
        await reception.receive(PLAIN + b"%d" % number, envelope)
    assert await refusal(reception, PLAIN, envelope) is Refusal.OVER_RATE
    assert not Refusal.OVER_RATE.is_permanent
    assert len(await files.keys_in("mails")) == 2
    clock.advance(12 * 3600)
    assert (await reception.receive(PLAIN, envelope)).is_new


@pytest.mark.parametrize("is_done", [False, True])
@pytest.mark.parametrize(("part", "name"), [("mails", "reserve"), ("files", "write"), ("mails", "save")])
@pytest.mark.parametrize("error", [StoreUnreachable(), OutcomeUnknown()])
async def test_what_fails_before_the_answer_is_shown_to_nobody_and_works_again(
    store: Store,
    files: Files,
    account: Account,
    envelope: Envelope,
    clock: Clock,
    part: str,
    name: str,
    is_done: bool,
    error: Unavailable,
) -> None:
    failing = Failing(store.mails if part == "mails" else files, name, error, is_done)
    limits = ReceptionLimits(10_000, MANY, ABANDONED_AFTER)
    given = {"mails": store.mails, "files": files, part: failing}
    reception = Reception(store.mail_addresses, given["mails"], given["files"], limits, OURS, clock)  # type: ignore[arg-type]
    with pytest.raises(Unavailable):
        await reception.receive(PLAIN, envelope)
    was_queued = name == "save" and is_done
    assert len(await shown(store, account)) == was_queued
    # Sent again, it is accepted; and if not, nothing of it stays.
    receipt = await reception.receive(PLAIN, envelope)
    assert receipt.is_new is not was_queued
    (mail,) = await shown(store, account)
    assert await files.read(mail.file_key) == PLAIN


@pytest.mark.parametrize("error_at", ["write", "save"])
async def test_a_mail_that_is_not_sent_again_leaves_nothing(
    store: Store, files: Files, account: Account, envelope: Envelope, clock: Clock, error_at: str
) -> None:
    mails, kept = store.mails, files
    if error_at == "write":
        kept = Failing(files, "write", StoreUnreachable(), is_done=True)  # type: ignore[assignment]
    else:
        mails = Failing(store.mails, "save", StoreUnreachable())  # type: ignore[assignment]
    limits = ReceptionLimits(10_000, MANY, ABANDONED_AFTER)
    reception = Reception(store.mail_addresses, mails, kept, limits, OURS, clock)
    with pytest.raises(Unavailable):
        await reception.receive(PLAIN, envelope)
    cleanup = MailCleanup(store.mails, files, RAW_LIFE, clock)
    assert await cleanup.run_round() == 0
    assert len(await files.keys_in("mails")) == 1
    clock.advance(ABANDONED_AFTER.total_seconds())
    assert await cleanup.run_round() == 1
    assert await files.keys_in("mails") == []
    assert await store.mails.of_account(account.id, 10) == []


async def test_a_mail_that_is_being_removed_is_to_be_sent_again(
    store: Store, account: Account, reception: Reception, envelope: Envelope
) -> None:
    await reception.receive(PLAIN, envelope)
    (mail,) = await shown(store, account)
    pending = await store.mails.save(replace(mail, state=MailState.PENDING_DELETION))
    with pytest.raises(StoreUnreachable):
        await reception.receive(PLAIN, envelope)
    assert pending is not None
    await store.mails.remove(pending)
    assert (await reception.receive(PLAIN, envelope)).is_new


async def test_mails_without_headers_are_distinguished(reception: Reception, envelope: Envelope) -> None:
    first, second, again = [await reception.receive(raw, envelope) for raw in (b"Hello", b"Good day", b"Hello")]
    assert first.mail_id != second.mail_id
    assert again.mail_id == first.mail_id
