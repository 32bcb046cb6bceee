"""The daily mail about mails that wait for a decision."""

from email.headerregistry import Address
from email.message import EmailMessage

from serve_app.mail.message import compose
from serve_app.services.mailroom.notices import HeldMail


class ComposeHeld:
    """Writes the mail. `base_url` is the address of the web application, None if it is not known."""

    def __init__(self, sender: Address, base_url: str | None) -> None:
        self._sender = sender
        self._base_url = base_url

    def __call__(self, mail: HeldMail) -> EmailMessage:
        count = f"More than {mail.count} e-mails are waiting" if mail.are_more else _counted(mail.count)
        return compose(
            "held",
            {"mail": mail, "count": count, "url": self._base_url and f"{self._base_url.rstrip('/')}/app/mail"},
            sender=self._sender,
            to=mail.to,
            subject=f"{count} for your decision",
            sent_at=mail.sent_at,
            # The same for a second mail about the same day, so that a mail program shows only one.
            message_id=f"<held.{mail.account_id}.{mail.sent_at:%Y%m%d}@{self._sender.domain}>",
        )


def _counted(count: int) -> str:
    return "1 e-mail is waiting" if count == 1 else f"{count} e-mails are waiting"
