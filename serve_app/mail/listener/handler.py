"""What happens at each step of a session."""

import logging
from collections.abc import Sequence
from typing import Any

from aiosmtpd.proxy_protocol import ProxyData
from aiosmtpd.smtp import Envelope as SmtpEnvelope
from aiosmtpd.smtp import Session

from serve_app.domain.errors import ServiceError
from serve_app.domain.inbound_mail import Envelope, Way
from serve_app.domain.mail_refusals import MailRefused
from serve_app.mail.listener import replies
from serve_app.mail.listener.guests import Guests
from serve_app.services.mailroom.reception import Reception
from serve_app.telemetry.logs import kind_and_place

MOST_RECIPIENTS = 20

log = logging.getLogger(__name__)


class MailHandler:
    """The hooks of aiosmtpd: each returns the reply. Nothing of a mail, no address and no peer is logged."""

    def __init__(self, reception: Reception, way: Way, guests: Guests) -> None:
        self._reception = reception
        self._way = way
        self._guests = guests

    async def handle_EHLO(
        self, server: Any, session: Session, envelope: SmtpEnvelope, hostname: str, responses: list[str]
    ) -> list[str]:
        """Nobody signs in here."""
        session.host_name = hostname
        return [line for line in responses if not line[4:].startswith(("AUTH", "HELP"))] + ["250 ENHANCEDSTATUSCODES"]

    async def handle_PROXY(self, server: Any, session: Session, envelope: SmtpEnvelope, data: ProxyData) -> bool:
        """Only servers in front may say for whom they connect; for nobody else, when they look whether this one
        works."""
        if not self._guests.is_exempt(peer_of(session)):
            return False
        if data.src_addr is None:
            return True
        # aiosmtpd declares it a text, and makes it this.
        session.peer = (str(data.src_addr), data.src_port)  # type: ignore[assignment]
        return True

    async def handle_MAIL(
        self, server: Any, session: Session, envelope: SmtpEnvelope, address: str, options: list[str]
    ) -> str:
        """The sender of bounces is `<>`."""
        if self._way is Way.SMTP and not self._guests.may_send(peer_of(session)):
            return replies.TOO_MANY_MAILS
        envelope.mail_from = address
        envelope.mail_options = options
        return "250 2.1.0 OK"

    async def handle_RCPT(
        self, server: Any, session: Session, envelope: SmtpEnvelope, address: str, options: list[str]
    ) -> str:
        """Known addresses only, so that the server in front refuses the others at once; and none that has had its mails
        of the day, so that nobody sends one in vain."""
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return replies.TOO_MANY_RECIPIENTS
        try:
            await self._reception.expect(address, _announced(envelope.mail_options))
        except MailRefused as error:
            log.info("recipient refused: %s", error.refusal)
            return replies.refused(error.refusal)
        except ServiceError as error:
            log.warning("recipient not taken: %s", type(error).__name__)
            return replies.unavailable(error)
        envelope.rcpt_tos.append(address)
        return replies.RECIPIENT_OK

    async def handle_DATA(self, server: Any, session: Session, envelope: SmtpEnvelope) -> str:
        """SMTP has one reply for all recipients, LMTP one for each."""
        raw = envelope.content
        envelope.content = envelope.original_content = None
        if not isinstance(raw, bytes):
            return replies.NO_MAIL
        answers = [await self._receive(raw, session, envelope, recipient) for recipient in envelope.rcpt_tos]
        return "\r\n".join(answers) if self._way is Way.LMTP else _for_all(answers)

    async def handle_exception(self, error: Exception) -> str:
        """Temporary, whatever went wrong: the sender keeps the mail."""
        log.error("session of mail failed: %s", kind_and_place(error))
        return replies.TRY_LATER

    async def _receive(self, raw: bytes, session: Session, envelope: SmtpEnvelope, recipient: str) -> str:
        sender = envelope.mail_from or ""
        given = Envelope(
            recipient=recipient,
            way=self._way,
            sender="" if sender == "<>" else sender,
            peer=peer_of(session),
            helo=session.host_name or None,
        )
        try:
            return replies.accepted(await self._reception.receive(raw, given))
        except MailRefused as error:
            log.info("mail refused: %s", error.refusal)
            return replies.refused(error.refusal)
        except ServiceError as error:
            log.warning("mail not taken: %s", type(error).__name__)
            return replies.unavailable(error)
        except Exception as error:
            return await self.handle_exception(error)


def _announced(options: Sequence[str]) -> int:
    """The size that the client has given with MAIL; 0 if it gave none."""
    return next(
        (int(size) for name, _, size in (each.partition("=") for each in options) if name == "SIZE" and size), 0
    )


def _for_all(answers: Sequence[str]) -> str:
    """If one recipient's mail must be sent again, all of it is: those who have it get no second one."""
    return next(filter(replies.is_temporary, answers), None) or next(filter(replies.is_accepted, answers), answers[0])


def peer_of(session: Session) -> str | None:
    """The IP address of the other side; None for a socket that has none."""
    peer: object = session.peer
    return str(peer[0]) if isinstance(peer, tuple) and peer else None
