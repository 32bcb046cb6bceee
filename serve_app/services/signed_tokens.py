"""Signed tokens with a time, for links that are their own authority."""

from hashlib import sha256

from itsdangerous import TimestampSigner, URLSafeTimedSerializer

from serve_app.domain.clock import Clock


def timed_tokens(signing_key: str, purpose: str, clock: Clock) -> URLSafeTimedSerializer:
    """Makes and reads tokens; those of another purpose, or signed with another key, are bad ones."""

    class Signer(TimestampSigner):
        def get_timestamp(self) -> int:
            return int(clock().timestamp())

    options = {"digest_method": sha256, "key_derivation": "hmac"}
    return URLSafeTimedSerializer(signing_key, salt=purpose, signer=Signer, signer_kwargs=options)
