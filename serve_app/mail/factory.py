"""Creates the mailer from the settings."""

import logging
from email.headerregistry import Address
from pathlib import Path

from serve_app.domain.user_error import UserError
from serve_app.mail.counted_mailer import CountedMailer
from serve_app.mail.folder_mailer import FolderMailer
from serve_app.mail.sender import parse_sender
from serve_app.mail.smtp import SmtpMailer
from serve_app.mail.smtp_url import parse_smtp_url
from serve_app.services.ports import Mailer, MailServer
from serve_app.settings import Settings

_NOBODY = "invoices@localhost"

log = logging.getLogger(__name__)


def open_mailer(settings: Settings) -> Mailer:
    """A mailer that uses the server of `smtp_url`, or files in `mail_folder` if it is not set. Raises UserError if the
    URL cannot be used (without repeating it: it holds a password), or if `public_url` is missing."""
    if settings.smtp_url is None:
        folder = Path(settings.mail_folder).absolute()
        log.info("no SMTP_URL: mail is written to files in %s", folder)
        return CountedMailer(FolderMailer(folder))
    server = parse_smtp_url(settings.smtp_url.get_secret_value())
    if not settings.public_url:
        # Readers of mail need not reach the address at which the API is called.
        raise UserError("SMTP_URL also needs PUBLIC_URL, the base URL of links in e-mails")
    log.info("mail is sent through %s:%d", server.host, server.port)
    return CountedMailer(SmtpMailer(server, settings.smtp_seconds))


def open_mail_server(settings: Settings) -> MailServer | None:
    """The server of `smtp_url`, to be asked whether it takes mail; None if mail is written to files. Raises UserError
    if the URL cannot be used."""
    if settings.smtp_url is None:
        return None
    return SmtpMailer(parse_smtp_url(settings.smtp_url.get_secret_value()), settings.smtp_seconds)


def sender_of(settings: Settings) -> Address:
    """The sender of mail. Raises UserError if `mail_from` is no address, or is missing although a server is set."""
    if settings.mail_from is None and settings.smtp_url is not None:
        raise UserError("SMTP_URL also needs MAIL_FROM: the sender's address")
    return parse_sender(settings.mail_from or _NOBODY)
