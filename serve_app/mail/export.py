"""The mail with the file of an export."""

from email.headerregistry import Address
from email.message import EmailMessage

from serve_app.domain.export import Export
from serve_app.mail.message import compose


class ComposeExport:
    """Writes the mail."""

    def __init__(self, sender: Address) -> None:
        self._sender = sender

    def __call__(self, export: Export, content: bytes, to: str) -> EmailMessage:
        """Raises MailError if the address is none."""
        message = compose(
            "export",
            {"export": export},
            sender=self._sender,
            to=to,
            subject=f"Export of {len(export.invoices)} invoices: {export.file_name}",
            sent_at=export.created_at,
            message_id=f"<export.{export.id}@{self._sender.domain}>",
        )
        # As bytes: a text would be sent in another encoding, with other line ends.
        message.add_attachment(content, maintype="application", subtype="octet-stream", filename=export.file_name)
        return message
