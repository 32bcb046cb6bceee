"""Signatures of Amazon SNS, which hands over the mails that Amazon SES has received."""

import base64
import binascii
import logging
import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.x509 import Certificate, load_pem_x509_certificate

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.errors import Unavailable
from serve_app.net.outcome import BadUrl, TooLarge, Unreachable
from serve_app.services.intake.file_urls import FileFetcher
from serve_app.system.thread_pools import DECODING

log = logging.getLogger(__name__)

_CERTIFICATE = re.compile(
    r"https://sns\.[a-z0-9-]{3,30}\.amazonaws\.com(\.cn)?/SimpleNotificationService-[A-Za-z0-9]{1,80}\.pem"
)
_CERTIFICATE_BYTES = 20_000
_MOST_CERTIFICATES = 20
_SIGNED = {
    "Notification": ("Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"),
    "SubscriptionConfirmation": ("Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"),
}
_HASHES: Mapping[str, Callable[[], hashes.HashAlgorithm]] = {"1": hashes.SHA1, "2": hashes.SHA256}


class CertificateAway(Unavailable):
    """The certificate that a message was signed with cannot be fetched now."""

    def __init__(self, host: str) -> None:
        super().__init__(host)
        self.message = (
            f"The mail was not accepted, because the certificate of Amazon SNS could not be fetched from {host}. Allow "
            "https requests from the service to this host."
        )


class SnsSignatures:
    """Checks them with the certificates that Amazon publishes, which `fetch` gets; each is fetched once. A message that
    comes again is no danger: the same mail is kept once."""

    def __init__(self, fetch: FileFetcher, clock: Clock = utc_now) -> None:
        self._fetch = fetch
        self._clock = clock
        self._certificates: dict[str, Certificate] = {}

    async def is_signed(self, message: Mapping[str, Any]) -> bool:
        """Whether Amazon SNS has signed the message. Raises CertificateAway if the certificate cannot be had now."""
        url, algorithm = message.get("SigningCertURL"), _HASHES.get(str(message.get("SignatureVersion")))
        text = _signed_text(message)
        if not isinstance(url, str) or not _CERTIFICATE.fullmatch(url) or algorithm is None or text is None:
            return False
        certificate = await self._certificate(url)
        if not self._is_valid(certificate):
            log.error("the certificate of Amazon SNS is not valid at this time; check the clock")
            return False
        return await DECODING.run(_is_good, certificate, message.get("Signature"), text, algorithm())

    async def _certificate(self, url: str) -> Certificate:
        if url not in self._certificates:
            try:
                fetched = await self._fetch(url, _CERTIFICATE_BYTES)
                certificate = load_pem_x509_certificate(fetched.data)
            except (BadUrl, Unreachable, TooLarge) as error:
                host = urlsplit(url).hostname or ""
                log.error("the certificate of Amazon SNS cannot be fetched from %s: %s", host, type(error).__name__)
                raise CertificateAway(host) from None
            except ValueError:
                log.error("the response of %s is not a certificate", urlsplit(url).hostname)
                raise CertificateAway(urlsplit(url).hostname or "") from None
            if len(self._certificates) >= _MOST_CERTIFICATES:
                self._certificates.clear()
            self._certificates[url] = certificate
        return self._certificates[url]

    def _is_valid(self, certificate: Certificate) -> bool:
        return certificate.not_valid_before_utc <= self._clock() <= certificate.not_valid_after_utc


def _signed_text(message: Mapping[str, Any]) -> bytes | None:
    """What is signed of it; None for a kind of message that is not known."""
    names = _SIGNED.get(str(message.get("Type")))
    if names is None:
        return None
    pairs = ((name, message[name]) for name in names if message.get(name) is not None)
    return "".join(f"{name}\n{value}\n" for name, value in pairs).encode("utf-8", "surrogatepass")


def _is_good(certificate: Certificate, signature: object, text: bytes, algorithm: hashes.HashAlgorithm) -> bool:
    key = certificate.public_key()
    if not isinstance(key, RSAPublicKey) or not isinstance(signature, str):
        return False
    try:
        key.verify(base64.b64decode(signature, validate=True), text, PKCS1v15(), algorithm)
    except (InvalidSignature, binascii.Error):
        return False
    return True
