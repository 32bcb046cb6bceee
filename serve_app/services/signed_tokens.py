"""Signed tokens with a time, for links that are their own authority."""

from collections.abc import Callable
from datetime import datetime
from hashlib import sha256

from itsdangerous import TimestampSigner, URLSafeTimedSerializer


def timed_tokens(signing_key: str, purpose: str, clock: Callable[[], datetime]) -> URLSafeTimedSerializer:
    """Makes and reads tokens; those of another purpose, or signed with another key, are bad ones."""

    class Signer(TimestampSigner):
        def get_timestamp(self) -> int:
            return int(clock().timestamp())

    options = {"digest_method": sha256, "key_derivation": "hmac"}
    return URLSafeTimedSerializer(signing_key, salt=purpose, signer=Signer, signer_kwargs=options)
