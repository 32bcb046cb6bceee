"""The values inside codes, in the notations that the standards of codes prescribe."""

import re
from base64 import b64decode, urlsafe_b64decode
from datetime import date, datetime
from decimal import Decimal
from urllib.parse import SplitResult, parse_qsl, urlsplit

_AMOUNT = re.compile(r"-?\d{1,13}(?:[.,]\d{1,6})?")
_CENT = Decimal("0.01")


def amount_of(text: str | None) -> Decimal | None:
    """An amount with at most one separator, that of decimals; None for an empty one. Raise ValueError for others."""
    text = (text or "").strip()
    if not text:
        return None
    if not _AMOUNT.fullmatch(text):
        raise ValueError("no amount")
    return Decimal(text.replace(",", ".")).normalize() + 0


def cents_of(text: str) -> Decimal | None:
    """An amount given in cents; None for zero, which stands for "to be filled in"."""
    if not text.isascii() or not text.isdecimal() or len(text) > 15:
        raise ValueError("no amount")
    return int(text) * _CENT if int(text) else None


def day_of(text: str | None, *formats: str) -> date | None:
    """A date in one of some formats (those of `strptime`); None for an empty one. Raise ValueError for others."""
    text = (text or "").strip()
    if not text:
        return None
    for each in formats:
        try:
            return datetime.strptime(text, each).date()  # noqa: DTZ007 - a day, in the issuer's own zone
        except ValueError:
            continue
    raise ValueError("no date")


def text_of(text: str | None) -> str | None:
    """A text on one line; None for an empty one."""
    return " ".join((text or "").split()) or None


def texts_of(*texts: str | None) -> tuple[str, ...]:
    """Identifiers without gaps, without those that are empty."""
    return tuple("".join(text.split()) for text in texts if text and text.strip())


def address_of(text: str) -> SplitResult | None:
    """The parts of an address; None for a text that is none."""
    try:
        return urlsplit(text.strip())
    except ValueError:
        return None


def query_of(url: str, *hosts: str) -> dict[str, str] | None:
    """The parameters of an address (the last one of each name, names in lower case), if it is one of some hosts or of
    a host below them."""
    parts = address_of(url)
    host = (parts.hostname or "").lower() if parts else ""
    if parts is None or parts.scheme.lower() not in ("http", "https"):
        return None
    if not any(host == each or host.endswith(f".{each}") for each in hosts):
        return None
    return {name.lower(): value for name, value in parse_qsl(parts.query, max_num_fields=40)}


def bytes_of(text: str) -> bytes:
    """Base64, with or without its padding, in either alphabet."""
    text = "".join(text.split()).rstrip("=")
    padded = text + "=" * (-len(text) % 4)
    return urlsafe_b64decode(padded) if set("-_") & set(padded) else b64decode(padded, validate=True)
