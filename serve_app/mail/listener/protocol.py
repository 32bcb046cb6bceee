"""aiosmtpd's sessions, with limits on everything that a client can make large or long."""

import asyncio
import logging
from contextlib import AsyncExitStack
from typing import Any

from aiosmtpd.smtp import SMTP, Envelope, Session, syntax

from serve_app.domain.inbound_mail import Way
from serve_app.domain.mail_refusals import Refusal
from serve_app.mail.listener import replies
from serve_app.mail.listener.certificate import Certificate
from serve_app.mail.listener.content import NoMail, read_content
from serve_app.mail.listener.guests import Guests
from serve_app.mail.listener.handler import MailHandler

COMMAND_SECONDS = 60.0
"""How long a client may take for a command."""
DATA_SECONDS = 600.0
"""How long it may take for a mail: 25 MiB at 350 kbit/s."""
PROXY_SECONDS = 5.0
LARGE_AT_A_TIME = 8
"""Mails over LARGE_BYTES whose bytes are in memory; the others wait before they send more. Small ones never wait, so
that slow clients with large mails hold up nobody else."""
_CHUNK_BYTES = 2**18
_COMMANDS = {"*": 100, "RCPT": 1000, "MAIL": 200, "DATA": 200, "NOOP": 200}

# It logs every line of a mail, and addresses at its ordinary level.
logging.getLogger("mail.log").disabled = True


class MailSession(SMTP):
    """A connection by SMTP or, with `way`, LMTP."""

    # Of commands, which have limits of their own, and of what is read of a mail at a time.
    line_length_limit = _CHUNK_BYTES

    def __init__(
        self,
        handler: MailHandler,
        guests: Guests,
        turns: asyncio.Semaphore,
        *,
        way: Way,
        hostname: str,
        max_bytes: int,
        certificate: Certificate | None,
        behind_proxy: bool,
    ) -> None:
        super().__init__(
            handler,
            hostname=hostname,
            ident="Invoices",
            data_size_limit=max_bytes,
            enable_SMTPUTF8=True,
            tls_context=None if certificate is None else certificate.context(),
            timeout=COMMAND_SECONDS,
            auth_exclude_mechanism=["LOGIN", "PLAIN"],
            command_call_limit=_COMMANDS,
            proxy_protocol_timeout=PROXY_SECONDS if behind_proxy else None,
            loop=asyncio.get_running_loop(),
        )
        self._handler = handler
        self._guests = guests
        self._turns = turns
        self._is_lmtp = way is Way.LMTP
        self._recipients = 0

    async def _handle_client(self) -> None:
        if not self._guests.enter():
            await self.push(replies.TOO_MANY_CONNECTIONS)
            self._writer.close()
            return
        try:
            await super()._handle_client()
        finally:
            self._guests.leave()

    async def push(self, status: Any) -> None:
        """LMTP wants a reply for each recipient, also where aiosmtpd refuses the mail itself. A command that is not
        known is not repeated."""
        if isinstance(status, str) and status.startswith("500 Error: command "):
            status = replies.NOT_KNOWN
        if self._recipients > 1 and isinstance(status, str) and status.startswith(("5", "4")) and "\r\n" not in status:
            status = "\r\n".join([status] * self._recipients)
        await super().push(status)

    @syntax("LHLO hostname")
    async def smtp_LHLO(self, arg: str) -> None:
        """The greeting of LMTP."""
        await (super().smtp_EHLO(arg) if self._is_lmtp else self.push(replies.NOT_HERE))

    @syntax("HELO hostname")
    async def smtp_HELO(self, arg: str) -> None:
        """The greeting of SMTP."""
        await (self.push(replies.NOT_HERE) if self._is_lmtp else super().smtp_HELO(arg))

    @syntax("EHLO hostname")
    async def smtp_EHLO(self, arg: str) -> None:
        """The greeting of SMTP."""
        await (self.push(replies.NOT_HERE) if self._is_lmtp else super().smtp_EHLO(arg))

    @syntax("DATA")
    async def smtp_DATA(self, arg: str) -> None:
        """A mail's bytes are in memory several times until it is kept, so only some large ones are taken at a time."""
        if await self.check_helo_needed() or self.envelope is None or self.session is None:
            return
        if not self.envelope.rcpt_tos:
            await self.push(replies.NO_RECIPIENT)
            return
        if arg:
            await self.push(replies.NO_ARGUMENT)
            return
        async with AsyncExitStack() as turn:
            self._reset_timeout(DATA_SECONDS)
            self._recipients = len(self.envelope.rcpt_tos) if self._is_lmtp else 0
            try:
                await self._take_mail(self.session, self.envelope, turn)
            finally:
                self._recipients = 0

    async def _take_mail(self, session: Session, envelope: Envelope, turn: AsyncExitStack) -> None:
        await self.push(replies.GO_ON)
        try:
            envelope.content = await read_content(
                self._reader, self.data_size_limit or 0, lambda: turn.enter_async_context(self._turns)
            )
        except NoMail:
            await self.push(replies.NO_MAIL)
            # Where the mail would end is not known, and nothing of it may be taken for a command.
            if self.transport is not None:
                self.transport.close()
            return
        if envelope.content is None:
            reply = replies.refused(Refusal.TOO_LARGE)
        else:
            reply = await self._handler.handle_DATA(self, session, envelope)
        self._set_post_data_state()  # type: ignore[no-untyped-call]
        await self.push(reply)

    @syntax("HELP")
    async def smtp_HELP(self, arg: str) -> None:
        """Names no commands."""
        await self.push(replies.NO_HELP)

    @syntax("VRFY")
    async def smtp_VRFY(self, arg: str) -> None:
        """Refused, so that nobody learns which addresses exist."""
        await self.push(replies.NO_VRFY)

    @syntax("EXPN")
    async def smtp_EXPN(self, arg: str) -> None:
        """There are no lists."""
        await self.push(replies.NOT_HERE)

    @syntax("AUTH")
    async def smtp_AUTH(self, arg: str) -> None:
        """Nobody signs in."""
        await self.push(replies.NOT_HERE)
