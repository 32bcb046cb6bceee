"""The signature of packages: Ed25519, with a key that is derived from the deployment's signing key, so that there is no
further secret to keep."""

import hmac
from hashlib import sha256

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

_PURPOSE = b"signature of packages, version 1"


class PackageSigner:
    """Signs with one key, for one package."""

    def __init__(self, signing_key: str) -> None:
        seed = hmac.digest(signing_key.encode(), _PURPOSE, sha256)
        self._key = Ed25519PrivateKey.from_private_bytes(seed)

    def sign(self, data: bytes) -> bytes:
        return self._key.sign(data)

    @property
    def public_key(self) -> bytes:
        """PEM."""
        return self._key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
