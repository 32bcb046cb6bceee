"""Identifiers. UUID version 7 (RFC 9562): newest last is id order."""

from uuid import UUID

from uuid6 import uuid7


def new_id() -> UUID:
    """A new time-ordered identifier."""
    return UUID(int=uuid7().int)


def parse_id(text: str) -> UUID | None:
    """The identifier written in `text`, or None where it is none."""
    try:
        return UUID(text)
    except ValueError:
        return None
