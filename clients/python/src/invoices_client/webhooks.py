"""Webhooks as receivers check them: https://www.standardwebhooks.com."""

import base64
import binascii
import hashlib
import hmac
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import cast

from invoices_client.calls import parse
from invoices_client.errors import WebhookVerificationError
from invoices_client.models import DeletedEvent, Event


def verify(
    body: bytes | str,
    headers: Mapping[str, str],
    secrets: str | Iterable[str],
    *,
    tolerance: float = 300.0,
    now: float | None = None,
) -> Event | DeletedEvent:
    """The event of a webhook, with its body exactly as received. Raises WebhookVerificationError unless it is signed
    with one of the secrets, at most `tolerance` seconds ago.

    A public key (`whpk_`) can take the place of a secret; it needs the extra `key-pairs`.
    """
    verify_signature(body, headers, secrets, tolerance=tolerance, now=now)
    return cast("Event | DeletedEvent", parse(Event | DeletedEvent, body))


def verify_signature(
    body: bytes | str,
    headers: Mapping[str, str],
    secrets: str | Iterable[str],
    *,
    tolerance: float = 300.0,
    now: float | None = None,
) -> None:
    """What `verify` does, without reading the body."""
    found = {name.lower(): value for name, value in headers.items()}
    try:
        id, timestamp, signatures = (found[f"webhook-{name}"] for name in ("id", "timestamp", "signature"))
        age = abs((time.time() if now is None else now) - int(timestamp))
    except (KeyError, ValueError):
        raise WebhookVerificationError(
            "the headers webhook-id, -timestamp and -signature are missing or wrong"
        ) from None
    if age > tolerance:
        raise WebhookVerificationError(f"signed {age:.0f} s from now")
    text = f"{id}.{timestamp}.".encode() + (body.encode() if isinstance(body, str) else body)
    keys = [secrets] if isinstance(secrets, str) else list(secrets)
    if not any(_is_signed(key, text, signatures) for key in keys):
        raise WebhookVerificationError("not signed with any of the secrets")


def _is_signed(key: str, text: bytes, signatures: str) -> bool:
    if key.startswith("whpk_"):
        return any(_is_signed_by_pair(_bytes_of(key[5:]), text, each) for each in _given(signatures, "v1a"))
    digest = hmac.new(_bytes_of(key.removeprefix("whsec_")), text, hashlib.sha256).digest()
    return any([hmac.compare_digest(digest, each) for each in _given(signatures, "v1")])


def _given(signatures: str, version: str) -> Iterator[bytes]:
    for each in signatures.split():
        found, _, value = each.partition(",")
        if found == version:
            try:
                yield base64.b64decode(value, validate=True)
            except binascii.Error:
                continue


def _bytes_of(key: str) -> bytes:
    try:
        return base64.b64decode(key, validate=True)
    except binascii.Error:
        raise ValueError("a secret is `whsec_`, a public key `whpk_`, and base64") from None


def _is_signed_by_pair(public_key: bytes, text: bytes, signature: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, text)
    except InvalidSignature:
        return False
    return True
