"""Checks AWS Signature Version 4, as boto3 signs its requests.

Access key id and secret are both the API key: keys are stored as hashes, so no other secret is known here. The
signature thus protects the body and the time of a request, and the key itself travels as it does in a bearer header.
"""

import hashlib
import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import quote

from serve_app.domain.errors import UnknownKey
from serve_app.http.errors import MissingApiKey

WINDOW = timedelta(minutes=5)
"""How far the date of a signature may be from now."""
_ALGORITHM = "AWS4-HMAC-SHA256"
_HEADER = re.compile(
    rf"{_ALGORITHM} Credential=([^,\s]+)/(\d{{8}})/([^/,\s]+)/([^/,\s]+)/aws4_request,\s*"
    r"SignedHeaders=([^,\s]+),\s*Signature=([0-9a-f]{64})"
)
_REQUIRED = frozenset({"host", "x-amz-date", "x-amz-target"})


class MissingSignature(MissingApiKey):
    """No signature, or one that cannot be read."""

    message = "Sign the request with AWS Signature Version 4; access key id and secret are the API key."


class WrongSignature(UnknownKey):
    """A signature that does not match the request, or is too old."""

    message = "The signature does not match the request, or its date is more than 5 minutes from now."


@dataclass(frozen=True, slots=True)
class Signature:
    """What the `Authorization` header says."""

    access_key: str
    day: str
    region: str
    service: str
    signed: tuple[str, ...]
    hexdigest: str


def parse(authorization: str | None) -> Signature:
    """Raises MissingSignature."""
    matched = _HEADER.fullmatch((authorization or "").strip())
    if matched is None:
        raise MissingSignature
    key, day, region, service, signed, hexdigest = matched.groups()
    return Signature(key, day, region, service, tuple(signed.split(";")), hexdigest)


def check(signature: Signature, path: str, headers: Mapping[str, str], body_sha256: str, now: datetime) -> None:
    """Raises WrongSignature. The secret is the access key itself, which the caller must have looked up."""
    stamp = headers.get("x-amz-date", "")
    if signature.service != "textract" or not set(signature.signed) >= _REQUIRED or not _is_recent(stamp, now):
        raise WrongSignature
    canonical = _canonical(signature, path, headers, body_sha256)
    scope = f"{signature.day}/{signature.region}/{signature.service}/aws4_request"
    text = "\n".join((_ALGORITHM, stamp, scope, hashlib.sha256(canonical.encode()).hexdigest()))
    expected = hmac.new(_signing_key(signature), text.encode(), hashlib.sha256).hexdigest()
    if not stamp.startswith(signature.day) or not hmac.compare_digest(expected, signature.hexdigest):
        raise WrongSignature


def _canonical(signature: Signature, path: str, headers: Mapping[str, str], body_sha256: str) -> str:
    lines = [f"{name}:{' '.join(headers.get(name, '').split())}\n" for name in signature.signed]
    return "\n".join(("POST", quote(path, safe="/~"), "", "".join(lines), ";".join(signature.signed), body_sha256))


def _is_recent(stamp: str, now: datetime) -> bool:
    try:
        moment = datetime.strptime(stamp, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    except ValueError:
        return False
    return abs(now - moment) <= WINDOW


def _signing_key(signature: Signature) -> bytes:
    key = f"AWS4{signature.access_key}".encode()
    for part in (signature.day, signature.region, signature.service, "aws4_request"):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return key
