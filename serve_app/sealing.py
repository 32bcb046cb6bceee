"""Secrets that have to be read again, encrypted for the store (ADR 0024)."""

from collections.abc import Sequence

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

_RULE = (
    "the encryption key (ENCRYPTION_KEY or its file) must be 32 random bytes in URL-safe base64, 44 characters, as made"
    " by: head -c 32 /dev/urandom | base64 | tr +/ -_; several are separated by commas"
)


class Sealer:
    """Encrypts with the first of its keys and decrypts with whichever fits, so that a deployment can change its key."""

    def __init__(self, keys: Sequence[str]) -> None:
        """ValueError where there is no key, or one is malformed; it repeats none of them."""
        try:
            self._fernet = MultiFernet([Fernet(key) for key in keys])
        except ValueError:
            raise ValueError(_RULE) from None

    def seal(self, text: str) -> str:
        """The text, encrypted and protected against change; another result each time."""
        return self._fernet.encrypt(text.encode()).decode()

    def open(self, sealed: str) -> str:
        """The text that was sealed. ValueError where no key fits, or what was sealed has changed."""
        try:
            return self._fernet.decrypt(sealed).decode()
        except (InvalidToken, ValueError):
            raise ValueError("a secret was sealed with another encryption key than those of this deployment") from None


def new_key() -> str:
    """A random key."""
    return Fernet.generate_key().decode()


def keys_in(text: str) -> list[str]:
    """The keys in a text that separates them by commas."""
    return [part.strip() for part in text.split(",") if part.strip()]
