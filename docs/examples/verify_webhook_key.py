import base64
import json
import time
from collections.abc import Mapping
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


def verify(public_key: str, headers: Mapping[str, str], body: bytes) -> Any:
    """The event. ValueError where it is changed, over five minutes old or signed with another key."""
    id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(timestamp)) > 300:
        raise ValueError("too old, or not from now")
    key = Ed25519PublicKey.from_public_bytes(base64.b64decode(public_key.removeprefix("whpk_")))
    for signature in headers["webhook-signature"].split():
        version, _, text = signature.partition(",")
        if version == "v1a":
            try:
                key.verify(base64.b64decode(text), f"{id}.{timestamp}.".encode() + body)
                return json.loads(body)
            except InvalidSignature:
                continue
    raise ValueError("not signed")
