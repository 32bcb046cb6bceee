"""Query parameters that are read more strictly than the framework would: what they accept is what their schema says."""

import re
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any
from uuid import UUID

from fastapi import Query
from pydantic import BeforeValidator, WithJsonSchema

from serve_app.api.schema_details import EVENT_ID

_DATE_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)?")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?")
_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


def _flag(text: Any) -> Any:
    # Python's clients write True for true.
    known = {"true": True, "false": False}
    if not isinstance(text, str):
        return text
    if text.lower() not in known:
        raise ValueError("must be true or false")
    return known[text.lower()]


def _moment(text: Any) -> Any:
    """RFC 3339; without an offset it is UTC. A plus sign that was not escaped arrives as a space."""
    if not isinstance(text, str):
        return text
    text = re.sub(r" (?=\d\d:\d\d$)", "+", text.strip()) if text.count(":") > 2 else text
    if _DATE_TIME.fullmatch(text) is None:
        raise ValueError("must be a date-time as 2026-01-31T12:00:00Z")
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _day(text: Any) -> Any:
    if not isinstance(text, str):
        return text
    if _DATE.fullmatch(text) is None:
        raise ValueError("must be a date as 2026-01-31")
    return date.fromisoformat(text)


def _number(text: Any) -> Any:
    if not isinstance(text, str):
        return text
    if _NUMBER.fullmatch(text) is None:
        raise ValueError("must be a number")
    try:
        return Decimal(text)
    except InvalidOperation:
        raise ValueError("must be a number") from None


def _id(text: Any) -> Any:
    if not isinstance(text, str):
        return text
    if _UUID.fullmatch(text) is None:
        raise ValueError("must be a uuid")
    return UUID(text)


Flag = Annotated[bool, BeforeValidator(_flag), WithJsonSchema({"type": "boolean"})]
Moment = Annotated[datetime, BeforeValidator(_moment), WithJsonSchema({"type": "string", "format": "date-time"})]
Day = Annotated[date, BeforeValidator(_day), WithJsonSchema({"type": "string", "format": "date"})]
Amount = Annotated[Decimal, BeforeValidator(_number), WithJsonSchema({"type": "number"})]
Identifier = Annotated[UUID, BeforeValidator(_id), WithJsonSchema({"type": "string", "format": "uuid"})]
EventId = Annotated[str, WithJsonSchema({"type": "string", "pattern": EVENT_ID})]
Limit = Annotated[int, Query(ge=1, le=100, description="How many at most.")]
