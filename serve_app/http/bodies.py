"""JSON bodies, parsed here after authentication: the framework would read them before it."""

import hashlib
from decimal import Decimal
from typing import Annotated, Any, TypeVar

from fastapi import Request
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from serve_app.domain.errors import ServiceError
from serve_app.domain.plain_text import without_controls
from serve_app.domain.record import Amendment
from serve_app.http.complaints import complaint_of
from serve_app.http.errors import InvalidBody
from serve_app.http.json_bounds import check_values

M = TypeVar("M", bound="Body")


class Body(BaseModel):
    """Strict: no unknown property, no value of another type."""

    model_config = ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True, allow_inf_nan=False)

    @property
    def fingerprint(self) -> str:
        """The same for two bodies that ask for the same. A password is no part of it."""
        return hashlib.sha256(self.model_dump_json(exclude_unset=True).encode()).hexdigest()


def _without_default(schema: dict[str, Any]) -> None:
    """Remove the default from the schema. An omitted property stays unchanged; a default would make clients send it."""
    schema.pop("default")


class AmendBody(Body):
    """The changes; at least one property."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 1})

    paid: Annotated[bool, Field(json_schema_extra=_without_default)] = False
    """Mark the invoice as paid or unpaid; only for complete invoices."""
    entity_tag: Annotated[str, StringConstraints(max_length=60), AfterValidator(without_controls)] | None = None
    """Any text. Control characters are dropped; null clears the tag."""

    @model_validator(mode="after")
    def _has_something(self) -> "AmendBody":
        if not self.model_fields_set:
            raise ValueError("Send at least one of `paid` and `entity_tag`.")
        return self

    def amendment(self) -> Amendment:
        """The same change as a domain object."""
        said = self.model_fields_set
        return Amendment(self.paid if "paid" in said else None, "entity_tag" in said, self.entity_tag)


class ExtractBody(Body):
    """Options for reading a document again."""

    force: bool = False
    """Read the document again even if the invoice is complete."""
    password: Annotated[str, StringConstraints(min_length=1, max_length=1000)] | None = Field(None, exclude=True)
    """The password of a protected PDF. It is not stored; the document is then stored without a password."""


async def read_body(request: Request, model: type[M], *, optional: bool = False) -> M:
    """The request's JSON body. Raises InvalidBody. With `optional`, an empty body means `{}`."""
    data = await request.body()
    if optional and not data.strip():
        return model()
    kind = request.headers.get("content-type", "application/json").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise InvalidBody("Send the body as application/json.")
    check_values(data)
    try:
        return model.model_validate_json(data)
    except ValidationError as error:
        raise complaint(error) from None


def complaint(error: ValidationError) -> ServiceError:
    """The 400 error for the first problem with a body."""
    found = complaint_of(error.errors(include_url=False, include_input=False))
    return InvalidBody(found.message, found.param)


def schema_of(model: type[Body], example: dict[str, object], *, required: bool = True) -> dict[str, object]:
    """The OpenAPI description of a body that `read_body` reads."""
    # `openapi` moves what the body consists of to where these references lead.
    schema = model.model_json_schema(ref_template="#/components/schemas/{model}")
    content = {"application/json": {"schema": schema, "example": example}}
    return {"requestBody": {"required": required, "content": content}}


def exact_number(value: object, places: int) -> Decimal:
    """A JSON number as the decimal that was written, rounded to a number of places. Raises ValueError if it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("must be a number")
    return round(Decimal(repr(value)), places) if isinstance(value, float) else Decimal(value)
