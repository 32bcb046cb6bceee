"""Mail servers on this machine, and certificates for them."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any, cast

import pytest
import trustme
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword

REFUSED = "refused@example.com"
USER, PASSWORD = "mailer", "se/cret#pass"
Step = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@dataclass
class MailServer:
    """What a server was given. `encrypted` tells for each message whether it came over TLS."""

    port: int = 0
    messages: list[EmailMessage] = field(default_factory=list)
    recipients: list[str] = field(default_factory=list)
    return_paths: list[str] = field(default_factory=list)
    encrypted: list[bool] = field(default_factory=list)

    async def handle_RCPT(self, server: Any, session: Any, envelope: Envelope, address: str, options: list[str]) -> str:
        if address == REFUSED:
            return f"550 no mailbox {address}"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Envelope) -> str:
        content = cast(bytes, envelope.content)
        self.messages.append(message_from_bytes(content, policy=default))
        self.return_paths.append(str(envelope.mail_from))
        self.recipients += [str(rcpt_to) for rcpt_to in envelope.rcpt_tos]
        self.encrypted.append(server.transport.get_extra_info("ssl_object") is not None)
        return "250 taken"


StartServer = Callable[..., Awaitable[MailServer]]


@pytest.fixture
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def server_tls(authority: trustme.CA) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    return context


@pytest.fixture
def trusting(authority: trustme.CA) -> ssl.SSLContext:
    """The TLS context of a client that trusts the server's CA."""
    context = ssl.create_default_context()
    authority.configure_trust(context)
    return context


@pytest.fixture
async def start_server() -> AsyncIterator[StartServer]:
    """Starts a mail server; `tls` encrypts from the first byte, further options are aiosmtpd's."""
    running: list[asyncio.Server] = []

    async def start(tls: ssl.SSLContext | None = None, **options: Any) -> MailServer:
        mail_server = MailServer()
        server = await asyncio.get_running_loop().create_server(
            lambda: SMTP(mail_server, hostname="mail.test", **options), "localhost", 0, ssl=tls
        )
        running.append(server)
        mail_server.port = server.sockets[0].getsockname()[1]
        return mail_server

    yield start
    for server in running:
        server.close()


@pytest.fixture
async def start_scripted() -> AsyncIterator[Callable[[Step], Awaitable[int]]]:
    """Starts a server that does what it is told; returns its port."""
    running: list[asyncio.Server] = []
    ended: list[asyncio.Event] = []

    async def start(step: Step) -> int:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            end = asyncio.Event()
            ended.append(end)
            with suppress(OSError):
                await step(reader, writer)
                writer.close()
                await writer.wait_closed()
            end.set()

        running.append(await asyncio.start_server(serve, "localhost", 0))
        return int(running[-1].sockets[0].getsockname()[1])

    yield start
    for server in running:
        server.close()
    for connection in ended:
        await connection.wait()


def check_password(server: Any, session: Any, envelope: Any, mechanism: str, data: Any) -> AuthResult:
    """An authenticator of aiosmtpd that knows one user."""
    right = isinstance(data, LoginPassword) and (data.login, data.password) == (USER.encode(), PASSWORD.encode())
    return AuthResult(success=right, handled=False)
