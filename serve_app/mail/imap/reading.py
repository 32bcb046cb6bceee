"""A mailbox and the mailroom: the watch runs in a thread, what it needs of the service on the event loop."""

import asyncio
import logging
from collections.abc import Coroutine
from contextlib import AbstractContextManager
from typing import Any, TypeVar

from serve_app.documents.mail.headers import heading_in
from serve_app.domain.errors import Unavailable
from serve_app.domain.inbound_mail import Envelope, Way
from serve_app.domain.mail_refusals import MailRefused, Refusal
from serve_app.domain.mailbox import MailboxPosition
from serve_app.mail.imap.account import ImapAccount
from serve_app.mail.imap.mailbox import Folder
from serve_app.mail.imap.token import TokenRequest, TokenServer
from serve_app.mail.imap.watch import Handed, MailboxWatch, WatchOptions
from serve_app.mail.trust.headers import address_in, values_of
from serve_app.services.mailroom.reception import Reception
from serve_app.store.base import Mailboxes
from serve_app.system.thread_pools import run_alone

T = TypeVar("T")

# Refusals that are about the mail. Others are about the configuration, and no reason to leave a mail out.
_OF_THE_MAIL = (Refusal.TOO_LARGE, Refusal.LOOP)

log = logging.getLogger(__name__)


class MailboxReading:
    """Hands over what comes into the mailbox to the private address `recipient`."""

    def __init__(
        self,
        account: ImapAccount,
        recipient: str,
        reception: Reception,
        mailboxes: Mailboxes,
        options: WatchOptions,
        server: TokenServer,
        token: TokenRequest | None = None,
    ) -> None:
        self._account = account
        self._recipient = recipient
        self._reception = reception
        self._mailboxes = mailboxes
        self._server = server
        self._token = token
        self._loop: asyncio.AbstractEventLoop | None = None
        self._watch = MailboxWatch(self._open, self, self._hand_over, self._note_too_large, options)

    async def run(self) -> None:
        """Until `stop`; trouble is logged and tried again."""
        self._loop = asyncio.get_running_loop()
        await run_alone(self._watch.run, "imap")

    def stop(self) -> None:
        """End within a few seconds."""
        self._watch.stop()

    def load(self) -> MailboxPosition | None:
        """For the watch."""
        return self._await(self._mailboxes.position(self._account.name))

    def save(self, position: MailboxPosition) -> None:
        """For the watch."""
        self._await(self._mailboxes.set_position(self._account.name, position))

    def _open(self) -> AbstractContextManager[Folder]:
        token = self._token
        return Folder.open(self._account, None if token is None else lambda: self._await(token.send(self._server)))

    def _hand_over(self, raw: bytes) -> Handed:
        envelope = Envelope(self._recipient, Way.IMAP, _returned_to(raw))
        try:
            self._await(self._reception.receive(raw, envelope))
        except MailRefused as refused:
            if refused.refusal in _OF_THE_MAIL:
                return Handed.REFUSED
            log.error("mails of the mailbox are not accepted: %s", refused.refusal)
            return Handed.LATER
        except Unavailable:
            return Handed.LATER
        return Handed.ACCEPTED

    def _note_too_large(self, head: bytes, size: int) -> Handed:
        envelope = Envelope(self._recipient, Way.IMAP, _returned_to(head))
        try:
            self._await(self._reception.note_too_large(head, heading_in(head), size, envelope))
        except MailRefused as refused:
            log.error("mails of the mailbox are not accepted: %s", refused.refusal)
            return Handed.LATER
        except Unavailable:
            return Handed.LATER
        return Handed.REFUSED

    def _await(self, work: Coroutine[Any, Any, T]) -> T:
        if self._loop is None:
            raise RuntimeError("the mailbox is not being read")
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()


def _returned_to(raw: bytes) -> str:
    """The envelope's sender, which the last server has written into the mail; empty for bounces."""
    found = values_of(raw, "Return-Path")
    return address_in(found[0]) if found else ""
