"""Whether a request comes from the provider: it knows a secret, or has signed with one."""

import base64
import binascii
import hashlib
import hmac
from datetime import datetime, timedelta

from pydantic import SecretStr

from serve_app.http.errors import WrongMailSecret, WrongMailSignature

MAILGUN_LIFE = timedelta(hours=12)
"""How old a signature of Mailgun may be: it tries for 8 hours."""


def check_secret(authorization: str | None, secret: SecretStr) -> None:
    """The secret, as a bearer token or as the password of any user. Raises WrongMailSecret."""
    scheme, _, value = (authorization or "").partition(" ")
    given = {"bearer": value.strip(), "basic": _password(value)}.get(scheme.lower(), "")
    if not hmac.compare_digest(given.encode(), secret.get_secret_value().encode()):
        raise WrongMailSecret


def check_mailgun(fields: dict[str, bytes], key: SecretStr, now: datetime) -> None:
    """HMAC-SHA256 of the time and a token. It does not cover the mail, so it protects only as https does. Raises
    WrongMailSignature."""
    signed_at, token = fields.get("timestamp", b""), fields.get("token", b"")
    expected = hmac.new(key.get_secret_value().encode(), signed_at + token, hashlib.sha256).hexdigest()
    if not hmac.compare_digest(fields.get("signature", b""), expected.encode()):
        raise WrongMailSignature
    # Only Mailgun can have written it, so it is a number.
    if abs(now.timestamp() - int(signed_at)) > MAILGUN_LIFE.total_seconds():
        raise WrongMailSignature


def _password(value: str) -> str:
    try:
        return base64.b64decode(value.strip(), validate=True).decode().partition(":")[2]
    except (binascii.Error, UnicodeDecodeError):
        return ""
