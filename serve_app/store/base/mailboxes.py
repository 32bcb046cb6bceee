"""How far each mailbox has been read."""

from typing import Protocol

from serve_app.domain.mailbox import MailboxPosition


class Mailboxes(Protocol):
    """By the name of the mailbox's folder."""

    async def position(self, name: str) -> MailboxPosition | None:
        """None if the folder was never read."""
        ...

    async def set_position(self, name: str, position: MailboxPosition) -> None:
        """Replace the position, whatever it was: one process reads a folder."""
        ...
