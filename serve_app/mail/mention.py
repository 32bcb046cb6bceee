"""The mail to a person whom a comment mentions."""

from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import make_msgid

from serve_app.domain.plain_text import one_line, shortened
from serve_app.mail.message import compose
from serve_app.services.comments.service import MentionMail

_LONGEST_SUBJECT = 150


class ComposeMention:
    """Writes the mail."""

    def __init__(self, sender: Address) -> None:
        self._sender = sender

    def __call__(self, mail: MentionMail) -> EmailMessage:
        return compose(
            "mention",
            {"mail": mail},
            sender=self._sender,
            to=mail.to,
            subject=shortened(one_line(f"{mail.author} mentioned you in a comment"), _LONGEST_SUBJECT),
            sent_at=mail.sent_at,
            message_id=make_msgid(domain=self._sender.domain),
        )
