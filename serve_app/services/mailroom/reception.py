"""Accepts mails: the only entry point for every way that they come in."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import UUID

from serve_app.domain.approval_mail import day_start
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.errors import StoreUnreachable
from serve_app.domain.ids import new_id
from serve_app.domain.inbound_mail import (
    PEER_LIFE,
    DayLimits,
    Envelope,
    Heading,
    InboundMail,
    MailPart,
    MailState,
    Outcome,
)
from serve_app.domain.limits import megabytes
from serve_app.domain.mail_address import MAX_TAG_LENGTH, MailAddress, split_address
from serve_app.domain.mail_refusals import MailRefused, Refusal
from serve_app.domain.plain_text import one_line
from serve_app.services.capacity.start_times import StartTimes
from serve_app.services.mailroom.opening import MAX_HOPS, opening_of
from serve_app.services.tasks.background import Background
from serve_app.store.base import Files, MailAddresses, Mails
from serve_app.system.thread_pools import decoding_pool

_LONGEST = 320
"""Characters of an address, or of a server's name."""

_NO_LIMITS = DayLimits(10**9, 10**18)

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ReceptionLimits:
    """`max_bytes` is the size of the largest mail, `day` what one address takes in a day; a row that stays without
    bytes for `abandoned_after` was left by a crash."""

    max_bytes: int
    day: DayLimits
    abandoned_after: timedelta


@dataclass(frozen=True, slots=True)
class Receipt:
    """A mail that is safely kept. `is_new` is False if it had been accepted before."""

    mail_id: UUID
    is_new: bool


class Reception:
    """Makes the bytes of a mail and its row durable, then answers: once `receive` has returned, nothing can be lost.

    The row comes first, then the bytes, then the row is queued. A crash in between leaves a row that is taken over when
    the mail is sent again, or else removed by `MailCleanup`. `loop_mark` is what the service's own answers have as
    X-Loop. `start_times` knows whether an account's documents would wait for too long.
    """

    def __init__(
        self,
        addresses: MailAddresses,
        mails: Mails,
        files: Files,
        limits: ReceptionLimits,
        loop_mark: str,
        clock: Clock = utc_now,
        on_queued: Callable[[], None] = lambda: None,
        start_times: StartTimes | None = None,
    ) -> None:
        self._addresses = addresses
        self._mails = mails
        self._files = files
        self._limits = limits
        self._loop_mark = loop_mark.lower()
        self._clock = clock
        self._on_queued = on_queued
        self._start_times = start_times
        self._background = Background()

    @property
    def max_bytes(self) -> int:
        """The size of the largest mail that is accepted."""
        return self._limits.max_bytes

    async def check(self, recipient: str) -> MailAddress:
        """The address that mail to this recipient belongs to: a local part or a whole address, whose host does not
        matter, perhaps with a tag. Raises MailRefused for one that is unknown or takes no more mail, QueueTooLong if a
        document in it would wait for too long, and Unavailable."""
        local, _, _ = split_address(one_line(recipient))
        address = await self._addresses.find(local)
        if address is None:
            raise MailRefused(Refusal.UNKNOWN_ADDRESS)
        if not address.takes_mail_at(self._clock()):
            raise MailRefused(Refusal.ADDRESS_CHANGED)
        if self._start_times is not None:
            await self._start_times.check(address.account_id)
        return address

    async def expect(self, recipient: str, size: int = 0) -> None:
        """Whether a mail that is announced would be accepted: `size` is in bytes, 0 if it was not said. Raises
        MailRefused as `receive` would, as far as that is known before the mail, and Unavailable."""
        address, today = await self.check(recipient), day_start(self._clock())
        if size > self._limits.max_bytes:
            raise MailRefused(Refusal.TOO_LARGE)
        if not await self._mails.has_room(address.id, size, today, self._limits.day):
            raise MailRefused(Refusal.OVER_RATE)

    async def receive(self, raw: bytes, envelope: Envelope) -> Receipt:
        """Keep the mail. Raises MailRefused, and Unavailable: then the sender should try again, and what was kept is
        taken over or removed. The same mail again gets the same receipt."""
        address = await self.check(envelope.recipient)
        if len(raw) > self._limits.max_bytes:
            raise MailRefused(Refusal.TOO_LARGE)
        opening = await decoding_pool(len(raw)).run(opening_of, raw)
        if opening.hops > MAX_HOPS or self._loop_mark in opening.loops:
            raise MailRefused(Refusal.LOOP)
        # A sender that disconnects must not leave bytes without a row.
        return await self._background.finish(self._keep(self._new(address, opening.fingerprint, raw, envelope), raw))

    async def note_too_large(self, head: bytes, heading: Heading, size: int, envelope: Envelope) -> None:
        """Show a mail that is too large to be kept, of which only the headers are known. The same mail again is shown
        once. Raises MailRefused if the address takes no mail, and Unavailable."""
        address = await self.check(envelope.recipient)
        reason = (
            f"The e-mail is larger than {megabytes(self._limits.max_bytes)} and was not read. Send its documents one "
            "by one."
        )
        part = MailPart("1", Outcome.TOO_LARGE, reason, "The whole e-mail", "message/rfc822", size)
        new = replace(self._new(address, opening_of(head).fingerprint, head, envelope), size=size)
        reserved = await self._mails.reserve(new, day_start(new.received_at), _NO_LIMITS)
        if reserved is None or reserved.state is not MailState.ARRIVING:
            return
        shown = replace(reserved, state=MailState.DONE, heading=heading, parts=(part,), has_raw=False, problems=1)
        if await self._mails.save(replace(shown, care_at=reserved.received_at + PEER_LIFE)) is None:
            raise StoreUnreachable

    async def idle(self) -> None:
        """Returns when all mails in hand are kept."""
        await self._background.idle()

    def _new(self, address: MailAddress, fingerprint: str, raw: bytes, envelope: Envelope) -> InboundMail:
        now = self._clock()
        envelope = _readable(envelope)
        _, tag, _ = split_address(envelope.recipient)
        return InboundMail(
            id=new_id(),
            account_id=address.account_id,
            address_id=address.id,
            fingerprint=fingerprint,
            state=MailState.ARRIVING,
            received_at=now,
            size=len(raw),
            envelope=envelope,
            care_at=now + self._limits.abandoned_after,
            entity_tag=tag[:MAX_TAG_LENGTH] if tag else address.entity_tag,
        )

    async def _keep(self, mail: InboundMail, raw: bytes) -> Receipt:
        reserved = await self._mails.reserve(mail, day_start(mail.received_at), self._limits.day)
        if reserved is None:
            raise MailRefused(Refusal.OVER_RATE)
        if reserved.state is MailState.PENDING_DELETION:
            # It is being removed, and can be accepted again once that is done.
            raise StoreUnreachable
        if reserved.state is not MailState.ARRIVING:
            return Receipt(reserved.id, is_new=False)
        await self._files.write(reserved.file_key, raw)
        now = self._clock()
        queued = replace(reserved, state=MailState.QUEUED, due_at=now, care_at=reserved.received_at + PEER_LIFE)
        if await self._mails.save(queued) is None:
            # Another call has taken the row over, or it is being removed.
            raise StoreUnreachable
        self._on_queued()
        log.info("mail accepted", extra={"mail_id": str(reserved.id), "account_id": str(reserved.account_id)})
        return Receipt(reserved.id, is_new=True)


def _readable(envelope: Envelope) -> Envelope:
    """Clients send any bytes in any number: what is no text can be neither stored nor shown."""
    return replace(
        envelope,
        recipient=one_line(envelope.recipient)[:_LONGEST],
        sender=one_line(envelope.sender)[:_LONGEST],
        helo=one_line(envelope.helo)[:_LONGEST] if envelope.helo else None,
    )
