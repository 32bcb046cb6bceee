"""Answers about fields. Written by `python -m scripts.clients` from the OpenAPI document."""

from invoices_client.models.base import Model
from invoices_client.models.enums import OwnFieldScope, OwnFieldType


class OwnField(Model):
    """A field that an account adds. `name` is its key in `custom` of invoices, or of their line items if its `scope`
    is `line`; it never changes, and neither do scope and type. `label` is for people. `choices` are the values
    that it can have, if its type is `choice`. `captions` are printed beside or above the value; further ones are
    learned. An invoice that lacks a `required` field needs a person.
    """

    object: str
    """The type of the object."""
    name: str
    """Its key in `custom` of invoices; it never changes."""
    label: str
    """What people call it."""
    type: OwnFieldType
    """What its values are."""
    scope: OwnFieldScope
    """What a value is about: `header`, the whole invoice; `line`, one of its lines."""
    choices: list[str] = []
    """The values that it can have; only of the type `choice`."""
    captions: list[str] = []
    """Words that are printed beside or above the value; further ones are learned."""
    required: bool
    """Whether an invoice without a sure value needs a person."""


class OwnFieldList(Model):
    """The own fields of an account."""

    object: str
    """The type of the object."""
    data: list[OwnField] = []
    """The object of the event, or the entries of the list."""
    has_more: bool
    """Whether more entries follow."""
