"""What an address asks a list for, beyond what the framework reads."""

from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from typing import TypeVar
from urllib.parse import urlencode
from uuid import UUID

from serve_app.domain.errors import InvalidParameter
from serve_app.domain.ids import parse_id

E = TypeVar("E", bound=StrEnum)

_MOMENT = timedelta(microseconds=1)


def path_with(path: str, **values: object) -> str:
    """The path with these values as its query, without those that are empty."""
    query = urlencode({name: str(value) for name, value in values.items() if value not in (None, "")})
    return f"{path}?{query}" if query else path


def one_of(kind: type[E], text: str) -> E | None:
    """The value that the text names; None for an empty one. Raises InvalidParameter."""
    if not text:
        return None
    try:
        return kind(text)
    except ValueError:
        raise InvalidParameter(f"“{text}” is not one of {', '.join(kind)}.") from None


def id_of(text: str) -> UUID | None:
    """The id in the text; None for an empty one. Raises InvalidParameter."""
    if not text:
        return None
    found = parse_id(text.strip())
    if found is None:
        raise InvalidParameter(f"“{text}” is not an id.")
    return found


def require_id(text: str) -> UUID:
    """The id in a path. Raises LookupError, as for an id that is unknown."""
    found = parse_id(text)
    if found is None:
        raise LookupError(text)
    return found


def from_day(text: str) -> datetime | None:
    """The last moment before a day (UTC), for a strict bound; None for an empty text. Raises InvalidParameter."""
    day = _day(text)
    return None if day is None else datetime.combine(day, time(), UTC) - _MOMENT


def until_day(text: str) -> datetime | None:
    """The first moment after a day (UTC), for a strict bound; None for an empty text. Raises InvalidParameter."""
    day = _day(text)
    return None if day is None else datetime.combine(day, time(), UTC) + timedelta(days=1)


def _day(text: str) -> date | None:
    if not text:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InvalidParameter(f"“{text}” is not a date. Write it as 2026-05-17.") from None
