"""The test mail to a private address."""

from email.headerregistry import Address
from email.message import EmailMessage

from serve_app.mail.message import compose
from serve_app.services.mailroom.trial import TrialMail


class ComposeTrial:
    """Writes the mail."""

    def __init__(self, sender: Address) -> None:
        self._sender = sender

    def __call__(self, mail: TrialMail) -> EmailMessage:
        return compose(
            "trial",
            {"mail": mail},
            sender=self._sender,
            to=mail.to,
            subject="Test of your address for invoices",
            sent_at=mail.sent_at,
            message_id=mail.message_id,
        )
