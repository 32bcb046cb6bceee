"""What `SMTP_URL` and `MAIL_FROM` may say; nothing of a wrong one is repeated."""

import pytest

from serve_app.mail.sender import parse_sender
from serve_app.mail.smtp_url import SmtpServer, parse_smtp_url


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("smtp://mail.example", SmtpServer("mail.example", 587, tls=False, starttls=True)),
        ("smtps://mail.example", SmtpServer("mail.example", 465, tls=True, starttls=False)),
        ("smtp://localhost:25?starttls=no", SmtpServer("localhost", 25, tls=False, starttls=False)),
        ("smtp://[::1]:2525/?starttls=required", SmtpServer("::1", 2525, tls=False, starttls=True)),
        ("smtps://a%40b:p%2F%23w@mail.example:1465", SmtpServer("mail.example", 1465, True, False, "a@b", "p/#w")),
    ],
)
def test_a_url_names_the_server(url: str, server: SmtpServer) -> None:
    assert parse_smtp_url(url) == server


@pytest.mark.parametrize(
    "url",
    [
        "",
        "mail.example",
        "http://mail.example",
        "smtp://",
        "smtp://user@mail.example",
        "smtp://:secret@mail.example",
        "smtp://user:sec/ret@mail.example",
        "smtp://user:sec#ret@mail.example",
        "smtp://user:sec?ret@mail.example",
        "smtp://user:[secret@mail.example",
        "smtp://user:secret@mail.example:587/folder",
        "smtp://mail.example?starttls=maybe",
        "smtp://mail.example?secret=1",
        "smtps://mail.example?starttls=no",
        "smtp://mail.example:secret",
    ],
)
def test_a_wrong_url_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(ValueError, match="SMTP_URL") as caught:
        parse_smtp_url(url)
    assert caught.value.__cause__ is None
    assert not any(part in str(caught.value) for part in ("sec", "ret@"))


def test_the_password_is_not_shown() -> None:
    assert "secret" not in repr(parse_smtp_url("smtp://user:secret@mail.example"))


def test_a_sender_may_have_a_name() -> None:
    sender = parse_sender("Müller, Rechnungen <invoices@example.com>".replace(",", ""))
    assert (sender.display_name, sender.addr_spec) == ("Müller Rechnungen", "invoices@example.com")
    assert parse_sender("invoices@localhost").addr_spec == "invoices@localhost"


@pytest.mark.parametrize(
    "text",
    ["", "nobody", "a@example.com, b@example.com", "a@b\r\nBcc: c@d", "group: a@b.example;", "<a@b", '"a b"@c.de'],
)
def test_a_sender_that_is_no_single_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="MAIL_FROM"):
        parse_sender(text)
