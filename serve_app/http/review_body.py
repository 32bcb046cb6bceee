"""The body that changes a review: the API and the review screen send the same."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from serve_app.domain.errors import InvalidParameter
from serve_app.domain.invoice import CheckKind, Citation, ReviewStatus
from serve_app.domain.own_field import MAX_FIELDS
from serve_app.domain.own_values import own_field_name
from serve_app.domain.review_fields import CORRECTABLE
from serve_app.domain.review_tables import LINE_ITEMS, MAX_ROWS, TAX_LINES
from serve_app.http.bodies import Body
from serve_app.services.review.change import MAX_REASON, FieldChange, ReviewChange

_Fraction = Annotated[float, Field(ge=0, le=1)]
Box = tuple[_Fraction, _Fraction, _Fraction, _Fraction]
Value = str | None
"""A JSON number could not give every decimal exactly."""


def whole(value: Any) -> Any:
    """A number without a fraction as an integer: to JSON, 1.0 is one."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


class CitationBody(Body):
    """Where a value is printed."""

    page: Annotated[int, Field(ge=1, le=100_000), BeforeValidator(whole)]
    """From 1."""
    box: Annotated[Box, Field(strict=False)]
    """`x0`, `y0`, `x1`, `y1` as fractions of the page, from its top left corner."""
    text: Annotated[str, Field(max_length=1000)] = ""
    """The text printed there."""

    def citation(self, field: str) -> Citation:
        """The place of a field's value. Raises InvalidParameter if the corners are in the wrong order, which no schema
        can say."""
        x0, y0, x1, y1 = self.box
        if x0 > x1 or y0 > y1:
            param = f"fields.{field}.citation.box"
            raise InvalidParameter(f"{param}: must be x0, y0, x1, y1 with x0 <= x1 and y0 <= y1", param)
        return Citation(page=self.page, box=self.box, text=self.text)


class FieldBody(Body):
    """The decision on a field."""

    value: Value
    """A text: an exact decimal such as `1190.50`, an ISO 8601 date or the printed words; null if nothing is printed."""
    citation: CitationBody | None = None

    def change(self, name: str) -> FieldChange:
        """The same change of this field for the service. Raises InvalidParameter."""
        return FieldChange(self.value, self.citation.citation(name) if self.citation else None)


class RowBody(Body):
    """A line item."""

    description: str | None = None
    quantity: Value = None
    unit_price: Value = None
    total: Value = None
    tax_rate: Value = None
    custom: Annotated[dict[str, FieldBody], Field(default_factory=dict, max_length=MAX_FIELDS)]
    """Own fields of the line, by their names. Those that are omitted stay as they are."""

    def row(self, line: int) -> dict[str, Any]:
        """The same row (from 1) for the service. Raises InvalidParameter."""
        custom = {name: each.change(own_field_name(name, line)) for name, each in self.custom.items()}
        return {**self.model_dump(exclude={"custom"}), **({"custom": custom} if custom else {})}


class TaxRowBody(Body):
    """The tax of one rate, which is in percent."""

    rate: Value = None
    base: Value = None
    amount: Value = None


class ReviewBody(Body):
    """The decisions of a person."""

    revision: Annotated[int, Field(ge=0, le=2**53), BeforeValidator(whole)]
    """The revision of the review that the person saw."""
    fields: Annotated[
        dict[str, FieldBody | None], Field(default_factory=dict, max_length=len(CORRECTABLE) + MAX_FIELDS)
    ]
    """The decided fields; null removes a decision. The others stay."""
    line_items: Annotated[list[RowBody], Field(max_length=MAX_ROWS)] | None = None
    """The whole table; null removes the decision on it. If omitted, the table stays."""
    tax_lines: Annotated[list[TaxRowBody], Field(max_length=MAX_ROWS)] | None = None
    """The tax of each rate, as a whole table; null removes the decision on it."""
    status: ReviewStatus | None = None
    """`confirmed`, `rejected` or `open`. If omitted, the status stays."""
    reason: Annotated[str, Field(max_length=MAX_REASON)] | None = None
    """The reason for a rejection."""
    supplier_checks: Annotated[dict[CheckKind, bool], Field(default_factory=dict)]
    """Which of the invoice's `checks` are in order, by kind; false takes that back."""

    def change(self) -> ReviewChange:
        """The same change for the service. Raises InvalidParameter."""
        fields = {name: None if body is None else body.change(name) for name, body in self.fields.items()}
        if "line_items" in self.model_fields_set:
            lines = self.line_items
            fields[LINE_ITEMS] = None if lines is None else FieldChange([row.row(n) for n, row in enumerate(lines, 1)])
        if "tax_lines" in self.model_fields_set:
            rates = self.tax_lines
            fields[TAX_LINES] = None if rates is None else FieldChange([row.model_dump() for row in rates])
        return ReviewChange(fields, self.status, self.reason, self.supplier_checks)
