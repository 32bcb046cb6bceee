"""The types of an invoice's true values, as a file has them."""

from datetime import date
from decimal import Decimal

from pydantic import BaseModel, Field, ValidationError


class _Line(BaseModel):
    description: str | None = None
    quantity: Decimal | None = None
    unit_price: Decimal | None = None


class _Values(BaseModel):
    vendor_name: str | None = None
    invoice_number: str | None = None
    amount: Decimal | None = None
    currency: str | None = None
    issued_at: date | None = None
    due_at: date | None = None
    tax: Decimal | None = None
    doc_type: str | None = None
    line_items: list[_Line] | None = None
    other_vendors: list[str] = Field([], alias="_vendor_alt")
    other_numbers: list[str] = Field([], alias="_number_alt")
    other_amounts: list[Decimal] = Field([], alias="_amount_alt")


def problem_of(truth: object) -> str | None:
    """Which key of a truth has a value that cannot be compared with what is read, and why; None if there is none."""
    try:
        _Values.model_validate(truth)
    except ValidationError as error:
        first = error.errors()[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}".removeprefix(": ")
    return None
