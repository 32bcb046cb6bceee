"""Query parameters with stricter parsing than the framework's: they accept exactly what their schema says."""

import math
import re
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Annotated, Any
from uuid import UUID

from fastapi import Query
from pydantic import BeforeValidator, Field, WithJsonSchema

from serve_app.domain.ids import parse_id
from serve_app.http.schema_details import EVENT_ID

MAX_IDS = 100
"""Ids in one parameter: as many as a page has invoices."""

# ASCII only, because `\d` otherwise also matches digits of other scripts.
_DATE_TIME = re.compile(r"(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:)(\d\d)((?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?)", re.ASCII)
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)
_WHOLE = re.compile(r"[+-]?\d+", re.ASCII)


def _flag(text: Any) -> Any:
    # Python clients send True for true.
    known = {"true": True, "false": False}
    if not isinstance(text, str):
        return text
    if text.lower() not in known:
        raise ValueError("must be true or false")
    return known[text.lower()]


def _moment(text: Any) -> Any:
    """Parse an RFC 3339 time; without an offset it is UTC. An unescaped plus sign arrives as a space."""
    if not isinstance(text, str):
        return text
    text = re.sub(r" (?=\d\d:\d\d$)", "+", text) if text.count(":") > 2 else text
    parts = _DATE_TIME.fullmatch(text.upper())
    if parts is None:
        raise ValueError("must be a date-time such as 2026-01-31T12:00:00Z")
    start, seconds, rest = parts.groups()
    if seconds != "60":
        return _aware(datetime.fromisoformat(start + seconds + rest))
    # Python does not support leap seconds. The second after a leap second has the same Unix time.
    return _a_second_after(_aware(datetime.fromisoformat(f"{start}59{rest}")))


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _a_second_after(moment: datetime) -> datetime:
    try:
        return moment + timedelta(seconds=1)
    except OverflowError:
        raise ValueError("must be a date-time before the year 10000") from None


def _day(text: Any) -> Any:
    if not isinstance(text, str):
        return text
    if _DATE.fullmatch(text) is None:
        raise ValueError("must be a date such as 2026-01-31")
    return date.fromisoformat(text)


def _number(text: Any) -> Any:
    if not isinstance(text, str):
        return text
    if _NUMBER.fullmatch(text) is None:
        raise ValueError("must be a number")
    number = Decimal(text)
    # Stores compare amounts as binary floating-point numbers.
    if not math.isfinite(float(number)):
        raise ValueError("must be a number of at most 300 digits")
    return number


def _whole(text: Any) -> Any:
    if isinstance(text, str) and _WHOLE.fullmatch(text) is None:
        raise ValueError("must be an integer")
    return text


def _id(text: Any) -> Any:
    if not isinstance(text, str):
        return text
    found = parse_id(text)
    if found is None:
        raise ValueError("must be a uuid")
    return found


def _ids(texts: Any) -> Any:
    """Ids, separated by commas or each in a parameter of its own, as generated clients send them."""
    parts = ",".join(texts).split(",") if isinstance(texts, list) else ()
    if not 1 <= len(parts) <= MAX_IDS:
        raise ValueError(f"must be 1 to {MAX_IDS} ids, separated by commas")
    return tuple(_id(part) for part in parts)


Flag = Annotated[bool, BeforeValidator(_flag), WithJsonSchema({"type": "boolean"})]
Moment = Annotated[datetime, BeforeValidator(_moment), WithJsonSchema({"type": "string", "format": "date-time"})]
Day = Annotated[date, BeforeValidator(_day), WithJsonSchema({"type": "string", "format": "date"})]
Amount = Annotated[Decimal, BeforeValidator(_number), WithJsonSchema({"type": "number"})]
Identifier = Annotated[UUID, BeforeValidator(_id), WithJsonSchema({"type": "string", "format": "uuid"})]
Identifiers = Annotated[
    tuple[UUID, ...],
    BeforeValidator(_ids),
    WithJsonSchema(
        {"type": "array", "items": {"type": "string", "format": "uuid"}, "minItems": 1, "maxItems": MAX_IDS}
    ),
]
EventId = Annotated[str, WithJsonSchema({"type": "string", "pattern": EVENT_ID})]
# The bounds stand next to the type: placed after the validator, they would be missing from the schema.
Limit = Annotated[int, Field(ge=1, le=100), BeforeValidator(_whole), Query(description="Maximum number of entries.")]
