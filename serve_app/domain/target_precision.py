"""The share of `high` values that must be right."""

from enum import ReprEnum

from pydantic import GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema


class TargetPrecision(float, ReprEnum):
    """The share of `high` values, of all header fields together, that must be right."""

    STANDARD = 0.99
    HIGHER = 0.995
    HIGHEST = 0.999

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """A number: generators of clients know no enumerations of numbers."""
        return {"type": "number", "description": cls.__doc__, "examples": [cls.STANDARD.value]}

    @property
    def allowed_wrong(self) -> float:
        """The share of `high` values of all header fields together that may be wrong."""
        return round(1 - self, 6)

    @property
    def allowed_wrong_of_field(self) -> float:
        """The share of `high` values of one field that may be wrong: few values prove less (ADR 0035)."""
        return round(2 * self.allowed_wrong, 6)
