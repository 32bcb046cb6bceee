"""What a person may give as a value, and how it is stored. Every function raises InvalidParameter, which says what is
wrong."""

import re
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

from serve_app.domain.errors import InvalidParameter
from serve_app.domain.invoice import DocumentType
from serve_app.domain.iso_4217 import CURRENCIES
from serve_app.domain.plain_text import one_line

_MAX_TEXT = 500
_MAX_AMOUNT = Decimal(10) ** 15
_DECIMALS = 6
_NUMBER = re.compile(r"-?\d{1,15}(\.\d+)?", re.ASCII)


def text_of(name: str, value: Any) -> str:
    """A text on one line."""
    text = one_line(str(value)).strip()
    if not text:
        raise InvalidParameter(f"{name}: an empty text; send null for a value that is not printed.")
    if len(text) > _MAX_TEXT:
        raise InvalidParameter(f"{name}: at most {_MAX_TEXT} characters.")
    return text


def compact_of(name: str, value: Any) -> str:
    """A text in which gaps mean nothing."""
    return "".join(text_of(name, value).split()).upper()


def number_of(name: str, value: Any) -> str:
    """An exact decimal."""
    text = str(value)
    try:
        number = Decimal(text) if _NUMBER.fullmatch(text) else None
    except InvalidOperation:
        number = None
    if number is None or abs(number) >= _MAX_AMOUNT:
        raise InvalidParameter(f"{name}: not a number such as 1234.50.")
    exponent = number.as_tuple().exponent
    if isinstance(exponent, int) and -exponent > _DECIMALS:
        raise InvalidParameter(f"{name}: at most {_DECIMALS} decimals.")
    return format(number, "f")


def day_of(name: str, value: Any) -> str:
    """An ISO 8601 date."""
    try:
        return date.fromisoformat(str(value)).isoformat()
    except ValueError:
        raise InvalidParameter(f"{name}: not a date such as 2026-01-31.") from None


def currency_of(name: str, value: Any) -> str:
    """An ISO 4217 code."""
    text = text_of(name, value).upper()
    if text not in CURRENCIES:
        raise InvalidParameter(f"{name}: not a currency of ISO 4217, such as EUR.")
    return text


def type_of(name: str, value: Any) -> str:
    """The kind of document."""
    if value not in set(DocumentType):
        raise InvalidParameter(f"{name}: not one of {', '.join(DocumentType)}.")
    return str(value)
