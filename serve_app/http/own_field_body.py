"""The bodies that change own fields and their values."""

from typing import Annotated

from pydantic import BeforeValidator, Field

from serve_app.domain.own_field import MAX_LABEL, MAX_WORDS, OwnField, OwnFieldScope, OwnFieldType
from serve_app.domain.own_values import own_field_name
from serve_app.domain.review_tables import MAX_ROWS
from serve_app.http.bodies import Body
from serve_app.http.review_body import CitationBody, Value, whole
from serve_app.services.own_fields.values import NewValue

_Text = Annotated[str, Field(min_length=1, max_length=MAX_LABEL)]


class CustomValueBody(Body):
    """A value of an own field, the place where it is printed, or both."""

    value: Value = None
    """A text: an exact decimal, an ISO 8601 date, a choice or the printed words. With a `citation` alone, what is
    printed there; with neither, the value is not printed."""
    citation: CitationBody | None = None
    line: Annotated[int, Field(ge=1, le=MAX_ROWS), BeforeValidator(whole)] | None = None
    """Of a field of lines, the line from 1."""

    def new_value(self, name: str) -> NewValue:
        """The same for the service. Raises InvalidParameter."""
        place = None if self.citation is None else self.citation.citation(own_field_name(name, self.line))
        reads_page = "value" not in self.model_fields_set and place is not None
        return NewValue(self.value, place, reads_page, self.line)


class OwnFieldBody(Body):
    """An own field as a whole."""

    label: _Text
    type: Annotated[OwnFieldType, Field(strict=False)] = OwnFieldType.TEXT
    scope: Annotated[OwnFieldScope, Field(strict=False)] = OwnFieldScope.HEADER
    choices: Annotated[list[_Text], Field(default_factory=list, max_length=MAX_WORDS)]
    captions: Annotated[list[_Text], Field(default_factory=list, max_length=MAX_WORDS)]
    required: bool = False

    def field(self, name: str) -> OwnField:
        """The same field for the service."""
        return OwnField.model_construct(name=name, **dict(self))
