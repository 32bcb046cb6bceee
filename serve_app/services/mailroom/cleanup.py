"""Removes from mails what has been kept long enough, and what crashes left."""

import logging
from dataclasses import replace
from datetime import datetime, timedelta

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.inbound_mail import PEER_LIFE, Heading, HeldFor, InboundMail, MailState, Outcome, Verdict
from serve_app.store.base import Files, Mails

_BATCH = 100
_AGAIN = timedelta(days=1)

log = logging.getLogger(__name__)


class MailCleanup:
    """The sending server's IP address goes after PEER_LIFE, the bytes and all that people wrote after `raw_life`;
    outcomes and hashes stay. Mails that still have work before them keep their bytes. Any number of processes may do
    this at the same time."""

    def __init__(self, mails: Mails, files: Files, raw_life: timedelta, clock: Clock = utc_now) -> None:
        self._mails = mails
        self._files = files
        self._raw_life = raw_life
        self._clock = clock

    async def run_round(self) -> int:
        """Do what is due; returns for how many mails. Raises Unavailable."""
        cleaned = 0
        while due := await self._mails.due_for_cleanup(self._clock(), _BATCH):
            changed = [await self._care(mail) for mail in due]
            cleaned += sum(changed)
            if not any(changed):
                break
        return cleaned

    async def _care(self, mail: InboundMail) -> bool:
        if mail.state in {MailState.ARRIVING, MailState.PENDING_DELETION}:
            return await end_mail(mail, self._mails, self._files)
        now = self._clock()
        if now < mail.received_at + self._raw_life:
            without_peer = replace(mail.envelope, peer=None, helo=None)
            next_cleanup = max(mail.received_at + self._raw_life, mail.received_at + PEER_LIFE)
            return await self._mails.save(replace(mail, envelope=without_peer, care_at=next_cleanup)) is not None
        if _has_work(mail):
            return await self._mails.save(replace(mail, care_at=now + _AGAIN)) is not None
        await self._files.delete(mail.file_key)
        return await self._mails.save(_expired(mail, now)) is not None


def _has_work(mail: InboundMail) -> bool:
    return mail.state in {MailState.QUEUED, MailState.READING} or mail.held_for is HeldFor.QUOTA


def _expired(mail: InboundMail, now: datetime) -> InboundMail:
    """What is left of the mail. One that was still held for its sender is discarded."""
    kept = without_texts(mail)
    if mail.state is MailState.HELD:
        kept = replace(kept, state=MailState.DISCARDED, held_for=None, due_at=None)
        log.info("held mail expired", extra={"mail_id": str(mail.id), "account_id": str(mail.account_id)})
    return replace(kept, has_raw=False, care_at=None)


def without_texts(mail: InboundMail) -> InboundMail:
    """The mail without anything that people wrote in it, and without addresses."""
    return replace(
        mail,
        envelope=replace(mail.envelope, sender="", peer=None, helo=None),
        heading=Heading(is_automatic=mail.heading.is_automatic),
        verdict=mail.verdict and Verdict(),
        confirmation=None,
        parts=tuple(replace(part, name=None, links=()) for part in mail.parts),
    )


async def end_mail(mail: InboundMail, mails: Mails, files: Files) -> bool:
    """Remove the mail with its bytes; False if it has changed since it was read, or is gone."""
    pending = (
        mail
        if mail.state is MailState.PENDING_DELETION
        else await mails.save(replace(mail, state=MailState.PENDING_DELETION))
    )
    if pending is None:
        return False
    await files.delete(pending.file_key)
    # Last, so that a crash leaves a row to be found.
    return await mails.remove(pending)


def erased(mail: InboundMail, invoice_id: object) -> InboundMail:
    """The mail once the bytes that this invoice came from are deleted."""
    parts = (
        replace(part, outcome=Outcome.ERASED, reason="", sha256=None, invoice_id=None)
        if part.invoice_id == invoice_id
        else part
        for part in without_texts(mail).parts
    )
    return replace(without_texts(mail), parts=tuple(parts), has_raw=False)
