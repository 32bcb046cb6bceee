"""Builds what takes mails out of mailboxes."""

from serve_app.domain.user_error import UserError
from serve_app.mail.imap.account import parse_imap_url
from serve_app.mail.imap.mailboxes import MailboxSettings, mailboxes_of
from serve_app.mail.imap.reading import MailboxReading
from serve_app.mail.imap.token import token_request
from serve_app.mail.imap.watch import WatchOptions
from serve_app.net.trusted import TrustedServer
from serve_app.services.mailroom.reception import Reception
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.wiring.mailroom import build_mailroom


def build_mailbox_readings(store: Store, files: Files, settings: Settings) -> list[MailboxReading]:
    """Read the mailboxes of the settings, if there are any. Raises UserError for one that cannot be used."""
    mailboxes = mailboxes_of(settings)
    reception = build_mailroom(store, files, settings).reception
    return [_mailbox_reading(mailbox, reception, store, settings.max_mail_bytes) for mailbox in mailboxes]


def _mailbox_reading(mailbox: MailboxSettings, reception: Reception, store: Store, max_bytes: int) -> MailboxReading:
    account, token = parse_imap_url(mailbox.url.get_secret_value()), token_request(mailbox)
    if account.password is None and token is None:
        raise UserError("a mailbox has neither a password in its URL nor an OAuth token URL")
    options = WatchOptions(max_bytes, mailbox.move_to)
    return MailboxReading(account, mailbox.address, reception, store.mailboxes, options, TrustedServer(), token)
