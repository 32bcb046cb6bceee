"""Mails that come in, and addresses that they come to."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from serve_app.domain.ids import new_id
from serve_app.domain.inbound_mail import DayLimits, Envelope, HeldFor, InboundMail, MailState, Way
from serve_app.domain.mail_address import MailAddress, new_local
from serve_app.store.base import Store
from tests.support import NOON

MANY = DayLimits(1000, 10**9)
HELD: dict[str, Any] = {"state": MailState.HELD, "held_for": HeldFor.SENDER, "due_at": None}
"""What is changed in a mail that waits for a decision about its sender."""
DONE: dict[str, Any] = {"state": MailState.DONE, "due_at": None}
ABANDONED_AFTER = timedelta(hours=1)
PLAIN = (
    b"Message-ID: <1@example.com>\r\nFrom: Anna <anna@example.com>\r\nDate: Sun, 17 May 2026 11:00:00 +0000\r\n"
    b"Subject: Hello\r\n\r\nHello\r\n"
)


def an_address(account_id: UUID, **rules: Any) -> MailAddress:
    return MailAddress(new_id(), account_id, new_local("acme"), NOON, **rules)


async def add_address(store: Store, account_id: UUID, **rules: Any) -> MailAddress:
    address = an_address(account_id, **rules)
    await store.mail_addresses.add(address)
    return address


def a_mail(address: MailAddress, fingerprint: str = "f", at: datetime = NOON, **fields: Any) -> InboundMail:
    """One whose bytes are about to be written."""
    return InboundMail(
        id=new_id(),
        account_id=address.account_id,
        address_id=address.id,
        fingerprint=fingerprint,
        state=MailState.ARRIVING,
        received_at=at,
        size=fields.pop("size", 100),
        envelope=Envelope(address.local, Way.SMTP, "anna@example.com", "192.0.2.1"),
        care_at=at + ABANDONED_AFTER,
        **fields,
    )


async def add_mail(store: Store, address: MailAddress, fingerprint: str = "f", **changes: Any) -> InboundMail:
    """One that was accepted, and then changed."""
    at = changes.pop("received_at", NOON)
    mail = await store.mails.reserve(a_mail(address, fingerprint, at), at, MANY)
    assert mail is not None
    saved = await store.mails.save(replace(mail, **{"state": MailState.QUEUED, "due_at": at, **changes}))
    assert saved is not None
    return saved
