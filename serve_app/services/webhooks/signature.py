"""Signatures of webhooks, after the Standard Webhooks specification (https://www.standardwebhooks.com), version 1."""

import base64
import hashlib
import hmac
from collections.abc import Mapping, Sequence

SECRET_PREFIX = "whsec_"  # noqa: S105 - the beginning of every secret, none itself


def sign(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """`v1,` and the base64 of HMAC-SHA256 over `{message_id}.{timestamp}.{body}`, with the bytes that follow `whsec_`
    in `secret` as the key. Raises ValueError if the secret is not base64."""
    key = base64.b64decode(secret.removeprefix(SECRET_PREFIX), validate=True)
    signed = f"{message_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()


def signed_headers(secrets: Sequence[str], message_id: str, timestamp: int, body: bytes) -> Mapping[str, str]:
    """The headers of a delivery: one signature per secret, so that a receiver needs to know only one of them.
    `timestamp` is in seconds since 1970."""
    return {
        "content-type": "application/json",
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(sign(secret, message_id, timestamp, body) for secret in secrets),
    }
