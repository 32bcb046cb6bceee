"""`SMTP_URL`: the server that accepts mail. Error messages repeat no part of it."""

from dataclasses import dataclass, field
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from serve_app.domain.user_error import UserError

_DEFAULT_PORTS = {"smtp": 587, "smtps": 465}
_STARTTLS = {"required": True, "no": False}
_ESCAPE = "write special characters in user and password as percent codes (`/` is %2F, `#` is %23)"


@dataclass(frozen=True, slots=True)
class SmtpServer:
    """A server that accepts mail. `tls`: encrypted from the first byte; `starttls`: the connection must become
    encrypted before anything is sent. User and password are both set or both None."""

    host: str
    port: int
    tls: bool
    starttls: bool
    user: str | None = None
    password: str | None = field(default=None, repr=False)


def parse_smtp_url(url: str) -> SmtpServer:
    """Parse `smtp://user:password@host:587?starttls=required` or `smtps://user:password@host:465`. Raises UserError
    if it is neither."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise UserError(f"SMTP_URL cannot be read; {_ESCAPE}") from None
    if parts.scheme not in _DEFAULT_PORTS or not parts.hostname:
        raise UserError("SMTP_URL must look like smtp://user:password@host:587 or smtps://user:password@host:465")
    if parts.path not in {"", "/"} or parts.fragment:
        raise UserError(f"SMTP_URL must end after host and port; {_ESCAPE}")
    tls = parts.scheme == "smtps"
    user, password = _credentials(parts)
    return SmtpServer(
        host=parts.hostname,
        port=port or _DEFAULT_PORTS[parts.scheme],
        tls=tls,
        starttls=_starttls(parts.query, tls),
        user=user,
        password=password,
    )


def _credentials(parts: SplitResult) -> tuple[str | None, str | None]:
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    if bool(user) != bool(password):
        raise UserError("SMTP_URL must have both user and password, or none")
    return user or None, password or None


def _starttls(query: str, tls: bool) -> bool:
    if not query:
        return not tls
    options = parse_qsl(query, keep_blank_values=True)
    if tls or len(options) != 1 or options[0][0] != "starttls" or options[0][1] not in _STARTTLS:
        raise UserError(
            "the only option of SMTP_URL is starttls, for smtp:// only: starttls=required (default) or starttls=no"
        )
    return _STARTTLS[options[0][1]]
