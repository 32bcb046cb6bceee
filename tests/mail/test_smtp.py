"""Mail is handed to real servers, over TLS, in a limited time; what goes wrong is a MailError without secrets."""

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from email.message import EmailMessage
from email.policy import SMTP as SMTP_POLICY
from urllib.parse import quote

import pytest

from serve_app.mail import smtp
from serve_app.mail.smtp import SmtpMailer
from serve_app.mail.smtp_url import parse_smtp_url
from serve_app.services.ports import MailError
from tests.mail.conftest import PASSWORD, REFUSED, USER, StartServer, Step, check_password

LOGIN = f"{USER}:{quote(PASSWORD, safe='')}@"
StartScripted = Callable[[Step], Awaitable[int]]


def message_to(address: str = "approver@example.com") -> EmailMessage:
    message = EmailMessage(policy=SMTP_POLICY)
    message["From"] = "Invoices <invoices@example.com>"
    message["To"] = address
    message["Subject"] = "Rechnung von Müller über 5 €"
    message.set_content("Grüße\n.\nEnde\n" + "x" * 1200 + "\n")
    return message


def mailer(url: str, context: ssl.SSLContext | None = None, seconds: float = 10) -> SmtpMailer:
    return SmtpMailer(parse_smtp_url(url), seconds, context)


async def failure(sender: SmtpMailer, message: EmailMessage | None = None) -> str:
    with pytest.raises(MailError) as caught:
        await sender.send(message or message_to())
    return str(caught.value)


async def test_a_message_arrives_as_it_was_written(start_server: StartServer) -> None:
    server = await start_server()
    await mailer(f"smtp://localhost:{server.port}?starttls=no").send(message_to())
    (arrived,) = server.messages
    assert (arrived["Subject"], server.recipients) == ("Rechnung von Müller über 5 €", ["approver@example.com"])
    assert arrived.get_content().splitlines() == ["Grüße", ".", "Ende", "x" * 1200]


async def test_an_automatic_answer_has_no_return_path(start_server: StartServer) -> None:
    server = await start_server()
    sender = mailer(f"smtp://localhost:{server.port}?starttls=no")
    answer = message_to()
    answer["Auto-Submitted"] = "auto-replied"
    for message in (message_to(), answer):
        await sender.send(message)
    assert server.return_paths == ["invoices@example.com", "<>"]


async def test_the_password_goes_over_an_encrypted_connection(
    start_server: StartServer, server_tls: ssl.SSLContext, trusting: ssl.SSLContext
) -> None:
    server = await start_server(
        tls_context=server_tls, require_starttls=True, auth_required=True, authenticator=check_password
    )
    await mailer(f"smtp://{LOGIN}localhost:{server.port}", trusting).send(message_to())
    assert server.encrypted == [True]


async def test_signing_in_sends_no_mail(
    start_server: StartServer, server_tls: ssl.SSLContext, trusting: ssl.SSLContext
) -> None:
    server = await start_server(tls_context=server_tls, auth_required=True, authenticator=check_password)
    await mailer(f"smtp://{LOGIN}localhost:{server.port}", trusting).sign_in()
    assert server.messages == []


async def test_a_server_may_speak_tls_from_the_first_byte(
    start_server: StartServer, server_tls: ssl.SSLContext, trusting: ssl.SSLContext
) -> None:
    server = await start_server(server_tls)
    await mailer(f"smtps://localhost:{server.port}", trusting).send(message_to())
    assert server.encrypted == [True]


@pytest.mark.parametrize("scheme", ["smtp", "smtps"])
async def test_a_server_with_an_unknown_certificate_gets_nothing(
    start_server: StartServer, server_tls: ssl.SSLContext, scheme: str
) -> None:
    server = await (start_server(server_tls) if scheme == "smtps" else start_server(tls_context=server_tls))
    assert "connection to the mail server failed" in await failure(mailer(f"{scheme}://localhost:{server.port}"))
    assert server.messages == []


async def test_a_certificate_for_another_name_is_refused(
    start_server: StartServer, server_tls: ssl.SSLContext, trusting: ssl.SSLContext
) -> None:
    server = await start_server(server_tls)
    await failure(mailer(f"smtps://127.0.0.1:{server.port}", trusting))
    assert server.messages == []


async def test_without_encryption_nothing_is_sent_unless_it_was_allowed(start_server: StartServer) -> None:
    server = await start_server()
    reason = await failure(mailer(f"smtp://localhost:{server.port}"))
    assert "does not offer STARTTLS" in reason
    assert "starttls=no" in reason
    assert server.messages == []


async def test_a_refused_recipient_is_reported_without_the_address(start_server: StartServer) -> None:
    server = await start_server()
    reason = await failure(mailer(f"smtp://localhost:{server.port}?starttls=no"), message_to(REFUSED))
    assert reason == "the mail server refused the recipient (550)"


async def test_a_wrong_password_is_reported_without_it(
    start_server: StartServer, server_tls: ssl.SSLContext, trusting: ssl.SSLContext
) -> None:
    server = await start_server(tls_context=server_tls, auth_required=True, authenticator=check_password)
    reason = await failure(mailer(f"smtp://{USER}:wrong@localhost:{server.port}", trusting))
    assert reason == "the mail server refuses user and password (535)"
    with pytest.raises(MailError, match="535"):
        await mailer(f"smtp://{USER}:wrong@localhost:{server.port}", trusting).sign_in()
    assert not any(secret in reason for secret in (USER, "wrong"))


async def test_a_server_that_is_down_is_reported(unused_tcp_port: int) -> None:
    reason = await failure(mailer(f"smtp://localhost:{unused_tcp_port}"))
    assert "connection to the mail server failed" in reason


async def test_a_silent_server_costs_no_more_than_the_limit(start_scripted: StartScripted) -> None:
    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()

    port = await start_scripted(say_nothing)
    assert "in time" in await failure(mailer(f"smtp://localhost:{port}?starttls=no", seconds=0.2))


async def test_a_server_that_never_stops_talking_costs_no_more_than_the_limit(start_scripted: StartScripted) -> None:
    async def go_on_and_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while not reader.at_eof():
            writer.write(b"220-welcome\r\n")
            await asyncio.sleep(0.02)

    port = await start_scripted(go_on_and_on)
    assert "in time" in await failure(mailer(f"smtp://localhost:{port}?starttls=no", seconds=0.3))


async def test_a_message_that_was_taken_is_sent_though_the_goodbye_is_not_answered(
    start_scripted: StartScripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def forget_manners(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 hello\r\n")
        while line := await reader.readline():
            if line == b"DATA\r\n":
                writer.write(b"354 go on\r\n")
                await reader.readuntil(b"\r\n.\r\n")
            if line != b"QUIT\r\n":
                writer.write(b"250 OK\r\n")

    monkeypatch.setattr(smtp, "_GOODBYE_SECONDS", 0.05)
    port = await start_scripted(forget_manners)
    await mailer(f"smtp://localhost:{port}?starttls=no").send(message_to())
