"""The mail that asks for approval."""

from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, make_msgid

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from serve_app.services.approval import ApprovalMail

_TEMPLATES = Environment(
    loader=PackageLoader("serve_app.mail"),
    autoescape=select_autoescape(["html"]),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_PLAIN = _TEMPLATES.get_template("approval.txt")
_HTML = _TEMPLATES.get_template("approval.html")


class ComposeApproval:
    """Writes the mail as plain text and as HTML; nothing in it is loaded from elsewhere."""

    def __init__(self, sender: Address) -> None:
        self._sender = sender

    def __call__(self, mail: ApprovalMail) -> EmailMessage:
        message = EmailMessage(policy=SMTP)
        message["From"] = self._sender
        message["To"] = Address(addr_spec=mail.to)
        message["Subject"] = f"Please approve: {mail.facts.title}"
        message["Date"] = format_datetime(mail.sent_at)
        message["Message-ID"] = make_msgid(domain=self._sender.domain)
        # RFC 3834: holiday notes must not answer.
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(_PLAIN.render(mail=mail))
        message.add_alternative(_HTML.render(mail=mail), subtype="html")
        return message
