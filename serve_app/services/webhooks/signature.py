"""Signatures of webhooks, after the Standard Webhooks specification (https://www.standardwebhooks.com): `v1` with a
secret that the receiver shares, `v1a` with a private key, which the receiver verifies with the public one."""

import base64
import hashlib
import hmac
from collections.abc import Mapping, Sequence

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

SECRET_PREFIX = "whsec_"  # noqa: S105 - the beginning of every secret, none itself
PRIVATE_PREFIX = "whsk_"
PUBLIC_PREFIX = "whpk_"
_SEED_BYTES = 32


def new_key_pair() -> tuple[str, str]:
    """A random private key of Ed25519, and its public key: `whsk_` and base64 of both, `whpk_` and base64 of the public
    one."""
    key = Ed25519PrivateKey.generate()
    public = key.public_key().public_bytes_raw()
    return PRIVATE_PREFIX + _encoded(key.private_bytes_raw() + public), PUBLIC_PREFIX + _encoded(public)


def sign(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """The signature of `{message_id}.{timestamp}.{body}`: for a private key `v1a,` and the base64 of Ed25519's, for a
    secret `v1,` and the base64 of HMAC-SHA256 with the bytes that follow `whsec_` as the key. Raises ValueError if the
    secret is not base64."""
    signed = f"{message_id}.{timestamp}.".encode() + body
    if secret.startswith(PRIVATE_PREFIX):
        seed = base64.b64decode(secret.removeprefix(PRIVATE_PREFIX), validate=True)[:_SEED_BYTES]
        return "v1a," + _encoded(Ed25519PrivateKey.from_private_bytes(seed).sign(signed))
    key = base64.b64decode(secret.removeprefix(SECRET_PREFIX), validate=True)
    return "v1," + _encoded(hmac.digest(key, signed, hashlib.sha256))


def signed_headers(secrets: Sequence[str], message_id: str, timestamp: int, body: bytes) -> Mapping[str, str]:
    """The headers of a delivery: one signature per secret or private key, so that a receiver needs to know only one of
    them. `timestamp` is in seconds since 1970."""
    return {
        "content-type": "application/json",
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(sign(secret, message_id, timestamp, body) for secret in secrets),
    }


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()
