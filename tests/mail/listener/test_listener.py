"""Mail is taken by SMTP and LMTP, for known addresses, and answered only when it is kept."""

import asyncio
import logging
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import aiosmtplib
import pytest
import trustme

from serve_app.domain.account import Account
from serve_app.domain.errors import StoreUnreachable
from serve_app.domain.inbound_mail import DayLimits, InboundMail, MailQuery, MailState, Way
from serve_app.domain.mail_address import MailAddress
from serve_app.domain.user_error import UserError
from serve_app.mail.listener import protocol
from serve_app.mail.listener.certificate import Certificate
from serve_app.mail.listener.guests import Guests
from serve_app.mail.listener.server import Greeting, MailListener, Place, place_in
from serve_app.net.addresses import Access, parse_networks
from serve_app.services.mailroom.reception import Reception, ReceptionLimits
from serve_app.store.base import Files, Store
from tests.support.inbound import MANY, PATIENCE, PLAIN, add_address

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
        reception = Reception(store.mail_addresses, store.mails, files, ReceptionLimits(MAX_BYTES, day, PATIENCE), OURS)
        guests = Guests(connections, per_minute, trusted)
        listener = MailListener(reception, guests, Greeting("mx.example.com", **greeting))  # type: ignore[arg-type]
        started.append(listener)
        ports = await listener.start([Place(Way.SMTP, "localhost", 0), Place(Way.LMTP, "localhost", 0)])
        return Listening(store, account, address, listener, *ports)

    yield start
    for listener in started:
        await listener.close()


async def test_a_mail_is_kept_before_it_is_answered(start: Start, files: Files) -> None:
    listening = await start()
    text = await listening.send(PLAIN)
    (mail,) = await listening.mails()
    assert text == f"2.0.0 Accepted as {mail.id}"
    assert (mail.state, mail.envelope.way, mail.envelope.sender) == (MailState.QUEUED, Way.SMTP, "anna@example.com")
    assert mail.envelope.peer in {"127.0.0.1", "::1"}
    assert mail.envelope.helo
    assert await files.read(mail.file_key) == PLAIN
    # The client that missed the answer sends it again.
    assert await listening.send(PLAIN) == text
    assert len(await listening.mails()) == 1


async def test_what_a_mail_contains_arrives_as_it_was(start: Start, files: Files) -> None:
    listening = await start()
    raw = PLAIN + b".\r\n..dots\r\nbare\nfeeds\r\n" + b"x" * 90_000 + b"\r\n\xff\xfe\r\n"
    # Clients double a dot at the start of a line; aiosmtplib would also mend line feeds.
    sent = raw.replace(b"\r\n.", b"\r\n..") + b".\r\n"
    to = b"RCPT TO:<%s>\r\n" % listening.to.encode()
    replies = await listening.talk(b"HELO x\r\n", b"MAIL FROM:<>\r\n", to, b"DATA\r\n", sent)
    assert replies[-1].startswith("250")
    (mail,) = await listening.mails()
    assert await files.read(mail.file_key) == raw


async def test_a_bounce_is_taken_and_has_no_sender(start: Start) -> None:
    listening = await start()
    data = b"%s.\r\n" % PLAIN
    replies = await listening.talk(
        b"HELO x\r\n", b"MAIL FROM:<>\r\n", b"RCPT TO:<%s>\r\n" % listening.to.encode(), b"DATA\r\n", data
    )
    assert replies[-1].startswith("250 2.0.0")
    assert (await listening.mails())[0].envelope.sender == ""


async def test_only_known_addresses_are_taken(start: Start, store: Store) -> None:
    listening = await start()
    old = await add_address(store, listening.account.id, ends_at=listening.address.created_at)
    to = (b"nobody@in.example.com", old.local.encode(), listening.to.upper().encode(), b"nobody")
    lines = (b"RCPT TO:<%s>\r\n" % each for each in to)
    replies = await listening.talk(b"EHLO x\r\n", b"MAIL FROM:<a@b.example>\r\n", *lines)
    assert [text[:9] for text in replies[3:]] == ["550 5.1.1", "550 5.1.6", "250 2.1.5", "550 5.1.1"]
    assert not any("nobody" in text for text in replies)


async def test_lmtp_answers_for_each_recipient(start: Start, store: Store) -> None:
    listening = await start()
    other = await add_address(store, listening.account.id)
    lines = [b"LHLO x\r\n", b"MAIL FROM:<a@b.example>\r\n"]
    lines += [b"RCPT TO:<%s>\r\n" % local.encode() for local in (listening.address.local, other.local)]
    reader, writer = await asyncio.open_connection("localhost", listening.lmtp)
    await reply(reader)
    for line in (*lines, b"DATA\r\n"):
        writer.write(line)
        await reply(reader)
    writer.write(PLAIN + b".\r\n")
    assert [(await reply(reader))[:9] for _ in range(2)] == ["250 2.0.0"] * 2
    # A mail that is too large has as many answers.
    for line in (*lines[1:], b"DATA\r\n"):
        writer.write(line)
        await reply(reader)
    writer.write(b"x" * 70 + b"\r\n")
    writer.write((b"x" * 998 + b"\r\n") * 101 + b".\r\n")
    assert [(await reply(reader))[:3] for _ in range(2)] == ["552"] * 2
    writer.write(b"NOOP\r\n")
    assert (await reply(reader)).startswith("250")
    writer.close()
    assert {mail.envelope.way for mail in await listening.mails()} == {Way.LMTP}
    assert len(await listening.mails()) == 2


async def test_each_protocol_has_its_own_greeting(start: Start) -> None:
    listening = await start()
    assert (await listening.talk(b"EHLO x\r\n", port=listening.lmtp))[1].startswith("502")
    assert (await listening.talk(b"HELO x\r\n", port=listening.lmtp))[1].startswith("502")
    assert (await listening.talk(b"LHLO x\r\n"))[1].startswith("502")


async def test_a_recipient_whose_mail_failed_gets_it_again_and_the_others_do_not(
    start: Start, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    listening = await start()
    other = await add_address(store, listening.account.id)
    reserve = store.mails.reserve
    fails = [True]

    async def reserved(mail: InboundMail, *values: object) -> InboundMail | None:
        if mail.address_id == other.id and fails and fails.pop():
            raise StoreUnreachable
        return await reserve(mail, *values)  # type: ignore[arg-type]

    monkeypatch.setattr(store.mails, "reserve", reserved)
    with pytest.raises(aiosmtplib.SMTPDataError) as refused:
        await listening.send(PLAIN, listening.to, other.local)
    assert refused.value.code == 451
    await listening.send(PLAIN, listening.to, other.local)
    assert {mail.address_id for mail in await listening.mails()} == {listening.address.id, other.id}
    assert len(await listening.mails()) == 2


@pytest.mark.parametrize("where", ["find", "reserve", "save"])
@pytest.mark.parametrize("error", [StoreUnreachable(), OSError("disk /srv/secret full")])
async def test_whatever_goes_wrong_the_sender_keeps_the_mail(
    start: Start,
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
    where: str,
    error: Exception,
) -> None:
    listening = await start()

    async def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(store.mail_addresses if where == "find" else store.mails, where, fail)
    with pytest.raises(aiosmtplib.SMTPException) as refused:
        await listening.send(PLAIN)
    text = repr(refused.value)
    assert "451" in text
    assert "secret" not in text
    monkeypatch.undo()
    assert await listening.send(PLAIN)


async def test_an_error_is_logged_by_its_kind_and_place_only(
    start: Start, store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    listening = await start()

    async def fail(local: str) -> None:
        raise ValueError(f"{local} of anna")

    monkeypatch.setattr(store.mail_addresses, "find", fail)
    with pytest.raises(aiosmtplib.SMTPRecipientsRefused):
        await listening.send(PLAIN)
    logged = "\n".join(f"{record.__dict__}" for record in caplog.records)
    assert "ValueError" in logged
    assert "test_listener.py" in logged
    assert listening.address.local not in logged
    assert "anna" not in logged


async def test_nothing_of_a_mail_is_logged(start: Start, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    listening = await start()
    await listening.send(PLAIN + b"the very secret text\r\n")
    with suppress(aiosmtplib.SMTPException):
        await listening.send(PLAIN, "nobody@in.example.com")
    await listening.talk(b"NONSENSE secret\r\n")
    (mail,) = await listening.mails()
    logged = "\n".join(
        f"{record.getMessage()} {record.__dict__}" for record in caplog.records if record.name != "asyncio"
    )
    for private in ("secret", "anna", "nobody", "Hello", listening.address.local):
        assert private not in logged
    assert str(mail.id) in logged


async def test_a_mail_over_the_limit_is_refused(start: Start) -> None:
    listening = await start()
    with pytest.raises(aiosmtplib.SMTPSenderRefused):
        await listening.send(PLAIN + b"x" * MAX_BYTES)
    async with await listening.client() as client:
        # Without the size in MAIL.
        await client.helo()
        await client.mail("a@b.example")
        await client.rcpt(listening.to)
        with pytest.raises(aiosmtplib.SMTPDataError, match="552"):
            await client.data(PLAIN + b"xxxxxxxx\r\n" * (MAX_BYTES // 10))
    assert await listening.mails() == []


async def test_a_circle_and_a_flood_are_refused(start: Start) -> None:
    listening = await start(day=DayLimits(1, 10**9))
    for raw, code in ((b"X-Loop: " + OURS.encode() + b"\r\n" + PLAIN, 554), (PLAIN, 250), (PLAIN + b"2\r\n", 452)):
        if code == 250:
            await listening.send(raw)
            continue
        with pytest.raises(aiosmtplib.SMTPDataError) as refused:
            await listening.send(raw)
        assert refused.value.code == code


async def test_commands_that_tell_something_tell_nothing(start: Start) -> None:
    listening = await start()
    replies = await listening.talk(
        b"EHLO x\r\n", b"HELP\r\n", b"VRFY %s\r\n" % listening.to.encode(), b"EXPN a\r\n", b"AUTH PLAIN x\r\n", b"x\r\n"
    )
    assert [text[:3] for text in replies] == ["220", "250", "214", "252", "502", "502", "500"]
    assert "AUTH" not in replies[1]
    assert "aiosmtpd" not in "".join(replies)


async def test_a_peer_sends_so_many_mails_a_minute_unless_it_is_in_front(start: Start) -> None:
    mail = b"MAIL FROM:<a@b.example>\r\n"
    lines = (b"EHLO x\r\n", *(mail, b"RSET\r\n") * 3)
    strict = await start(per_minute=2)
    assert [text[:3] for text in (await strict.talk(*lines))[2::2]] == ["250", "250", "450"]
    in_front = await start(per_minute=2, trusted=Access(parse_networks("127.0.0.0/8,::1/128"), to_public=False))
    assert [text[:3] for text in (await in_front.talk(*lines))[2::2]] == ["250", "250", "250"]


async def test_there_are_so_many_connections(start: Start) -> None:
    listening = await start(connections=2)
    clients = [await listening.client() for _ in range(2)]
    (greeting,) = await listening.talk()
    assert greeting.startswith("421 4.7.0")
    await clients[0].quit()
    clients[0].close()
    async with asyncio.timeout(5):
        # The listener sees it when it sees it.
        while not (await listening.talk())[0].startswith("220"):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    clients[1].close()


async def test_a_client_that_says_nothing_is_left(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "COMMAND_SECONDS", 0.1)
    listening = await start()
    reader, writer = await asyncio.open_connection("localhost", listening.smtp)
    async with asyncio.timeout(5):
        assert (await reader.read()).startswith(b"220")
    writer.close()


async def test_a_connection_that_breaks_leaves_nothing(start: Start) -> None:
    listening = await start()
    reader, writer = await asyncio.open_connection("localhost", listening.smtp)
    lines = (b"HELO x\r\n", b"MAIL FROM:<>\r\n", b"RCPT TO:<%s>\r\n" % listening.to.encode(), b"DATA\r\n")
    for line in lines:
        await reply(reader)
        writer.write(line)
    await reply(reader)
    writer.write(PLAIN)
    writer.transport.abort()
    await asyncio.sleep(0.05)
    assert await listening.mails() == []
    assert await listening.send(PLAIN)


def issue(authority: trustme.CA, folder: Path) -> tuple[Path, Path]:
    certificate = authority.issue_cert("localhost")
    chain, key = folder / "chain.pem", folder / "key.pem"
    chain.write_bytes(b"".join(blob.bytes() for blob in certificate.cert_chain_pems))
    key.write_bytes(certificate.private_key_pem.bytes())
    return chain, key


async def test_mail_is_encrypted_with_a_certificate_that_is_read_again(
    start: Start, authority: trustme.CA, trusting: ssl.SSLContext, tmp_path: Path
) -> None:
    listening = await start(certificate=Certificate(*issue(authority, tmp_path)))
    serials = set()
    for _ in range(2):
        client = aiosmtplib.SMTP(
            hostname="localhost", port=listening.smtp, start_tls=True, tls_context=trusting, timeout=10
        )
        await client.connect()
        transport = client.transport
        assert transport is not None
        serials.add(str(transport.get_extra_info("peercert")["serialNumber"]))
        assert "AUTH" not in str(client.esmtp_extensions).upper()
        await client.sendmail("a@b.example", [listening.to], PLAIN)
        await client.quit()
        issue(authority, tmp_path)
    assert len(serials) == 2
    # Files that are no certificate change nothing.
    (tmp_path / "chain.pem").write_bytes(b"nonsense")
    assert await listening.send(PLAIN)
    with pytest.raises(UserError, match="MAIL_TLS_CERTIFICATE"):
        Certificate(tmp_path / "chain.pem", tmp_path / "key.pem")


async def test_a_proxy_says_for_whom_it_connects(start: Start) -> None:
    trusted = Access(parse_networks("127.0.0.0/8,::1/128"), to_public=False)
    behind = await start(behind_proxy=True, trusted=trusted)
    reader, writer = await asyncio.open_connection("localhost", behind.smtp)
    writer.write(b"PROXY TCP4 192.0.2.7 192.0.2.1 4711 25\r\n")
    lines = (b"HELO x\r\n", b"MAIL FROM:<>\r\n", b"RCPT TO:<%s>\r\n" % behind.to.encode(), b"DATA\r\n")
    for line in (*lines, PLAIN + b".\r\n"):
        await reply(reader)
        writer.write(line)
    assert (await reply(reader)).startswith("250")
    writer.close()
    assert (await behind.mails())[0].envelope.peer == "192.0.2.7"
    stranger = await start(behind_proxy=True)
    reader, writer = await asyncio.open_connection("localhost", stranger.smtp)
    writer.write(b"PROXY TCP4 192.0.2.7 192.0.2.1 4711 25\r\n")
    assert await reader.read() == b""
    writer.close()


@pytest.mark.parametrize(
    ("text", "place"),
    [("127.0.0.1:8025", ("127.0.0.1", 8025)), ("[::1]:25", ("::1", 25)), ("mx.example.com:0", ("mx.example.com", 0))],
)
def test_a_place_has_a_host_and_a_port(text: str, place: tuple[str, int]) -> None:
    assert place_in(text, Way.SMTP) == Place(Way.SMTP, *place)


@pytest.mark.parametrize("text", ["25", ":25", "host", "host:port", "host:70000"])
def test_what_is_no_place_is_refused(text: str) -> None:
    with pytest.raises(UserError, match="MAIL_LMTP must be host:port"):
        place_in(text, Way.LMTP)


def test_ipv6_peers_are_counted_by_their_network() -> None:
    now = [0.0]
    guests = Guests(1, 2, NOBODY, lambda: now[0])
    assert [guests.may_send(f"2001:db8::{number}") for number in range(3)] == [True, True, False]
    assert guests.may_send("2001:db8:1::1")
    now[0] = timedelta(minutes=1).total_seconds()
    assert guests.may_send("2001:db8::1")
