"""Fields that an account adds to its invoices."""

import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Any, Literal

from pydantic import Field

from serve_app.domain.errors import InvalidParameter
from serve_app.domain.folding import folded
from serve_app.domain.plain_text import one_line
from serve_app.domain.resource import Resource
from serve_app.domain.review_values import day_of, number_of, text_of

NAME_PATTERN = "^[a-z][a-z0-9_]{0,39}$"
MAX_FIELDS = 50
"""Of one account."""
MAX_LABEL = 80
MAX_WORDS = 20
"""Choices of a field, or captions."""
_NAME = re.compile(NAME_PATTERN, re.ASCII)


class OwnFieldType(StrEnum):
    """What the values of a field are."""

    TEXT = "text"
    NUMBER = "number"
    DATE = "date"
    CHOICE = "choice"


class OwnFieldScope(StrEnum):
    """What a value is about: the whole invoice, or one of its lines."""

    HEADER = "header"
    LINE = "line"


class OwnField(Resource):
    """A field that an account adds. `name` is its key in `custom` of invoices, or of their line items if its `scope` is
    `line`; it never changes, and neither do scope and type. `label` is for people.
    `choices` are the values that it can have, if its type is `choice`. `captions` are printed beside or above the
    value; further ones are learned. An invoice that lacks a `required` field needs a person."""

    object: Literal["field"] = "field"
    name: str
    label: str
    type: OwnFieldType
    scope: OwnFieldScope = OwnFieldScope.HEADER
    choices: list[str] = Field(default_factory=list)
    captions: list[str] = Field(default_factory=list)
    required: bool = False

    def normal(self, value: Any, param: str) -> str:
        """A value as it is stored: an exact decimal, an ISO date, one of the choices or a text. Raises
        InvalidParameter."""
        try:
            return self._normal(value)
        except InvalidParameter as error:
            raise InvalidParameter(error.message, param) from None

    def parsed(self, value: str) -> str | Decimal | date:
        """A stored value as its type."""
        try:
            match self.type:
                case OwnFieldType.NUMBER:
                    return Decimal(value)
                case OwnFieldType.DATE:
                    return date.fromisoformat(value)
                case _:
                    return value
        except (InvalidOperation, ValueError):
            # Of a field that had the name before, with another type.
            return value

    def _normal(self, value: Any) -> str:
        if self.type is OwnFieldType.NUMBER:
            return plain_number(Decimal(number_of(self.name, value)))
        if self.type is OwnFieldType.DATE:
            return day_of(self.name, value)
        text = text_of(self.name, value)
        if self.type is OwnFieldType.TEXT:
            return text
        for choice in self.choices:
            if folded(choice) == folded(text):
                return choice
        raise InvalidParameter(f"{self.name}: not one of {', '.join(self.choices)}.")


def plain_number(number: Decimal) -> str:
    """A number in the one form in which equal numbers are equal texts: `12.5` of 12.50."""
    return format(number.normalize(), "f")


def checked_field(field: OwnField) -> OwnField:
    """The field with its texts on one line. Raises InvalidParameter."""
    if not _NAME.fullmatch(field.name):
        raise InvalidParameter("name: must begin with a to z, then have up to 39 of a to z, 0 to 9 and _.", "name")
    label = one_line(field.label)
    if not 0 < len(label) <= MAX_LABEL:
        raise InvalidParameter(f"label: enter 1 to {MAX_LABEL} characters.", "label")
    choices, captions = _texts("choices", field.choices), _texts("captions", field.captions)
    if bool(choices) != (field.type is OwnFieldType.CHOICE):
        raise InvalidParameter("choices: needed for the type `choice`, and only for it.", "choices")
    return field.model_copy(update={"label": label, "choices": choices, "captions": captions})


def _texts(param: str, texts: Sequence[str]) -> list[str]:
    """Each text once. Raises InvalidParameter."""
    found = {folded(text): text for text in map(one_line, texts) if text}
    if len(found) > MAX_WORDS or any(len(text) > MAX_LABEL for text in found):
        raise InvalidParameter(f"{param}: at most {MAX_WORDS} texts of {MAX_LABEL} characters.", param)
    return list(found.values())


def name_from(label: str) -> str:
    """The name that a label makes: `delivery_date` of `Delivery date`. Raises InvalidParameter if it makes none."""
    name = re.sub(r"[^a-z0-9]+", "_", folded(label)).strip("_")[:40].strip("_")
    if not _NAME.fullmatch(name):
        raise InvalidParameter("name: enter a name; the label makes none.", "name")
    return name
