"""A listener on this machine, and what it has taken."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass

import aiosmtplib
import pytest

from serve_app.domain.account import Account
from serve_app.domain.inbound_mail import DayLimits, InboundMail, MailQuery, Way
from serve_app.domain.mail_address import MailAddress
from serve_app.mail.listener.guests import Guests
from serve_app.mail.listener.server import Greeting, MailListener, Place
from serve_app.net.addresses import Access
from serve_app.services.mailroom.reception import Reception, ReceptionLimits
from serve_app.store.base import Files, Store
from tests.support.inbound import ABANDONED_AFTER, MANY, add_address

OURS = "invoices@example.com"
MAX_BYTES = 100_000
NOBODY = Access((), to_public=False)


@dataclass
class Listening:
    """A listener for SMTP and LMTP, and what it has taken."""

    store: Store
    account: Account
    address: MailAddress
    listener: MailListener
    smtp: int
    lmtp: int

    @property
    def to(self) -> str:
        return f"{self.address.local}@in.example.com"

    async def client(self) -> aiosmtplib.SMTP:
        client = aiosmtplib.SMTP(hostname="localhost", port=self.smtp, start_tls=False, timeout=10)
        await client.connect()
        return client

    async def send(self, raw: bytes, *to: str, sender: str = "anna@example.com") -> str:
        async with await self.client() as client:
            _, text = await client.sendmail(sender, to or (self.to,), raw)
        return text

    async def talk(self, *lines: bytes, port: int | None = None, wait: float = 5) -> list[str]:
        """The replies to lines that are sent as they are; all lines of a reply are one."""
        reader, writer = await asyncio.open_connection("localhost", port or self.smtp)
        replies = [await reply(reader)]
        for line in lines:
            writer.write(line)
            async with asyncio.timeout(wait):
                replies.append(await reply(reader))
        writer.close()
        return replies

    async def mails(self) -> list[InboundMail]:
        """Oldest first."""
        return list(reversed((await self.store.mails.page(self.account.id, MailQuery(), 100)).items))


async def reply(reader: asyncio.StreamReader) -> str:
    lines = []
    while True:
        line = (await reader.readline()).decode()
        lines.append(line.rstrip())
        if not line or line[3:4] != "-":
            return "\n".join(lines)


Start = Callable[..., Awaitable[Listening]]


@pytest.fixture
async def start(store: Store, files: Files, account: Account) -> AsyncIterator[Start]:
    """Starts a listener."""
    address = await add_address(store, account.id)
    started: list[MailListener] = []

    async def start(
        day: DayLimits = MANY,
        connections: int = 50,
        per_minute: int = 100,
        trusted: Access = NOBODY,
        **greeting: object,
    ) -> Listening:
        reception = Reception(
            store.mail_addresses, store.mails, files, ReceptionLimits(MAX_BYTES, day, ABANDONED_AFTER), OURS
        )
        guests = Guests(connections, per_minute, trusted)
        listener = MailListener(reception, guests, Greeting("mx.example.com", **greeting))  # type: ignore[arg-type]
        started.append(listener)
        ports = await listener.start([Place(Way.SMTP, "localhost", 0), Place(Way.LMTP, "localhost", 0)])
        return Listening(store, account, address, listener, *ports)

    yield start
    for listener in started:
        await listener.close()
