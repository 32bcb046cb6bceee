"""Without a mail server, mail is written to files."""

import logging
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

import pytest
from pydantic import SecretStr

from serve_app.mail.counted_mailer import CountedMailer
from serve_app.mail.factory import open_mailer, sender_of
from serve_app.mail.folder_mailer import FolderMailer
from serve_app.mail.smtp import SmtpMailer
from serve_app.services.ports import MailError
from serve_app.settings import Settings


def message_with(text: str) -> EmailMessage:
    message = EmailMessage()
    message["To"] = "a@example.com"
    message.set_content(text)
    return message


async def test_every_message_is_a_file_and_the_log_says_where(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "serve_app.mail")
    mailer = open_mailer(Settings(mail_folder=str(tmp_path / "deep" / "mail")))
    for text in ("first", "second"):
        await mailer.send(message_with(text))
    first, second = sorted((tmp_path / "deep" / "mail").iterdir())
    read = [message_from_bytes(path.read_bytes(), policy=default) for path in (first, second)]
    assert [message.get_content().strip() for message in read] == ["first", "second"]
    assert {path.suffix for path in (first, second)} == {".eml"}
    assert str(first) in caplog.text
    assert "first" not in caplog.text.replace(str(first), "")


async def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    await FolderMailer(tmp_path / "mail").send(message_with("a link"))
    (path,) = (tmp_path / "mail").iterdir()
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)


async def test_a_folder_that_cannot_be_written_is_a_mail_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(MailError, match="folder of mail"):
        await FolderMailer(tmp_path / "file" / "mail").send(message_with("x"))


def test_a_named_server_is_used_and_needs_a_sender(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "serve_app.mail")
    settings = Settings(smtp_url=SecretStr("smtp://user:hush-hush@mail.example"), public_url="https://invoices.example")
    mailer = open_mailer(settings)
    assert isinstance(mailer, CountedMailer)
    assert isinstance(mailer.mailer, SmtpMailer)
    assert "mail.example:587" in caplog.text
    assert "hush-hush" not in caplog.text + repr(settings)
    with pytest.raises(ValueError, match="MAIL_FROM"):
        sender_of(settings)
    assert sender_of(settings.model_copy(update={"mail_from": "i@mail.example"})).domain == "mail.example"


@pytest.mark.parametrize("url", [None, ""])
def test_a_named_server_needs_the_address_that_links_begin_with(url: str | None) -> None:
    server = SecretStr("smtp://user:secret@mail.example")
    settings = Settings(smtp_url=server, mail_from="i@mail.example", public_url=url)
    with pytest.raises(ValueError, match="SMTP_URL also needs PUBLIC_URL") as caught:
        open_mailer(settings)
    assert "secret" not in str(caught.value)
