"""Mails that come in: one row for each, worked on by one process at a time."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from serve_app.domain.account import Account, Plan
from serve_app.domain.due import Due
from serve_app.domain.ids import new_id
from serve_app.domain.inbound_mail import (
    AUTOMATIC_LIFE,
    SAME_FILE_WINDOW,
    Confirmation,
    DayLimits,
    Heading,
    HeldFor,
    MailDocument,
    MailPart,
    MailQuery,
    MailState,
    Outcome,
    Verdict,
)
from serve_app.domain.mail_address import Answering, Bodies, SenderPolicy
from serve_app.store.base import Store
from tests.support import LEASE, NOON, Clock
from tests.support.inbound import ABANDONED_AFTER, MANY, a_mail, add_address, add_mail, an_address


async def test_an_address_is_found_as_it_was_added(store: Store, account: Account) -> None:
    rules = {
        "label": "Berlin", "entity_tag": "B", "policy": SenderPolicy.LISTED, "allowed": ("example.com",),
        "denied": ("spam@example.net",), "bodies": Bodies.NEVER, "answering": Answering.ALWAYS, "ends_at": NOON,
        "ignored_pictures": ("00",),
    }  # fmt: skip
    address = an_address(account.id, **rules)
    await store.mail_addresses.add(address)
    assert await store.mail_addresses.find(address.local) == address
    assert await store.mail_addresses.get(account.id, address.id) == address
    assert await store.mail_addresses.get(new_id(), address.id) is None
    assert await store.mail_addresses.find("nobody") is None
    newer = await add_address(store, account.id)
    assert await store.mail_addresses.of_account(account.id) == [newer, address]


async def test_a_change_of_an_address_does_not_undo_another(store: Store, account: Account) -> None:
    address = await add_address(store, account.id)
    assert await store.mail_addresses.save(replace(address, label="one"))
    assert not await store.mail_addresses.save(replace(address, label="two"))
    found = await store.mail_addresses.find(address.local)
    assert found is not None
    assert (found.label, found.revision) == ("one", 1)


async def test_a_mail_is_kept_as_it_was_saved(store: Store, account: Account) -> None:
    address = await add_address(store, account.id)
    mail = await add_mail(
        store,
        address,
        state=MailState.HELD,
        held_for=HeldFor.SENDER,
        is_admitted=True,
        entity_tag="B",
        heading=Heading("a@b.example", "Änne", "Rechnung", "<1@b>", "today", True, "c@d.example"),
        verdict=Verdict(("b.example",), ("DKIM of b.example passed.",)),
        confirmation=Confirmation("Gmail", "123", "https://mail.google.com/x"),
        parts=(MailPart("1", Outcome.LINKS, "Why", "n.pdf", "text/html", 7, "00", new_id(), True, ("https://x",)),),
        has_raw=False,
        answered_at=NOON,
    )
    assert await store.mails.get(account.id, mail.id) == mail
    assert await store.mails.get(new_id(), mail.id) is None


async def test_the_same_mail_has_one_row_however_often_it_arrives(
    store: Store, account: Account, open_again: Callable[[], Store]
) -> None:
    address = await add_address(store, account.id)
    stores = [store, open_again()]
    reserved = await asyncio.gather(
        *(stores[number % 2].mails.reserve(a_mail(address), NOON, MANY) for number in range(8))
    )
    assert len({mail.id for mail in reserved if mail}) == 1
    newest = max((mail for mail in reserved if mail), key=lambda mail: mail.revision)
    queued = await store.mails.save(replace(newest, state=MailState.QUEUED))
    again = await store.mails.reserve(a_mail(address), NOON, MANY)
    assert again == queued
    elsewhere = await store.mails.reserve(a_mail(await add_address(store, account.id)), NOON, MANY)
    assert elsewhere is not None
    assert elsewhere.id != newest.id


async def test_a_reservation_that_is_taken_over_is_no_longer_its_first_owners(store: Store, account: Account) -> None:
    address = await add_address(store, account.id)
    first = await store.mails.reserve(a_mail(address), NOON, MANY)
    later = a_mail(address, at=NOON + timedelta(minutes=5))
    second = await store.mails.reserve(later, NOON, MANY)
    assert first is not None
    assert second is not None
    assert (second.id, second.care_at) == (first.id, later.care_at)
    assert await store.mails.save(replace(first, state=MailState.PENDING_DELETION)) is None
    assert await store.mails.save(replace(second, state=MailState.QUEUED)) is not None


@pytest.mark.parametrize("limits", [DayLimits(3, 10**9), DayLimits(1000, 399)])
async def test_an_address_takes_so_many_mails_and_bytes_a_day(
    store: Store, account: Account, limits: DayLimits
) -> None:
    address = await add_address(store, account.id)
    yesterday = NOON - timedelta(days=1)
    assert await store.mails.reserve(a_mail(address, "old", yesterday), yesterday, limits)
    since = NOON - timedelta(hours=1)
    taken = [await store.mails.reserve(a_mail(address, str(number)), since, limits) for number in range(4)]
    assert [mail is not None for mail in taken] == [True, True, True, False]
    assert not await store.mails.has_room(address.id, 100, since, limits)
    assert await store.mails.has_room(address.id, 100, NOON + timedelta(seconds=1), limits)
    assert not await store.mails.has_room(address.id, limits.size + 1, NOON + timedelta(seconds=1), limits)
    # What is known already takes nothing.
    assert await store.mails.reserve(a_mail(address, "0"), since, limits) is not None


async def test_one_process_works_on_a_mail(
    store: Store, account: Account, clock: Clock, open_again: Callable[[], Store]
) -> None:
    address = await add_address(store, account.id)
    later = await add_mail(store, address, "b", due_at=NOON)
    sooner = await add_mail(store, address, "a", due_at=NOON - timedelta(seconds=1))
    await add_mail(store, address, "c", due_at=NOON + timedelta(seconds=60))
    await add_mail(store, address, "d", due_at=None)
    stores = [store, open_again()]
    claims = await asyncio.gather(*(stores[number % 2].mails.claim_due(LEASE) for number in range(4)))
    assert sorted((mail.id for mail in claims if mail), key=str) == sorted((later.id, sooner.id), key=str)
    clock.advance(31)
    again = await store.mails.claim_due(LEASE)
    assert again is not None
    assert again.claims == 2
    # The worker that was taken for dead changes nothing any more.
    dead = next(mail for mail in claims if mail is not None and mail.id == again.id)
    assert not await store.mails.renew(dead, LEASE)
    assert await store.mails.renew(again, 2 * LEASE)
    assert await store.mails.save(replace(dead, state=MailState.DONE)) is None
    done = await store.mails.save(replace(again, state=MailState.DONE, due_at=None, claims=0))
    assert done is not None
    assert done.revision == again.revision + 1


async def test_who_has_waited_longest_is_first(store: Store, account: Account) -> None:
    address = await add_address(store, account.id)
    mails = [await add_mail(store, address, str(n), due_at=NOON - timedelta(seconds=n)) for n in range(3)]
    claimed = [await store.mails.claim_due(LEASE) for _ in range(3)]
    assert [mail and mail.id for mail in claimed] == [mail.id for mail in reversed(mails)]


async def test_accounts_take_turns_however_many_mails_one_has(store: Store, account: Account) -> None:
    others = [Account(new_id(), Plan.FREE, NOON) for _ in range(2)]
    for other in others:
        await store.accounts.add(other)
    for owner, count in ((account, 20), (others[0], 1), (others[1], 2)):
        address = await add_address(store, owner.id)
        for number in range(count):
            await add_mail(store, address, str(number), due_at=NOON - timedelta(seconds=count + number))
    served, after = [], None
    for _ in range(6):
        claim = await store.mails.claim_due(LEASE, after)
        assert claim is not None
        after = claim.account_id
        served.append(claim.account_id)
    assert set(served[:3]) == {account.id, *(other.id for other in others)}
    assert set(served[3:5]) == {account.id, others[1].id}
    assert served[5] == account.id


async def test_mails_are_listed_by_words_problems_and_open_answers(store: Store, account: Account) -> None:
    address = await add_address(store, account.id)
    part = MailPart("1", Outcome.UNREADABLE, "damaged", name="Größe.pdf")
    heading = Heading("anna@shop.test", "Anna", "50% (Zürich)")
    bad = await add_mail(
        store, address, "a", state=MailState.DONE, problems=1, parts=(part,), heading=heading, due_at=NOON
    )
    good = await add_mail(store, address, "b", state=MailState.DONE, due_at=None)
    assert (await store.mails.get(account.id, bad.id), bad.problems) == (bad, 1)
    for query, expected in (
        (MailQuery(has_problems=True), [bad]),
        (MailQuery(awaits_answer=True), [bad]),
        (MailQuery(words="GRÖSSE.PDF"), [bad]),
        (MailQuery(words="50% (zurich)"), [bad]),
        (MailQuery(words="damaged"), []),
        (MailQuery(words="example.com"), [good, bad]),
        (MailQuery(words="shop.test", has_problems=True, state=MailState.DONE, address_id=address.id), [bad]),
    ):
        assert list((await store.mails.page(account.id, query, 10)).items) == expected, query
    assert not (await store.mails.page(account.id, MailQuery(has_problems=True), 10, bad.id)).items


async def test_what_is_to_be_removed_is_found_in_time(store: Store, account: Account) -> None:
    address = await add_address(store, account.id)
    arriving = await store.mails.reserve(a_mail(address), NOON, MANY)
    await add_mail(store, address, "other", care_at=None)
    assert await store.mails.due_for_cleanup(NOON + ABANDONED_AFTER - timedelta(seconds=1), 10) == []
    assert await store.mails.due_for_cleanup(NOON + ABANDONED_AFTER, 10) == [arriving]


async def test_only_a_mail_pending_deletion_is_removed(store: Store, account: Account) -> None:
    address = await add_address(store, account.id)
    mail = await add_mail(store, address)
    note = MailDocument(account.id, "00", mail.id, "1", new_id(), NOON)
    await store.mail_documents.claim(note, NOON)
    assert not await store.mails.remove(mail)
    pending = await store.mails.save(replace(mail, state=MailState.PENDING_DELETION))
    assert pending is not None
    assert await store.mails.get(account.id, mail.id) is None
    assert await store.mails.remove(pending)
    assert not await store.mails.remove(pending)
    assert await store.mails.of_account(account.id, 10) == []
    other = replace(note, mail_id=new_id())
    assert await store.mail_documents.claim(other, NOON) == other


async def test_mails_are_listed_newest_first(store: Store, account: Account) -> None:
    one, two = await add_address(store, account.id), await add_address(store, account.id)
    mails = [await add_mail(store, one, str(number)) for number in range(3)]
    held = await add_mail(store, two, state=MailState.HELD, held_for=HeldFor.SENDER)
    await store.mails.reserve(a_mail(two, "arriving"), NOON, MANY)
    page = await store.mails.page(account.id, MailQuery(), 3)
    assert (list(page.items), page.has_more) == ([held, *mails[:0:-1]], True)
    rest = await store.mails.page(account.id, MailQuery(), 3, page.items[-1].id)
    assert (list(rest.items), rest.has_more) == ([mails[0]], False)
    for query in (MailQuery(MailState.HELD), MailQuery(held_for=HeldFor.SENDER), MailQuery(address_id=two.id)):
        assert list((await store.mails.page(account.id, query, 10)).items) == [held]
    assert list((await store.mails.page(new_id(), MailQuery(), 10)).items) == []


async def test_accounts_with_held_mails_are_found(store: Store, account: Account) -> None:
    other = Account(new_id(), Plan.FREE, NOON)
    await store.accounts.add(other)
    for each, held_for in ((account, HeldFor.SENDER), (other, HeldFor.SENDER), (account, HeldFor.QUOTA)):
        address = await add_address(store, each.id)
        for number in range(2):
            await add_mail(store, address, str(number), state=MailState.HELD, held_for=held_for)
    assert await store.mails.accounts_with_held(10) == [account.id, other.id]
    assert await store.mails.accounts_with_held(10, account.id) == [other.id]
    assert await store.mails.accounts_with_held(1) == [account.id]


async def test_an_invoice_leads_to_its_mails(store: Store, account: Account) -> None:
    address, invoice_id = await add_address(store, account.id), new_id()
    parts = (MailPart("1", Outcome.INVOICE, invoice_id=invoice_id), MailPart("2", Outcome.SAME_FILE))
    mail = await add_mail(store, address, parts=parts)
    await add_mail(store, address, "other", parts=(MailPart("1", Outcome.INVOICE, invoice_id=new_id()),))
    assert await store.mails.of_invoice(account.id, invoice_id) == [mail]
    assert await store.mails.of_invoice(new_id(), invoice_id) == []
    await store.mails.save(replace(mail, parts=()))
    assert await store.mails.of_invoice(account.id, invoice_id) == []


async def test_a_file_belongs_to_the_first_mail_that_brought_it(
    store: Store, account: Account, open_again: Callable[[], Store]
) -> None:
    notes = [MailDocument(account.id, "00", new_id(), str(number), new_id(), NOON) for number in range(4)]
    stores, since = [store, open_again()], NOON - SAME_FILE_WINDOW
    stand = await asyncio.gather(
        *(stores[number % 2].mail_documents.claim(note, since) for number, note in enumerate(notes))
    )
    first = stand[0]
    assert all(note == first for note in stand)
    assert first in notes
    late = replace(notes[3], received_at=NOON + SAME_FILE_WINDOW + timedelta(seconds=1), mail_id=new_id())
    assert await store.mail_documents.claim(late, late.received_at - SAME_FILE_WINDOW) == late
    await store.mail_documents.forget(account.id, late.invoice_id)
    assert await store.mail_documents.claim(notes[0], since) == notes[0]
    other = replace(notes[1], account_id=new_id())
    assert await store.mail_documents.claim(other, since) == other
    await store.upkeep.expire(NOON + SAME_FILE_WINDOW + timedelta(seconds=1))
    assert await store.mail_documents.claim(notes[2], since) == notes[2]


async def test_a_picture_is_counted_once_for_each_mail_of_a_sender(
    store: Store, account: Account, open_again: Callable[[], Store]
) -> None:
    stores, mails = [store, open_again()], [new_id() for _ in range(5)]
    counts = await asyncio.gather(
        *(stores[number % 2].mail_pictures.note(account.id, "a", "00", mails[number // 2], NOON) for number in range(4))
    )
    assert sorted(counts)[-1] == 2
    assert await store.mail_pictures.note(account.id, "a", "00", mails[1], NOON) == 2
    assert [await store.mail_pictures.note(account.id, "a", "00", mail, NOON) for mail in mails[2:]] == [3, 3, 3]
    assert await store.mail_pictures.note(account.id, "b", "00", mails[0], NOON) == 1
    assert await store.mail_pictures.note(account.id, "a", "01", mails[0], NOON) == 1
    assert await store.mail_pictures.note(new_id(), "a", "00", mails[0], NOON) == 1
    later = NOON + SAME_FILE_WINDOW
    assert await store.mail_pictures.note(account.id, "b", "00", mails[1], later) == 1
    assert await store.upkeep.expire(later) >= 1
    assert await store.mail_pictures.note(account.id, "a", "00", mails[0], NOON) == 1


async def test_mails_of_the_service_itself_are_limited(
    store: Store, account: Account, open_again: Callable[[], Store]
) -> None:
    limits = ((timedelta(hours=1), 1), (timedelta(days=1), 2))
    stores = [store, open_again()]
    taken = await asyncio.gather(
        *(stores[number % 2].automatic_mails.take(account.id, "a", NOON, limits) for number in range(4))
    )
    assert sorted(taken) == [False, False, False, True]
    assert await store.automatic_mails.take(account.id, "b", NOON, limits)
    assert await store.automatic_mails.take(new_id(), "a", NOON, limits)
    hours = [await store.automatic_mails.take(account.id, "a", NOON + timedelta(hours=n), limits) for n in range(1, 25)]
    assert hours == [True, *[False] * 22, True]
    assert await store.upkeep.expire(NOON + timedelta(days=10)) >= 1
    assert await store.automatic_mails.take(account.id, "a", NOON + AUTOMATIC_LIFE, limits)


async def test_an_account_goes_with_all_of_it_once_it_has_no_mails(store: Store, account: Account) -> None:
    address = await add_address(store, account.id)
    mail = await add_mail(store, address)
    limits = ((timedelta(days=1), 1),)
    await store.mail_documents.claim(MailDocument(account.id, "00", new_id(), "1", new_id(), NOON), NOON)
    assert await store.automatic_mails.take(account.id, "a", NOON, limits)
    assert await store.mail_pictures.note(account.id, "a", "00", new_id(), NOON) == 1
    with pytest.raises(ValueError, match="mails"):
        await store.erasure.account(account.id)
    pending = await store.mails.save(replace(mail, state=MailState.PENDING_DELETION))
    assert pending is not None
    await store.mails.remove(pending)
    await store.erasure.account(account.id)
    assert await store.mail_addresses.find(address.local) is None
    new = MailDocument(account.id, "00", new_id(), "2", new_id(), NOON)
    assert await store.mail_documents.claim(new, NOON) == new
    assert await store.mail_pictures.note(account.id, "a", "00", new_id(), NOON) == 1
    assert await store.automatic_mails.take(account.id, "a", NOON, limits)


async def test_what_is_due_is_counted(store: Store, account: Account, clock: Clock) -> None:
    assert await store.mails.due() == Due(0, None)
    address = await add_address(store, account.id)
    for fingerprint in "ab":
        await add_mail(store, address, fingerprint)
    assert await store.mails.due() == Due(2, NOON)
    await store.mails.claim_due(LEASE)
    assert await store.mails.due() == Due(1, NOON)


@pytest.mark.parametrize("is_claimed", [True, False])
async def test_a_mail_does_not_wait_for_a_clock_that_was_set_back(
    store: Store, account: Account, clock: Clock, is_claimed: bool
) -> None:
    """Neither one whose worker died, nor one that was to be looked at again soon; one that is held waits."""
    address = await add_address(store, account.id)
    soon = NOON if is_claimed else NOON + timedelta(seconds=30)
    waiting = await add_mail(store, address, "waiting", due_at=soon)
    held = await add_mail(store, address, "held", state=MailState.HELD, due_at=NOON + timedelta(hours=1))
    if is_claimed:
        await store.mails.claim_due(LEASE)
    clock.advance(-3600)
    await store.upkeep.expire(clock.now)
    again = await store.mails.claim_due(LEASE)
    assert again is not None
    assert again.id == waiting.id != held.id
    assert await store.mails.claim_due(LEASE) is None
