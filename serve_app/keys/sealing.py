"""Encrypts secrets for the store that must be readable again later (ADR 0024)."""

import re
from collections.abc import Callable, Sequence

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from serve_app.domain.user_error import UserError

_RULE = (
    "the encryption key (ENCRYPTION_KEY or its file) must be 32 random bytes in URL-safe base64, 44 characters, as "
    "created by: head -c 32 /dev/urandom | base64 | tr +/ -_; several are separated by commas"
)


class Sealer:
    """Encrypts with its first key and decrypts with any key that fits, so that a deployment can rotate its key."""

    def __init__(self, keys: Sequence[str] | Callable[[], Sequence[str]]) -> None:
        """The keys, or what gives those of the moment. Raises UserError if there is no key or one is malformed; the
        message contains none of them."""
        self._keys = keys if callable(keys) else lambda: keys
        self._known = self._keys()
        self._fernet = _fernet_of(self._known)

    def seal(self, text: str) -> str:
        """The text, encrypted and authenticated; every call gives a different result."""
        return self._present().encrypt(text.encode()).decode()

    def open(self, sealed: str) -> str:
        """The text that was sealed. Raises UserError if no key fits or `sealed` was altered."""
        try:
            return self._present().decrypt(sealed).decode()
        except (InvalidToken, ValueError):
            raise UserError("the encryption keys of this deployment cannot decrypt a secret") from None

    def _present(self) -> MultiFernet:
        keys = self._keys()
        if keys != self._known:
            self._fernet, self._known = _fernet_of(keys), keys
        return self._fernet


def _fernet_of(keys: Sequence[str]) -> MultiFernet:
    try:
        return MultiFernet([Fernet(key) for key in keys])
    except ValueError:
        raise UserError(_RULE) from None


def new_key() -> str:
    """A random key."""
    return Fernet.generate_key().decode()


def keys_in(text: str) -> list[str]:
    """The keys in a text, separated by commas or lines."""
    return [part.strip() for part in re.split(r"[,\n]", text) if part.strip()]
