"""Counts the mails that are sent."""

from email.message import EmailMessage

from serve_app.services.ports import Mailer, MailError
from serve_app.telemetry.meter import count
from serve_app.telemetry.series import MAILS_SENT


class CountedMailer:
    """Another mailer, and how often it could send."""

    def __init__(self, mailer: Mailer) -> None:
        self.mailer = mailer

    async def send(self, message: EmailMessage) -> None:
        try:
            await self.mailer.send(message)
        except MailError:
            count(MAILS_SENT, outcome="failed")
            raise
        count(MAILS_SENT, outcome="sent")
