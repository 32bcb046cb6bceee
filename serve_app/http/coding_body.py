"""The bodies that change charts and codings."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Annotated

from pydantic import BeforeValidator, Field

from serve_app.domain.chart import (
    KEY_PATTERN,
    MAX_CODE,
    MAX_CODES,
    MAX_DIMENSIONS,
    MAX_NAME,
    MAX_RULES,
    ChartCode,
    CodingRule,
    Dimension,
)
from serve_app.domain.coding import MAX_POSTINGS
from serve_app.domain.review_tables import MAX_ROWS
from serve_app.domain.review_values import number_of
from serve_app.http.bodies import Body
from serve_app.http.review_body import Value, whole
from serve_app.services.coding.decisions import NewPosting

_Key = Annotated[str, Field(pattern=KEY_PATTERN)]
_Code = Annotated[str, Field(min_length=1, max_length=MAX_CODE)]
_Text = Annotated[str, Field(max_length=MAX_NAME)]


class CodeBody(Body):
    """A code of a dimension."""

    code: _Code
    name: _Text = ""
    active: bool = True


class DimensionBody(Body):
    """A dimension with all its codes."""

    key: _Key
    """`account`, `cost_center`, `tax_code`, `project`, or an own one."""
    name: Annotated[str, Field(min_length=1, max_length=MAX_NAME)]
    codes: Annotated[list[CodeBody], Field(max_length=MAX_CODES)]


class RuleBody(Body):
    """Codes for lines that contain words, of vendors whose names contain words."""

    vendor: _Text | None = None
    contains: _Text | None = None
    codes: Annotated[dict[_Key, _Code], Field(max_length=MAX_DIMENSIONS)]


class ChartBody(Body):
    """The whole chart as it is to be."""

    revision: Annotated[int, Field(ge=0, le=2**53), BeforeValidator(whole)]
    """The revision of the chart that was seen; 0: there is none yet."""
    dimensions: Annotated[list[DimensionBody], Field(max_length=MAX_DIMENSIONS)]
    rules: Annotated[list[RuleBody], Field(default_factory=list, max_length=MAX_RULES)]

    def dimensions_of(self) -> list[Dimension]:
        """The same dimensions for the service."""
        return [
            Dimension.model_construct(
                key=each.key,
                name=each.name,
                codes=[ChartCode.model_construct(**code.model_dump()) for code in each.codes],
            )
            for each in self.dimensions
        ]

    def rules_of(self) -> list[CodingRule]:
        """The same rules for the service."""
        return [CodingRule.model_construct(**rule.model_dump()) for rule in self.rules]


class PostingBody(Body):
    """What a line, a share of it, or the whole invoice is booked on."""

    line: Annotated[int, Field(ge=1, le=MAX_ROWS), BeforeValidator(whole)] | None = None
    """The number of the line item, from 1; null: the whole invoice."""
    share: Value = None
    """The share of the line, in percent, such as `33.3333`; only if it has several postings."""
    amount: Value = None
    """The amount of the posting instead of its share."""
    codes: Annotated[dict[_Key, _Code | None], Field(max_length=MAX_DIMENSIONS)]
    """The code of each dimension; null: none."""


class CodingBody(Body):
    """What an invoice is booked on, as a whole."""

    postings: Annotated[list[PostingBody], Field(min_length=1, max_length=MAX_POSTINGS)] | None
    """All postings of the invoice; null removes the decision."""

    def new_postings(self) -> Sequence[NewPosting] | None:
        """The same postings for the service. Raises InvalidParameter."""
        if self.postings is None:
            return None
        return [_posting(f"postings.{index}", body) for index, body in enumerate(self.postings)]


def _posting(param: str, body: PostingBody) -> NewPosting:
    share, amount = _number(f"{param}.share", body.share), _number(f"{param}.amount", body.amount)
    return NewPosting(body.codes, body.line, share, amount)


def _number(param: str, value: Value) -> Decimal | None:
    return None if value is None else Decimal(number_of(param, value))
