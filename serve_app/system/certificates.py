"""Certificates in files."""

from datetime import datetime
from pathlib import Path

from cryptography import x509


def expires_at(path: Path) -> datetime:
    """When the first certificate of a PEM file expires. Raises OSError or ValueError if there is none."""
    return x509.load_pem_x509_certificate(path.read_bytes()).not_valid_after_utc
