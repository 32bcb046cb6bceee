"""What an `sftp://` URL names."""

import posixpath
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from serve_app.domain.user_error import UserError

_PORT = 22


@dataclass(frozen=True, slots=True)
class SftpPlace:
    """A folder on a server, by its absolute path."""

    host: str
    port: int
    user: str
    path: str

    @property
    def url(self) -> str:
        """The one way to write it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"sftp://{quote(self.user, safe='')}@{host}:{self.port}{quote(self.path)}"


@dataclass(frozen=True, slots=True)
class SftpAccess:
    """How the service signs in: with a key, a password, or both. The server's own key must be in `known_hosts`; None:
    the file of the user that runs the service."""

    key_file: Path | None = None
    password: str | None = None
    known_hosts: Path | None = None


def parse_sftp_url(url: str) -> SftpPlace:
    """Raises UserError, which repeats no password, for anything but `sftp://user@host:port/path`."""
    try:
        parts = urlsplit(url)
        port = parts.port or _PORT
    except ValueError:
        raise UserError("an sftp:// URL has the form sftp://user@host:22/path") from None
    if not parts.hostname or not parts.username or parts.query or parts.fragment:
        raise UserError("an sftp:// URL has the form sftp://user@host:22/path")
    if parts.password is not None:
        raise UserError("an sftp:// URL has no password; set WATCH_SFTP_PASSWORD or WATCH_SFTP_KEY_FILE")
    path = posixpath.normpath(f"/{unquote(parts.path).strip('/')}")
    return SftpPlace(parts.hostname, port, unquote(parts.username), path)
