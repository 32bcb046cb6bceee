"""The mail about a canary that was rolled back."""

from email.headerregistry import Address
from email.message import EmailMessage

from serve_app.mail.message import compose
from serve_app.services.candidates.canary_controller import RolledBackMail


class ComposeRolledBack:
    """Writes the mail."""

    def __init__(self, sender: Address) -> None:
        self._sender = sender

    def __call__(self, mail: RolledBackMail) -> EmailMessage:
        canary = mail.canary
        return compose(
            "rolled_back",
            {"pair": canary.pair, "share": f"{canary.share:.0%}", "reason": canary.reason, "documents": mail.documents},
            sender=self._sender,
            to=mail.to,
            subject=f"Models rolled back: {canary.pair}",
            sent_at=mail.sent_at,
            message_id=f"<rolled-back.{canary.id}@{self._sender.domain}>",
        )
