"""The answer to a mail that brought documents."""

from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import make_msgid

from serve_app.domain.inbound_mail import ANSWER_MARK
from serve_app.domain.plain_text import one_line, shortened
from serve_app.mail.message import compose
from serve_app.services.mailroom.answers import AnswerMail
from serve_app.services.mailroom.opening import LOOP_HEADER

_MESSAGE_ID_LENGTH = 250


class ComposeAnswer:
    """Writes the answer so that no program answers it (RFC 3834), and so that it comes back as a loop if it does."""

    def __init__(self, sender: Address) -> None:
        self._sender = sender

    def __call__(self, mail: AnswerMail) -> EmailMessage:
        subject = shortened(one_line(mail.subject), 100) or "your e-mail"
        message = compose(
            "answer",
            {"mail": mail, "subject": subject},
            sender=self._sender,
            to=mail.to,
            subject=f"Re: {subject}",
            sent_at=mail.sent_at,
            message_id=make_msgid(ANSWER_MARK, self._sender.domain),
        )
        message.replace_header("Auto-Submitted", "auto-replied")
        message["X-Auto-Response-Suppress"] = "All"
        message[LOOP_HEADER] = self._sender.addr_spec
        if _is_message_id(mail.message_id):
            message["In-Reply-To"] = mail.message_id
            message["References"] = mail.message_id
        return message


def _is_message_id(text: str | None) -> bool:
    """Whether it can be repeated in a header: the standard library fails on some of what is sent as one."""
    return (
        text is not None
        and len(text) <= _MESSAGE_ID_LENGTH
        and text.isascii()
        and text.isprintable()
        and " " not in text
        and text.startswith("<")
        and text.endswith(">")
        and "[" not in text
    )
