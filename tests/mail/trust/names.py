"""A name server in memory, and signed mails."""

from functools import cache

import dkim
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from serve_app.domain.inbound_mail import Envelope, Way
from serve_app.mail.trust.dns import DnsUnavailable

PEER = "93.184.216.34"
"""The server of example.com, by its SPF record."""


class FakeDns:
    """Answers from `records`, by name and kind; `is_away` raises instead."""

    def __init__(self, records: dict[tuple[str, str], list[str]] | None = None) -> None:
        self.records = records or {}
        self.is_away = False
        self.asked: list[str] = []

    def txt(self, name: str) -> list[bytes]:
        return [text.encode() for text in self._find(name, "TXT")]

    def hosts(self, name: str, kind: str) -> list[str]:
        return self._find(name, kind)

    def mx(self, name: str) -> list[tuple[int, str]]:
        return [(10, host) for host in self._find(name, "MX")]

    def _find(self, name: str, kind: str) -> list[str]:
        if self.is_away:
            raise DnsUnavailable(name)
        self.asked.append(name)
        return self.records.get((name.rstrip(".").lower(), kind), [])


@cache
def _key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, 2048)


def key_record() -> str:
    """The record with the public key of `signed`."""
    public = _key().public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
    return "v=DKIM1; k=rsa; p=" + "".join(public.splitlines()[1:-1])


def names(**policies: str) -> FakeDns:
    """example.com with SPF, a key for DKIM (selector `s1`), and a DMARC policy; `policies` are DMARC records by domain,
    with `_` for a dot."""
    records = {
        ("example.com", "TXT"): ["something=else", f"v=spf1 ip4:{PEER} -all"],
        ("s1._domainkey.example.com", "TXT"): [key_record()],
        ("_dmarc.example.com", "TXT"): ["v=DMARC1; p=reject"],
    }
    records |= {(f"_dmarc.{name.replace('_', '.')}", "TXT"): [text] for name, text in policies.items()}
    return FakeDns(records)


def mail(sender: str = "Anna <anna@example.com>", body: str = "Hello", more: str = "") -> bytes:
    """A mail without a signature."""
    return f"{more}From: {sender}\r\nTo: a@in.test\r\nSubject: Invoice\r\n\r\n{body}\r\n".encode()


def signed(raw: bytes, domain: str = "example.com", headers: tuple[bytes, ...] = (b"from",), **options: bool) -> bytes:
    """The mail with a signature of `domain` over these headers."""
    private = _key().private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
    signature: bytes = dkim.sign(raw, b"s1", domain.encode(), private, include_headers=list(headers), **options)
    return signature + raw


def envelope(sender: str = "anna@example.com", peer: str | None = PEER, way: Way = Way.SMTP) -> Envelope:
    """How a mail came."""
    return Envelope("a@in.test", way, sender, peer, "mx.example.com")
