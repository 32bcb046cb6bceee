"""From settings to a way for mail."""

import logging
from email.headerregistry import Address
from pathlib import Path

from serve_app.mail.folder import FolderMailer
from serve_app.mail.sender import parse_sender
from serve_app.mail.smtp import SmtpMailer
from serve_app.mail.smtp_url import parse_smtp_url
from serve_app.services.ports import Mailer
from serve_app.settings import Settings

_NOBODY = "invoices@localhost"

log = logging.getLogger(__name__)


def open_mailer(settings: Settings) -> Mailer:
    """What sends mail: the server of `smtp_url`, or files in `mail_folder` where there is none. ValueError for a URL
    that cannot be used, without repeating it, for it holds a password; and where `public_url` is missing."""
    if settings.smtp_url is None:
        folder = Path(settings.mail_folder).absolute()
        log.info("no SMTP_URL: mail is written to files in %s", folder)
        return FolderMailer(folder)
    server = parse_smtp_url(settings.smtp_url.get_secret_value())
    if not settings.public_url:
        # Else whoever calls the API could choose where the links of a mail lead to, by the Host header.
        raise ValueError("SMTP_URL needs PUBLIC_URL, too: the address that links in mail begin with")
    log.info("mail is sent through %s:%d", server.host, server.port)
    return SmtpMailer(server, settings.smtp_seconds)


def sender_of(settings: Settings) -> Address:
    """Whom mail comes from. ValueError where `mail_from` is no address, or missing though there is a server."""
    if settings.mail_from is None and settings.smtp_url is not None:
        raise ValueError("SMTP_URL needs MAIL_FROM, too: the address that mail comes from")
    return parse_sender(settings.mail_from or _NOBODY)
