"""A test mail goes out through a mail server, comes back in, and is found."""

from email import message_from_bytes, policy

import pytest
from pydantic import SecretStr

from serve_app.domain.account import Account
from serve_app.domain.errors import InvalidParameter
from serve_app.domain.inbound_mail import Way
from serve_app.domain.mail_address import MailAddress
from serve_app.services.mailroom.bundle import Mailroom
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.wiring.mail_listener import build_mail_listener, mail_places
from serve_app.wiring.mailroom import build_mailroom
from tests.support.inbound import add_address


@pytest.fixture
async def address(store: Store, account: Account) -> MailAddress:
    return await add_address(store, account.id)


def room(store: Store, files: Files, settings: Settings, port: int) -> Mailroom:
    changes = {
        "smtp_url": SecretStr(f"smtp://127.0.0.1:{port}?starttls=no"),
        "mail_from": "Invoices <invoices@in.test>",
        "mail_domain": "in.test",
        "public_url": "https://invoices.test",
    }
    return build_mailroom(store, files, settings.model_copy(update=changes))


async def test_it_arrives_and_has_no_document(
    store: Store, files: Files, settings: Settings, account: Account, address: MailAddress
) -> None:
    listening = settings.model_copy(update={"mail_smtp": "127.0.0.1:0"})
    listener = build_mail_listener(build_mailroom(store, files, settings).reception, listening)
    (port,) = await listener.start(mail_places(listening))
    mailroom = room(store, files, settings, port)
    try:
        token = await mailroom.trials.send(account.id, address.id)
    finally:
        await listener.close()
    mail = await mailroom.trials.find(account.id, address.id, token)
    assert mail is not None
    assert (mail.envelope.way, mail.address_id) == (Way.SMTP, address.id)
    message = message_from_bytes(await files.read(mail.file_key), policy=policy.default)
    assert message["Auto-Submitted"] == "auto-generated"
    assert list(message.iter_attachments()) == []
    assert await mailroom.trials.find(account.id, address.id, "0" * 16) is None


async def test_a_server_that_is_not_there_is_reported(
    store: Store, files: Files, settings: Settings, account: Account, address: MailAddress
) -> None:
    with pytest.raises(InvalidParameter, match="The mail was not sent"):
        await room(store, files, settings, 1).trials.send(account.id, address.id)
