"""The bodies that change own fields and their values."""

from typing import Annotated

from pydantic import Field

from serve_app.domain.own_field import MAX_LABEL, MAX_WORDS, OwnField, OwnFieldType
from serve_app.http.bodies import Body

_Text = Annotated[str, Field(min_length=1, max_length=MAX_LABEL)]


class OwnFieldBody(Body):
    """An own field as a whole."""

    label: _Text
    type: Annotated[OwnFieldType, Field(strict=False)] = OwnFieldType.TEXT
    choices: Annotated[list[_Text], Field(default_factory=list, max_length=MAX_WORDS)]
    captions: Annotated[list[_Text], Field(default_factory=list, max_length=MAX_WORDS)]
    required: bool = False

    def field(self, name: str) -> OwnField:
        """The same field for the service."""
        return OwnField.model_construct(name=name, **dict(self))
