"""Mail that the service writes, as plain text and as HTML; nothing in it is loaded from elsewhere."""

from collections.abc import Mapping
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

_TEMPLATES = Environment(
    loader=PackageLoader("serve_app.mail"),
    autoescape=select_autoescape(["html"]),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


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
    """The mail of `templates/{template}.txt` and `.html`, filled with what it `says`."""
    message = EmailMessage(policy=SMTP)
    message["From"] = sender
    message["To"] = Address(addr_spec=to)
    message["Subject"] = subject
    message["Date"] = format_datetime(sent_at)
    message["Message-ID"] = message_id
    # RFC 3834: holiday notes must not answer.
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(_TEMPLATES.get_template(f"{template}.txt").render(says))
    message.add_alternative(_TEMPLATES.get_template(f"{template}.html").render(says), subtype="html")
    return message
