"""`IMAP_URL`: the mailbox to read. Error messages repeat no part of it."""

from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from serve_app.domain.user_error import UserError

_PORTS = {"imaps": 993, "imap": 143}
_LOOPBACK = ("127.0.0.1", "::1", "localhost")
_FORM = "IMAP_URL must look like imaps://user:password@host:993/INBOX"


@dataclass(frozen=True, slots=True)
class ImapAccount:
    """A folder of a mailbox. `tls`: encrypted from the first byte, otherwise by STARTTLS, except on this machine.
    Without a password, a token of OAuth is used."""

    host: str
    port: int
    tls: bool
    user: str
    folder: str
    password: str | None = field(default=None, repr=False)

    @property
    def is_local(self) -> bool:
        return self.host in _LOOPBACK

    @property
    def name(self) -> str:
        """Identifies the folder, and does not depend on the password."""
        return f"{self.user}@{self.host}:{self.port}/{self.folder}"


def parse_imap_url(url: str) -> ImapAccount:
    """Raises UserError. Special characters of user, password and folder are percent codes."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise UserError(_FORM) from None
    if parts.scheme not in _PORTS or not parts.hostname or not parts.username or parts.query or parts.fragment:
        raise UserError(_FORM)
    return ImapAccount(
        host=parts.hostname,
        port=port or _PORTS[parts.scheme],
        tls=parts.scheme == "imaps",
        user=unquote(parts.username),
        folder=unquote(parts.path.strip("/")) or "INBOX",
        password=unquote(parts.password) if parts.password else None,
    )
