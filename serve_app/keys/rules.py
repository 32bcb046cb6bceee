"""What the keys of a deployment must be, however they are given: in the environment or in a file."""

from serve_app.domain.user_error import UserError
from serve_app.keys.sealing import Sealer, keys_in

MIN_SIGNING_KEY = 32
"""Characters of the shortest signing key accepted."""
MAKE_A_KEY = "head -c 32 /dev/urandom | base64 | tr +/ -_"
"""A shell command that prints a key which is good for either purpose."""


def check_signing_key(text: str) -> str:
    """The signing key in `text`, or several on a line each, without the white space around them. Raises UserError if
    there is none or one is too short; the message does not contain it."""
    return "\n".join(signing_keys_in(text))


def signing_keys_in(text: str) -> list[str]:
    """The signing keys in a text, one on each line. Raises UserError as `check_signing_key` does."""
    keys = [line.strip() for line in text.splitlines() if line.strip()]
    shortest = min(map(len, keys), default=0)
    if shortest < MIN_SIGNING_KEY:
        raise UserError(
            f"the signing key must have at least {MIN_SIGNING_KEY} random characters, but has {shortest}; to create "
            f"one, run: {MAKE_A_KEY}"
        )
    return keys


def encryption_keys_in(text: str) -> list[str]:
    """The encryption keys in a text. Raises UserError as `check_encryption_key` does."""
    return keys_in(check_encryption_key(text))


def check_encryption_key(text: str) -> str:
    """The encryption key in `text`, or several separated by commas, without the white space around them. Raises
    UserError if there is none or one is malformed; the message does not contain it."""
    key = text.strip()
    Sealer(keys_in(key))
    return key
