"""Signed tokens with a timestamp, for links that need no other authorisation."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from hashlib import sha256
from hmac import compare_digest
from typing import Any

from itsdangerous import BadSignature, TimestampSigner, URLSafeTimedSerializer
from itsdangerous.encoding import base64_encode, want_bytes

from serve_app.domain.clock import Clock

CLOCKS_DIFFER = timedelta(minutes=5)
"""How far the clock of the process that made a token may be ahead of that of the process that reads it."""


class BadToken(Exception):
    """Not signed with this key for this purpose, or changed."""


class ExpiredToken(Exception):
    """Signed correctly, but too old."""


SigningKeys = str | Callable[[], Sequence[str]]
"""A key, or what gives the keys of the moment: the first signs, and what any of them signed is good."""


class TimedTokens:
    """Makes and reads tokens that are valid for `life`. Tokens for another purpose or from another key are bad."""

    def __init__(self, signing_keys: SigningKeys, purpose: str, life: timedelta, clock: Clock) -> None:
        self._keys = signing_keys if callable(signing_keys) else lambda: [signing_keys]
        self._purpose = purpose
        self._life = life
        self._clock = clock

    def write(self, value: list[Any]) -> str:
        """A token that carries `value`, timestamped now."""
        return str(self._serializer().dumps(value))

    def read(self, token: str) -> list[Any]:
        """The token's value. Raises ExpiredToken or BadToken; one made more than `CLOCKS_DIFFER` ahead is bad."""
        try:
            value, made_at = self._serializer().loads(token, return_timestamp=True)
        except BadSignature:
            raise BadToken from None
        age = self._now() - int(made_at.timestamp())
        if age < -CLOCKS_DIFFER.total_seconds():
            raise BadToken
        if age > self._life.total_seconds():
            raise ExpiredToken
        return list(value)

    def _serializer(self) -> URLSafeTimedSerializer:
        options = {"digest_method": sha256, "key_derivation": "hmac"}
        # The library wants the current key last.
        keys = list(reversed(self._keys()))
        return URLSafeTimedSerializer(keys, salt=self._purpose, signer=_signer(self._now), signer_kwargs=options)

    def _now(self) -> int:
        return int(self._clock().timestamp())


def _signer(now: Callable[[], int]) -> type[TimestampSigner]:
    class Signer(TimestampSigner):
        def get_timestamp(self) -> int:
            return now()

        def verify_signature(self, value: str | bytes, sig: str | bytes) -> bool:
            # Compared as text: decoding drops bits of the last character, so several texts decode to the same bytes.
            keys = (self.derive_key(key) for key in self.secret_keys)
            good = (base64_encode(self.algorithm.get_signature(key, want_bytes(value))) for key in keys)
            return any([compare_digest(each, want_bytes(sig)) for each in good])

    return Signer
