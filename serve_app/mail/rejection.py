"""The mail that notifies a sender of a rejected invoice."""

from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import make_msgid

from serve_app.domain.plain_text import one_line, shortened
from serve_app.mail.message import compose
from serve_app.services.review.rejection import RejectionMail

_LONGEST_SUBJECT = 150


class ComposeRejection:
    """Writes the mail, as an answer to the one that brought the invoice."""

    def __init__(self, sender: Address) -> None:
        self._sender = sender

    def __call__(self, mail: RejectionMail) -> EmailMessage:
        about = mail.subject or mail.invoice.file.name or "your document"
        message = compose(
            "rejection",
            {"mail": mail, "number": mail.invoice.invoice_number, "file": mail.invoice.file.name},
            sender=self._sender,
            to=mail.to,
            subject=shortened(one_line(f"Invoice rejected: {about}"), _LONGEST_SUBJECT),
            sent_at=mail.sent_at,
            message_id=make_msgid(domain=self._sender.domain),
        )
        if mail.answers and mail.answers.isascii() and not set(mail.answers) & set("\r\n"):
            message["In-Reply-To"] = mail.answers
        return message
