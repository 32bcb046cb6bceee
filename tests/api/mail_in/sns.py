"""Messages of Amazon SNS, with a certificate of our own in the place of Amazon's."""

import base64
import json
from datetime import timedelta
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA1, SHA256
from cryptography.hazmat.primitives.serialization import Encoding

from serve_app.net.outcome import Fetched
from serve_app.services.intake.file_urls import FileFetcher
from tests.support import NOON

CERTIFICATE_URL = (
    "https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-9c6465fa7f48f5cacd23014631ec1136.pem"
)


def certified(days: int = 30) -> tuple[RSAPrivateKey, bytes]:
    """A key, and its certificate that is valid for some days from now on."""
    key, name = generate_private_key(65537, 2048), x509.Name([])
    start = min(NOON, NOON + timedelta(days=days - 1))
    builder = x509.CertificateBuilder(name, name, key.public_key(), 1, start, NOON + timedelta(days=days))
    return key, builder.sign(key, SHA256()).public_bytes(Encoding.PEM)


KEY, CERTIFICATE = certified()


def signed(message: dict[str, Any], key: RSAPrivateKey = KEY, version: str = "2") -> dict[str, Any]:
    """A message of Amazon SNS with its signature."""
    names = ("Message", "MessageId", "Subject", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type")
    text = "".join(f"{name}\n{message[name]}\n" for name in names if name in message)
    algorithm = SHA256() if version == "2" else SHA1()  # noqa: S303
    signature = base64.b64encode(key.sign(text.encode(), PKCS1v15(), algorithm)).decode()
    return message | {"SignatureVersion": version, "Signature": signature, "SigningCertURL": CERTIFICATE_URL}


def notification(message: dict[str, Any]) -> dict[str, Any]:
    return {
        "Type": "Notification",
        "MessageId": "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324",
        "TopicArn": "arn:aws:sns:eu-central-1:123456789012:mails",
        "Subject": "Amazon SES Email Receipt Notification",
        "Message": json.dumps(message),
        "Timestamp": "2026-05-17T11:00:00.000Z",
    }


def sns(message: dict[str, Any]) -> str:
    """A notification of Amazon SNS."""
    return json.dumps(signed(notification(message)))


def answering(certificate: bytes, asked: list[str]) -> FileFetcher:
    async def fetch(url: str, max_bytes: int) -> Fetched:
        asked.append(url)
        return Fetched(certificate, None, "application/x-pem-file")

    return fetch
