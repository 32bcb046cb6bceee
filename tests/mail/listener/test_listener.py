"""Mail is taken by SMTP and LMTP, for known addresses, and answered only when it is kept."""

import asyncio
import logging
from contextlib import suppress

import aiosmtplib
import pytest

from serve_app.domain.errors import StoreUnreachable
from serve_app.domain.inbound_mail import InboundMail, MailState, Way
from serve_app.domain.mail_address import MAX_TAG_LENGTH
from serve_app.mail.listener.content import NoMail, read_content
from serve_app.store.base import Files, Store
from tests.mail.listener.conftest import Start, reply
from tests.support.inbound import PLAIN, add_address


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


async def no_turn() -> None:
    """Mails that are read by themselves wait for no others."""


@pytest.mark.parametrize(
    "raw",
    [
        *(b"", b"\r\n", b"x\r\n", b"\r\n\r\n", b".\r\n", b"..\r\n.\r\n", b"\r\n.x\r\n", b"x\n.\n\r\ny\r.\r\n"),
        *(b"." * 300 + b"\r\n", b"x" * 300_000 + b"\r\n", b"x" * (2**18 - 3) + b"\r\n.y\r\n"),
    ],
)
@pytest.mark.parametrize("step", [1, 7, 10**6])
async def test_a_mail_is_read_however_it_is_cut(raw: bytes, step: int) -> None:
    if step == 1 and len(raw) > 1000:
        step = 1000
    reader = asyncio.StreamReader(limit=2**18)
    stuffed = (b"\r\n" + raw).replace(b"\r\n.", b"\r\n..")[2:]
    sent = stuffed + b".\r\nQUIT\r\n"
    reading = asyncio.create_task(read_content(reader, 10**6, no_turn))
    for start in range(0, len(sent), step):
        reader.feed_data(sent[start : start + step])
        await asyncio.sleep(0)
    assert await reading == raw
    # What a client sends after the mail is its next command.
    assert await reader.readuntil(b"\r\n") == b"QUIT\r\n"


async def test_of_a_mail_that_is_too_large_nothing_is_kept_and_its_end_is_found() -> None:
    reader = asyncio.StreamReader(limit=2**10)
    reader.feed_data(b"line\r\n" * 1000 + b".\r\nQUIT\r\n")
    assert await read_content(reader, 5999, no_turn) is None
    assert await reader.readuntil(b"\r\n") == b"QUIT\r\n"
    reader.feed_data(b"line\r\n" * 1000 + b".\r\n")
    assert await read_content(reader, 6000, no_turn) == b"line\r\n" * 1000
    reader.feed_data(b"\r\n" * 1000 + b"x\r\n.\r\n")
    with pytest.raises(NoMail):
        await read_content(reader, 6000, no_turn)


async def test_data_comes_after_a_recipient_and_has_no_argument(start: Start) -> None:
    listening = await start()
    to = b"RCPT TO:<%s>\r\n" % listening.to.encode()
    lines = (b"EHLO x\r\n", b"DATA\r\n", b"MAIL FROM:<>\r\n", b"DATA\r\n", to, b"DATA now\r\n", b"DATA\r\n", b".\r\n")
    replies = [text[:3] for text in await listening.talk(*lines)]
    assert replies == ["220", "250", "503", "250", "503", "250", "501", "354", "250"]
    assert (await listening.talk(b"DATA\r\n"))[1].startswith("503")
    endless = (b"EHLO x\r\n", b"MAIL FROM:<>\r\n", to, b"DATA\r\n", b"\r\n" * 2000)
    assert (await listening.talk(*endless))[-1].startswith("554 5.6.0")


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


async def test_what_is_no_text_in_the_envelope_is_kept_as_text(start: Start, store: Store) -> None:
    listening = await start()
    local, _, host = listening.to.encode().partition(b"@")
    to = b"RCPT TO:<" + local + b"+B\xfcro" + b"x" * 200 + b"@" + host + b">\r\n"
    sender = b"MAIL FROM:<m\xfcller@b.example> SMTPUTF8\r\n"
    replies = await listening.talk(b"EHLO m\xfcller\r\n", sender, to, b"DATA\r\n", PLAIN + b".\r\n")
    assert replies[-1].startswith("250")
    (mail,) = await listening.mails()
    assert mail.envelope.sender == "m ller@b.example"
    assert mail.envelope.helo == "m ller"
    assert mail.entity_tag is not None
    assert len(mail.entity_tag) == MAX_TAG_LENGTH
    unknown = await listening.talk(b"EHLO x\r\n", sender, b"RCPT TO:<\xfc@x>\r\n")
    assert unknown[-1].startswith("550 5.1.1")


@pytest.mark.parametrize("spelling", ["{upper}@IN.EXAMPLE.COM", '"{local}"@in.example.com', "@a.example:{local}@x"])
async def test_an_address_is_known_in_every_spelling(start: Start, spelling: str) -> None:
    listening = await start()
    local = listening.address.local
    to = f"RCPT TO:<{spelling.format(local=local, upper=local.upper())}>\r\n".encode()
    replies = await listening.talk(b"EHLO x\r\n", b"MAIL FROM:<>\r\n", to)
    assert replies[-1].startswith("250")


@pytest.mark.parametrize("end", [b"\n.\n", b"\r.\r", b"\n.\r\n", b"\r\n.\r", b"\r\n.\n"])
async def test_no_other_line_ends_a_mail(start: Start, files: Files, end: bytes) -> None:
    """Where two servers see the end in different places, one takes for commands what the other took for text."""
    listening = await start()
    raw = b"Subject: x\r\n\r\na" + end + b"MAIL FROM:<forged@example.com>\r\nb\r\n"
    to = f"RCPT TO:<{listening.to}>\r\n".encode()
    sent = raw.replace(b"\r\n.", b"\r\n..") + b".\r\n"
    replies = await listening.talk(b"EHLO x\r\n", b"MAIL FROM:<>\r\n", to, b"DATA\r\n", sent, b"QUIT\r\n")
    assert replies[-1].startswith("221")
    (mail,) = await listening.mails()
    assert await files.read(mail.file_key) == raw
