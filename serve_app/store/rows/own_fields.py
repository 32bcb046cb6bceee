"""Own fields as both stores keep them: one JSON text each."""

from typing import Any

from serve_app.domain.own_field import OwnField
from serve_app.store.base.reviews import NewReview
from serve_app.store.rows.codec import to_micros


def own_field_from(text: str) -> OwnField:
    """The field of a row, without properties that a later version has added."""
    return OwnField.model_validate_json(text, extra="ignore")


def own_field_text(field: OwnField) -> str:
    """The field as it is stored."""
    return field.model_dump_json(exclude={"object"})


def own_example_fields(new: NewReview) -> dict[str, Any]:
    """The fields of an invoice whose own fields teach what the review says."""
    if new.own_fields is None:
        return {"own_field_example": None, "own_fields_at": None}
    return {"own_field_example": new.own_fields.encoded(), "own_fields_at": to_micros(new.at)}
