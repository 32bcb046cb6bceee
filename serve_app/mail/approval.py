"""The mail that asks for approval."""

from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import make_msgid

from serve_app.mail.message import compose
from serve_app.services.approval.service import ApprovalMail


class ComposeApproval:
    """Writes the mail."""

    def __init__(self, sender: Address) -> None:
        self._sender = sender

    def __call__(self, mail: ApprovalMail) -> EmailMessage:
        return compose(
            "approval",
            {"mail": mail},
            sender=self._sender,
            to=mail.to,
            subject=f"{'' if mail.livemode else '[Test] '}Please approve: {mail.facts.title}",
            sent_at=mail.sent_at,
            message_id=make_msgid(domain=self._sender.domain),
        )
