"""The mail that invites a person to an account."""

from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import make_msgid

from serve_app.mail.message import compose
from serve_app.services.people.invitations import InvitationMail


class ComposeInvitation:
    """Writes the mail."""

    def __init__(self, sender: Address) -> None:
        self._sender = sender

    def __call__(self, mail: InvitationMail) -> EmailMessage:
        return compose(
            "invitation",
            {"mail": mail},
            sender=self._sender,
            to=mail.to,
            subject=f"{mail.invited_by} has invited you to Invoices",
            sent_at=mail.sent_at,
            message_id=make_msgid(domain=self._sender.domain),
        )
