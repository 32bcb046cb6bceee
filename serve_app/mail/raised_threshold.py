"""The mail about a threshold of `high` that rose."""

from email.headerregistry import Address
from email.message import EmailMessage

from serve_app.mail.message import compose
from serve_app.services.review.quality import RaisedMail


class ComposeRaised:
    """Writes the mail."""

    def __init__(self, sender: Address) -> None:
        self._sender = sender

    def __call__(self, mail: RaisedMail) -> EmailMessage:
        measured, name = mail.precision, mail.field.replace("_", " ")
        return compose(
            "raised",
            {
                "field": name,
                "share": f"{measured.share or 0:.1%}",
                "right": measured.right,
                "values": measured.values,
                "low": f"{measured.low:.1%}",
                "high": f"{measured.high:.1%}",
                "is_last": mail.threshold.chance > 1,
                "chance": f"{mail.threshold.chance:.1%}",
            },
            sender=self._sender,
            to=mail.to,
            subject=f"Threshold raised: {name}",
            sent_at=mail.sent_at,
            message_id=f"<raised.{mail.field}.{mail.threshold.step}.{mail.sent_at:%Y%m%d%H%M%S}@{self._sender.domain}>",
        )
