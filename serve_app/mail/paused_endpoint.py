"""The mail that reports that a webhook endpoint was paused."""

from email.headerregistry import Address
from email.message import EmailMessage

from serve_app.domain.webhook import PauseReason
from serve_app.mail.message import compose
from serve_app.services.webhooks.owner_notices import PausedMail


class ComposePaused:
    """Writes the mail."""

    def __init__(self, sender: Address) -> None:
        self._sender = sender

    def __call__(self, mail: PausedMail) -> EmailMessage:
        return compose(
            "paused",
            {"mail": mail, "why": _why(mail), "not_made": _not_made(mail), "commands": _commands(mail)},
            sender=self._sender,
            to=mail.to,
            subject=f"Webhook endpoint paused: {mail.host}",
            sent_at=mail.sent_at,
            # The same for every mail about the same pause, so that a mail program shows only one.
            message_id=f"<paused.{mail.endpoint.id}.{mail.endpoint.revision}@{self._sender.domain}>",
        )


def _why(mail: PausedMail) -> str:
    if mail.endpoint.paused_reason is PauseReason.GONE:
        return "It answered with status 410 (Gone), so it wants no further webhooks."
    since = mail.endpoint.failing_since
    return "Every delivery to it has failed" + (f" since {since:%Y-%m-%d %H:%M} UTC." if since else " for days.")


def _not_made(mail: PausedMail) -> str:
    if mail.are_more:
        return f"More than {mail.not_made} deliveries were abandoned."
    if mail.not_made == 1:
        return "1 delivery was abandoned."
    return f"{mail.not_made} deliveries were abandoned."


def _commands(mail: PausedMail) -> tuple[str, str]:
    """The commands that resume the endpoint and redeliver what was abandoned."""
    account, endpoint = mail.endpoint.account_id, mail.endpoint.id
    since = f"{mail.since:%Y-%m-%dT%H:%MZ}"
    return (
        f"invoices webhook resume {account} {endpoint}",
        f"invoices webhook redeliver {account} --failed-since {since} --endpoint {endpoint}",
    )
