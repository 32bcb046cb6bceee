"""The mail with a link and a code for signing in."""

from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import make_msgid

from serve_app.mail.message import compose
from serve_app.services.people.sign_in import SignInMail


class ComposeSignIn:
    """Writes the mail. The code is not in the subject, which locked screens show."""

    def __init__(self, sender: Address) -> None:
        self._sender = sender

    def __call__(self, mail: SignInMail) -> EmailMessage:
        return compose(
            "sign_in",
            {"mail": mail, "minutes": int(mail.life.total_seconds() // 60)},
            sender=self._sender,
            to=mail.to,
            subject="Your code for signing in to Invoices",
            sent_at=mail.sent_at,
            message_id=make_msgid(domain=self._sender.domain),
        )
