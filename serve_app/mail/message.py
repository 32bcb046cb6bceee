"""Composes mail as plain text and HTML; a message loads nothing from elsewhere."""

import logging
from collections.abc import Mapping
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from serve_app.domain.email_address import mail_server_form
from serve_app.services.ports import MailError

_TEMPLATES = Environment(
    loader=PackageLoader("serve_app.mail"),
    autoescape=select_autoescape(["html"]),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)

log = logging.getLogger(__name__)


def compose(
    template: str,
    says: Mapping[str, object],
    *,
    sender: Address,
    to: str,
    subject: str,
    sent_at: datetime,
    message_id: str,
) -> EmailMessage:
    """The mail from `templates/{template}.txt` and `.html`, rendered with `says`. Raises MailError if the mail library
    fails on one of its texts."""
    try:
        message = EmailMessage(policy=SMTP)
        message["From"] = sender
        message["To"] = Address(addr_spec=mail_server_form(to) or to)
        message["Subject"] = _plain(subject)
        message["Date"] = format_datetime(sent_at)
        message["Message-ID"] = message_id
        # RFC 3834: out-of-office replies must not answer.
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(_TEMPLATES.get_template(f"{template}.txt").render(says))
        message.add_alternative(_TEMPLATES.get_template(f"{template}.html").render(says), subtype="html")
        # On some texts the mail library would fail only when the message is sent.
        message.as_bytes()
    except Exception as error:
        log.exception("a mail could not be composed")
        raise MailError(f"the mail could not be composed ({type(error).__name__})") from error
    return message


def _plain(text: str) -> str:
    """The text for a header, made safe from decoding: `=?` starts an encoded word (RFC 2047)."""
    return text.replace("=?", "= ?")
