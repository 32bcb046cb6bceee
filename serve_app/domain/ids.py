"""Identifiers: UUID version 7 (RFC 9562), whose order is oldest first."""

import hashlib
import re
from datetime import datetime
from uuid import UUID

from uuid6 import uuid7

_WRITTEN = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII | re.IGNORECASE)


def new_id() -> UUID:
    """A new time-ordered identifier."""
    return UUID(int=uuid7().int)


def first_id_at(moment: datetime) -> UUID:
    """The smallest identifier that can be created at this moment: all earlier ones are smaller."""
    milliseconds = int(moment.timestamp() * 1000)
    return UUID(int=milliseconds << 80 | 7 << 76 | 2 << 62)


def derived_id(moment: datetime, seed: str) -> UUID:
    """An identifier that begins with this moment, and is always the same for the same moment and seed."""
    digest = int.from_bytes(hashlib.sha256(seed.encode()).digest()[:10], "big")
    return UUID(int=first_id_at(moment).int | (digest >> 64 & 0xFFF) << 64 | digest & ((1 << 62) - 1))


def parse_id(text: str) -> UUID | None:
    """The identifier written in `text`, in any case, or None if it is not one. Other notations, in braces or without
    hyphens, are rejected: an id has one address."""
    return UUID(text) if _WRITTEN.fullmatch(text) else None
