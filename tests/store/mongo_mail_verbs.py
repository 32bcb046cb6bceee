"""What a call about mails confirms, and how to see that it stays."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from serve_app.domain.ids import new_id
from serve_app.domain.inbound_mail import HeldFor, MailDocument, MailPart, MailState, Outcome
from serve_app.domain.mail_address import MailAddress
from serve_app.services.mailroom.addresses import AddressService
from serve_app.services.mailroom.mails import MailService
from serve_app.store.base import Store
from serve_app.store.files import FolderFiles
from tests.store.mongo_scene import IsKept, Scene
from tests.support import LEASE, NOON
from tests.support.inbound import MANY, a_mail, add_address, add_mail, an_address


async def a_mail_address(scene: Scene) -> IsKept:
    address = an_address(scene.account.id)
    await scene.confirmed(lambda: scene.store.mail_addresses.add(address))

    async def is_kept() -> bool:
        return await scene.sound.mail_addresses.find(address.local) == address

    return is_kept


async def a_changed_address(scene: Scene) -> IsKept:
    address = await add_address(scene.sound, scene.account.id)

    service = AddressService(scene.store.mail_addresses, "in.example.com", scene.clock)
    await scene.confirmed(lambda: service.retire(scene.account.id, address.id))

    async def is_kept() -> bool:
        found = await scene.sound.mail_addresses.find(address.local)
        return found is not None and found.ends_at == NOON

    return is_kept


async def _accept(store: Store, address: MailAddress) -> MailState:
    """What receiving a mail does, apart from its bytes: the state of its row."""
    reserved = await store.mails.reserve(a_mail(address), NOON, MANY)
    assert reserved is not None
    if reserved.state is not MailState.ARRIVING:
        return reserved.state
    queued = await store.mails.save(replace(reserved, state=MailState.QUEUED, due_at=NOON))
    return MailState.ARRIVING if queued is None else queued.state


async def a_received_mail(scene: Scene) -> IsKept:
    address = await add_address(scene.sound, scene.account.id)
    accepted = await scene.confirmed(lambda: _accept(scene.store, address))

    async def is_kept() -> bool:
        mails = await scene.sound.mails.of_account(scene.account.id, 10)
        return accepted is MailState.ARRIVING or [mail.state for mail in mails] == [MailState.QUEUED]

    return is_kept


async def a_mail_that_comes_again(scene: Scene) -> IsKept:
    """The first call died before it knew whether the mail was queued."""
    address = await add_address(scene.sound, scene.account.id)
    await scene.sound.mails.reserve(a_mail(address), NOON, MANY)
    accepted = await scene.confirmed(lambda: _accept(scene.store, address))

    async def is_kept() -> bool:
        mails = await scene.sound.mails.of_account(scene.account.id, 10)
        return accepted is MailState.ARRIVING or [mail.state for mail in mails] == [MailState.QUEUED]

    return is_kept


async def a_decision_about_a_mail(scene: Scene) -> IsKept:
    address = await add_address(scene.sound, scene.account.id)
    mail = await add_mail(scene.sound, address, state=MailState.HELD, held_for=HeldFor.SENDER)

    with TemporaryDirectory() as folder:
        service = MailService(scene.store.mails, FolderFiles(Path(folder)), scene.clock)
        await scene.confirmed(lambda: service.discard(scene.account.id, mail.id))

    async def is_kept() -> bool:
        found = await scene.sound.mails.get(scene.account.id, mail.id)
        return found is not None and found.state is MailState.DISCARDED

    return is_kept


async def a_finished_mail(scene: Scene) -> IsKept:
    address = await add_address(scene.sound, scene.account.id)
    await add_mail(scene.sound, address)
    claim = await scene.sound.mails.claim_due(LEASE)
    assert claim is not None
    done = replace(claim, state=MailState.DONE, due_at=None, parts=(MailPart("1", Outcome.IGNORED),))
    saved = await scene.confirmed(lambda: scene.store.mails.save(done))

    async def is_kept() -> bool:
        found = await scene.sound.mails.get(scene.account.id, claim.id)
        # If the answer was lost, the same write again finds that the mail has changed.
        return found is not None and (saved is None or found.state is MailState.DONE)

    return is_kept


async def a_removed_mail(scene: Scene) -> IsKept:
    address = await add_address(scene.sound, scene.account.id)
    mail = await add_mail(scene.sound, address, state=MailState.PENDING_DELETION)
    await scene.confirmed(lambda: scene.store.mails.remove(mail))

    async def is_kept() -> bool:
        return await scene.sound.mails.of_account(scene.account.id, 10) == []

    return is_kept


async def a_file_that_came_by_mail(scene: Scene) -> IsKept:
    note = MailDocument(scene.account.id, "00", new_id(), "1", new_id(), NOON)
    stands = await scene.confirmed(lambda: scene.store.mail_documents.claim(note, NOON))

    async def is_kept() -> bool:
        other = replace(note, mail_id=new_id())
        return bool(await scene.sound.mail_documents.claim(other, NOON) == stands)

    return is_kept


async def a_picture_of_a_mail(scene: Scene) -> IsKept:
    note = (scene.account.id, "a", "00")
    first = new_id()
    await scene.confirmed(lambda: scene.store.mail_pictures.note(*note, first, NOON))

    async def is_kept() -> bool:
        return await scene.sound.mail_pictures.note(*note, new_id(), NOON) == 2

    return is_kept


async def an_answer(scene: Scene) -> IsKept:
    limits = ((timedelta(days=1), 1),)
    taken = await scene.confirmed(lambda: scene.store.automatic_mails.take(scene.account.id, "a", NOON, limits))

    async def is_kept() -> bool:
        return not taken or not await scene.sound.automatic_mails.take(scene.account.id, "a", NOON, limits)

    return is_kept
