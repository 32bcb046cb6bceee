"""What a client can make large, long or many has a limit; connections are encrypted, and may come through a proxy."""

import asyncio
import ssl
from datetime import timedelta
from pathlib import Path

import aiosmtplib
import pytest
import trustme

from serve_app.domain.errors import QueueTooLong
from serve_app.domain.inbound_mail import DayLimits, Way
from serve_app.domain.user_error import UserError
from serve_app.mail.listener import content, protocol, server
from serve_app.mail.listener.certificate import Certificate
from serve_app.mail.listener.guests import Guests
from serve_app.mail.listener.server import Place, place_in
from serve_app.net.addresses import Access, parse_networks
from serve_app.store.base import Store
from tests.mail.listener.conftest import MAX_BYTES, NOBODY, OURS, Start, reply
from tests.support.inbound import PLAIN
from tests.support.until import until


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
        with pytest.raises((aiosmtplib.SMTPDataError, aiosmtplib.SMTPRecipientsRefused)) as refused:
            await listening.send(raw)
        assert str(code) in str(refused.value)


async def test_an_address_that_has_had_its_mails_is_refused_before_the_next_is_sent(start: Start) -> None:
    listening = await start(day=DayLimits(2, len(PLAIN) + 1000))
    await listening.send(PLAIN)
    to = b"RCPT TO:<%s>\r\n" % listening.to.encode()
    replies = await listening.talk(b"EHLO x\r\n", b"MAIL FROM:<a@b.example> SIZE=1001\r\n", to)
    assert replies[-1].startswith("452 4.2.2")
    replies = await listening.talk(b"EHLO x\r\n", b"MAIL FROM:<a@b.example> SIZE=1000\r\n", to)
    assert replies[-1].startswith("250")
    await listening.send(PLAIN + b"2\r\n")
    replies = await listening.talk(b"EHLO x\r\n", b"MAIL FROM:<a@b.example>\r\n", to)
    assert replies[-1].startswith("452 4.2.2")


async def test_a_queue_that_is_too_long_is_reported_before_a_mail_is_sent(
    start: Start, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def too_long(_: str) -> None:
        raise QueueTooLong(60)

    listening = await start()
    monkeypatch.setattr(store.mail_addresses, "find", too_long)
    to = b"RCPT TO:<%s>\r\n" % listening.to.encode()
    replies = await listening.talk(b"EHLO x\r\n", b"MAIL FROM:<a@b.example>\r\n", to)
    assert replies[-1] == "451 4.3.2 Too many documents of the recipient are waiting; try again later"


async def test_commands_that_reveal_something_reveal_nothing(start: Start) -> None:
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

    async def is_welcome() -> bool:
        return (await listening.talk())[0].startswith("220")

    await until(is_welcome)
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


async def test_slow_clients_with_large_mails_hold_up_no_small_ones(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(content, "LARGE_BYTES", 1000)
    monkeypatch.setattr(server, "LARGE_AT_A_TIME", 1)
    listening = await start()
    clients = [await asyncio.open_connection("localhost", listening.smtp) for _ in range(3)]
    lines = (b"HELO x\r\n", b"MAIL FROM:<>\r\n", b"RCPT TO:<%s>\r\n" % listening.to.encode(), b"DATA\r\n")
    for reader, writer in clients:
        for line in lines:
            await reply(reader)
            writer.write(line)
        assert (await reply(reader)).startswith("354")
        writer.write(b"x" * 5000 + b"\r\n")
    assert await listening.send(PLAIN)
    (_, first), *waiting = clients
    first.transport.abort()
    for number, (_, writer) in enumerate(waiting):
        writer.write(b"%d\r\n.\r\n" % number)
    for reader, writer in waiting:
        assert (await reply(reader)).startswith("250")
        writer.close()


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
    for nobody in (b"PROXY UNKNOWN\r\n", b"\r\n\r\n\x00\r\nQUIT\n\x20\x00\x00\x00"):
        # A load balancer looks whether the service is there.
        reader, writer = await asyncio.open_connection("localhost", behind.smtp)
        writer.write(nobody)
        assert (await reply(reader)).startswith("220")
        writer.close()
    outsider = await start(behind_proxy=True)
    reader, writer = await asyncio.open_connection("localhost", outsider.smtp)
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
